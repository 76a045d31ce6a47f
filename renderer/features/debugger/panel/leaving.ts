/** Leaving the debugger: once its last condition is handled, the focus returns to where the person worked before. */
import { useEffect, useRef } from 'react';
import { leaveDebugger } from '../../../base/layout/giving-back.ts';
import { mirror } from '../../../base/mirror.ts';
import { useHasDebugger } from './closing-delay.ts';

/**
 * Leaves the panel when no debugger is open and no code that left one is still running. Stays if the focus is outside the panel or in a
 * field with typed text, or if the panel must explain why its debuggers closed.
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
    // Run this after the effect, because an element must be on the page before it can be focused.
    queueMicrotask(leaveDebugger);
  }, [has]);
}

/** True if the focus is in the panel but not in a field with typed text, or was last on an element that is no longer on the page. */
function isIdleInPanel(last: Element | null): boolean {
  const at = document.activeElement;
  if (at === null || at === document.body) return last !== null && !last.isConnected;
  if (at.closest('[data-region="Debugger"]') === null) return false;
  return !(at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement) || at.value === '';
}
