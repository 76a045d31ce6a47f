/** The way out of the debugger: once its last condition is settled, the keyboard is back where the person worked before. */
import { useEffect, useRef } from 'react';
import { leaveDebugger } from '../../../base/layout/giving-back.ts';
import { mirror } from '../../../base/mirror.ts';
import { useHasDebugger } from './closing-delay.ts';

/**
 * Leaves the panel when no debugger is open any more and no code that was in one goes on: only while the panel has the keyboard and
 * nothing is typed in it, and not where it has to say why its debuggers are gone.
 */
export function useLeaving(): void {
  const has = useHasDebugger();
  const had = useRef(has);
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      focused.current = target instanceof Element ? target : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useEffect(() => {
    const over = had.current && !has;
    had.current = has;
    if (!over || mirror.getState().debuggers.gone !== null || !isIdleInPanel(focused.current)) return;
    // Outside of the effect, since what is shown has to be on the page before it can be focused.
    queueMicrotask(leaveDebugger);
  }, [has]);
}

/** True where the focus is in the panel, or was in it last when what had it is no longer on the page. */
function isIdleInPanel(last: Element | null): boolean {
  const at = document.activeElement;
  if (at === null || at === document.body) return last !== null && !last.isConnected;
  if (at.closest('[data-region="Debugger"]') === null) return false;
  return !(at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement) || at.value === '';
}
