/** Follows stops in the source: where the person's breakpoints and steps lead to, the text is shown. */
import { useEffect } from 'react';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { firstFrame } from '../frames.ts';
import { showFrameSource } from '../frame-source.ts';

/** The debugger that the panel showed last, also before it was hidden. */
let before: Pick<DebuggerRecord, 'id' | 'evaluation'> | null = null;

/**
 * Shows the source of a debugger that the panel comes to, where the person led the code there: by a breakpoint, or by a step or a restart
 * in another debugger of the same evaluation.
 */
export function useFollowedSteps(record: DebuggerRecord | null): void {
  useEffect(() => {
    if (!record) return;
    const { id, evaluation, kind } = record;
    if (before?.id === id && before.evaluation === evaluation) return;
    const led = kind !== 'error' || before?.evaluation === evaluation;
    before = { id, evaluation };
    const frame = firstFrame(record);
    if (led && frame !== null) void showFrameSource(record, frame, 'follow');
  }, [record]);
}
