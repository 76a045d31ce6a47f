/** The threads of the image. */
import { Rows3 } from 'lucide-react';
import { Threads } from './panel.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'threads', title: 'Threads', place: 'dock', icon: Rows3, Panel: Threads }],
});
