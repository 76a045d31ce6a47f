/** The problems that the compiler and the reader report, in the panel and in the text. */
import { TriangleAlert } from 'lucide-react';
import { startBackgroundSyntaxCheck } from './background-syntax-check.ts';
import { installDeadForms } from './dead-forms.ts';
import { Problems } from './panel.tsx';
import { ProblemCount } from './problem-count.tsx';
import { startProblems } from './problem-markers.ts';
import { followCompiledFiles } from './problems.ts';
import { installQuickFixes } from './quick-fixes.ts';
import { installSyntaxCheck } from './syntax-check.ts';
import { startImageFeatures } from '../../base/image/image-features.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [
    {
      id: 'problems',
      title: 'Problems',
      place: 'dock',
      icon: TriangleAlert,
      keys: 'Ctrl+Shift+M',
      Panel: Problems,
      Count: ProblemCount,
    },
  ],
  editor: { parts: [installSyntaxCheck, installDeadForms] },
  follow: () => {
    startProblems();
    installQuickFixes();
    followCompiledFiles();
    startBackgroundSyntaxCheck();
    startImageFeatures();
  },
});
