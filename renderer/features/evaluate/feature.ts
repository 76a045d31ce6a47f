/** Evaluating and compiling the editor's text, with the results beside their forms. */
import { editorCommands } from './editor-commands.ts';
import { Results } from './opened-result.tsx';
import { installResultClicks } from './result-clicks.ts';
import { followSoundFiles } from './results.ts';
import { followStoppedResults, installStoppedClicks } from './stopped-results.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  commands: editorCommands,
  editor: { parts: [installStoppedClicks, installResultClicks], Overlay: Results },
  start: () => {
    followStoppedResults();
    followSoundFiles();
  },
});
