/** The memory of the image. */
import { MemoryStick } from 'lucide-react';
import { Memory } from './panel.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'memory', title: 'Memory', place: 'dock', icon: MemoryStick, Panel: Memory }],
});
