/** The output of the image that does not belong to an evaluation. */
import { Terminal } from 'lucide-react';
import { OutputPanel } from './panel.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [
    {
      id: 'output',
      title: 'Output',
      place: 'dock',
      icon: Terminal,
      keys: 'Ctrl+Shift+U',
      Panel: OutputPanel,
      staysAlive: true,
    },
  ],
});
