/** The images: starting, restarting and ending them. */
import { imageCommands } from './commands.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  commands: imageCommands,
});
