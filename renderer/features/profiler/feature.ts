/** The profiler. */
import { Flame } from 'lucide-react';
import { profileCommands } from './commands.ts';
import { Profiler } from './panel.tsx';
import { SamplingMark } from './sampling-mark.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'profiler', title: 'Profiler', place: 'dock', icon: Flame, Panel: Profiler, Count: SamplingMark }],
  commands: profileCommands,
});
