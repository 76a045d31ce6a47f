/** Tests: running them, and their outcomes in the panel and beside their forms. */
import { FlaskConical } from 'lucide-react';
import { testCommands } from './commands.ts';
import { Tests } from './panel.tsx';
import { followTestTexts } from './run-tests.ts';
import { followTests } from './store.ts';
import { installTestMarks } from './test-marks.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'tests', title: 'Tests', place: 'left', icon: FlaskConical, keys: 'Ctrl+; T', Panel: Tests }],
  commands: testCommands,
  editor: { parts: [installTestMarks] },
  follow: () => {
    followTests();
    followTestTexts();
  },
});
