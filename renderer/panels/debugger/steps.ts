/** Follows steps in the source: where one of the person's leads to, the text is shown. */
import { useEffect, useRef } from 'react';
import type { DebuggerRecord } from '#contract/debugger.ts';
import { firstFrame } from '../../features/debugger/frames.ts';
import { showFrameSource } from '../../editor/frame-source.ts';

/** Shows the source of a debugger that follows another one of the same evaluation in the panel: the person led the code there. */
export function useFollowedSteps(record: DebuggerRecord | null): void {
  const before = useRef<{ id: string; evaluation: string } | null>(null);
  useEffect(() => {
    if (!record) return;
    const { id, evaluation } = record;
    const led = before.current !== null && before.current.evaluation === evaluation && before.current.id !== id;
    before.current = { id, evaluation };
    const frame = firstFrame(record);
    if (led && frame !== null) void showFrameSource(record, frame, 'follow');
  }, [record]);
}
