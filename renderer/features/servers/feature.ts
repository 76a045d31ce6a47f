/** The servers of the program. */
import { serverCommands } from './commands.ts';
import { Servers } from './servers.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  commands: serverCommands,
  dialogs: { servers: Servers },
});
