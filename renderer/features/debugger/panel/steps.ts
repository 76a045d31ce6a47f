/** Shows the source at each stop that the person's breakpoints and steps lead to. */
import { useEffect } from 'react';
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import { firstFrame } from '../frames.ts';
import { showFrameSource } from '../frame-source.ts';

/** The debugger that the panel showed last, even if the panel has since been hidden. */
let before: Pick<DebuggerRecord, 'id' | 'evaluation'> | null = null;

/**
 * Shows the source of a new debugger if an action of the person led to it: a breakpoint, or a step or restart in another debugger of the
 * same evaluation.
 */
export function useFollowedSteps(record: DebuggerRecord | null): void {
  useEffect(() => {
    if (!record) return;
    const { id, evaluation, kind } = record;
    if (before?.id === id && before.evaluation === evaluation) return;
    const led = kind !== 'error' || before?.evaluation === evaluation;
    before = { id, evaluation };
    const frame = firstFrame(record);
    if (led && frame !== null) void showFrameSource(record, frame, 'step');
  }, [record]);
}
