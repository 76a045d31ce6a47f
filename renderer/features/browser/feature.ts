/** The Browser of the image's contents, shown in place of the editor. */
import { Telescope } from 'lucide-react';
import { browserCommands } from './commands.ts';
import { Browser } from './panel.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'browser', title: 'Browser', place: 'middle', icon: Telescope, Panel: Browser }],
  commands: browserCommands,
});
