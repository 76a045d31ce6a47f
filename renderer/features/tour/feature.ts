/** The tour through the program. */
import { tourCommands } from './commands.ts';
import { followTour } from './follow.ts';
import { StartTour } from './start-tour.tsx';
import { restoreTour } from './tour-store.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  commands: tourCommands,
  dialogs: { tour: StartTour },
  restore: (workspace) => {
    restoreTour(workspace);
    followTour();
  },
});
