/** Coverage: which code has run. */
import { ScanLine } from 'lucide-react';
import { coverageCommands } from './commands.ts';
import { installCoverageMarks } from './coverage-marks.ts';
import { Coverage } from './panel.tsx';
import { followCoverage } from './store.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'coverage', title: 'Coverage', place: 'dock', icon: ScanLine, Panel: Coverage }],
  commands: coverageCommands,
  editor: { parts: [installCoverageMarks] },
  follow: followCoverage,
});
