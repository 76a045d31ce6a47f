/** Expanding macros in the editor. */
import { macroCommands } from './commands.ts';
import { ExpansionBar } from './expansion-bar.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  commands: macroCommands,
  editor: { notices: { expansion: ExpansionBar } },
});
