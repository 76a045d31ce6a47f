/** Traced functions and their calls. */
import { followTracedCalls } from '../../base/image/traced-calls.ts';
import { traceCommands } from './commands.ts';
import { Trace } from './panel.tsx';
import { followTrace } from './trace-store.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'trace', title: 'Trace', place: 'dock', Panel: Trace }],
  commands: traceCommands,
  follow: () => {
    followTracedCalls();
    followTrace();
  },
});
