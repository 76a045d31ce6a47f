/** The delay with which a closed debugger leaves the screen: a step leaves one and enters another, and the panel must not flash. */
import { useEffect, useState } from 'react';
import type { DebuggerHead, DebuggerRecord } from '#contract/image/debugger.ts';
import { useMirror } from '../../../base/mirror.ts';
import { useDebuggers } from '../store.ts';

/** Milliseconds for which a debugger that was left stays on screen. */
const CLOSING_DELAY_MS = 250;

interface Shown {
  head: DebuggerHead;
  record: DebuggerRecord;
}

/** Returns the debugger to draw, and whether it is the one that is open: keys are for no other. */
export function useClosingDelay(
  head: DebuggerHead | null,
  record: DebuggerRecord | null,
): { shown: Shown | null; live: boolean } {
  const [last, setLast] = useState<Shown | null>(null);
  // The way of React to keep a value of an earlier render: it is set while this one is drawn.
  if (head && record && (last?.head !== head || last.record !== record)) setLast({ head, record });
  useEffect(() => {
    if (head) return undefined;
    const timer = setTimeout(() => setLast(null), CLOSING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [head]);
  return head && record ? { shown: { head, record }, live: true } : { shown: last, live: false };
}

/** Returns true while a debugger is open, while the code that left one goes on, and while the next may be on its way. */
export function useHasDebugger(): boolean {
  const looked = useDebuggers((state) => state.chosen?.evaluation ?? null);
  const has = useMirror(
    ({ debuggers, session: { running } }) =>
      debuggers.debuggers.length > 0 || (running !== null && running.evaluation === looked),
  );
  const [isClosing, setClosing] = useState(has);
  // The way of React to follow a value: it is set while it is drawn.
  if (has && !isClosing) setClosing(true);
  useEffect(() => {
    if (has) return undefined;
    const timer = setTimeout(() => setClosing(false), CLOSING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [has]);
  return has || isClosing;
}
