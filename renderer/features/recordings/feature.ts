/** Recorded values of forms. */
import { recordCommands } from './commands.ts';
import { installRecordingMarks } from './recording-marks.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  commands: recordCommands,
  editor: { parts: [installRecordingMarks] },
});
