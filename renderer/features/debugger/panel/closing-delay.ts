/** The delay before a closed debugger disappears. It prevents flicker when a step closes one debugger and opens another. */
import { useEffect, useState } from 'react';
import type { DebuggerHead, DebuggerRecord } from '#contract/image/debugger.ts';
import { useMirror } from '../../../base/mirror.ts';
import { useDebuggers } from '../store.ts';

/** Milliseconds for which a closed debugger stays on screen. */
const CLOSING_DELAY_MS = 250;

interface Shown {
  head: DebuggerHead;
  record: DebuggerRecord;
}

/** Returns the debugger to draw, and whether that debugger is still open. Keys act only on an open debugger. */
export function useClosingDelay(
  head: DebuggerHead | null,
  record: DebuggerRecord | null,
): { shown: Shown | null; live: boolean } {
  const [last, setLast] = useState<Shown | null>(null);
  // Setting state during a render is React's method for remembering a value from an earlier render.
  if (head && record && (last?.head !== head || last.record !== record)) setLast({ head, record });
  useEffect(() => {
    if (head) return undefined;
    const timer = setTimeout(() => setLast(null), CLOSING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [head]);
  return head && record ? { shown: { head, record }, live: true } : { shown: last, live: false };
}

/**
 * Returns true while a debugger is open or code that left one is still running, and for a short time afterwards, because the next debugger
 * may follow.
 */
export function useHasDebugger(): boolean {
  const looked = useDebuggers((state) => state.chosen?.evaluation ?? null);
  const has = useMirror(
    ({ debuggers, session: { running } }) =>
      debuggers.debuggers.length > 0 || (running !== null && running.evaluation === looked),
  );
  const [isClosing, setClosing] = useState(has);
  // Setting state during a render is React's method for following a value.
  if (has && !isClosing) setClosing(true);
  useEffect(() => {
    if (has) return undefined;
    const timer = setTimeout(() => setClosing(false), CLOSING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [has]);
  return has || isClosing;
}
