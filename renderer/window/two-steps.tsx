/**
 * Splits the first drawing into two steps: first the text, the REPL and the bars; then, once these are on the screen, the columns beside
 * them and the panels behind other tabs.
 */
import { createContext, type ReactNode, use, useDeferredValue, useEffect } from 'react';
import { call } from '../base/bridge.ts';

const Second = createContext(true);

/** Draws everything outside `Later`, then the rest in the background, and notifies the main process when that is done. */
export function InTwoSteps({ children }: { children: ReactNode }) {
  const isSecond = useDeferredValue(true, false);
  useEffect(() => {
    // The content is on the screen in the frame after the next one.
    if (isSecond) requestAnimationFrame(() => requestAnimationFrame(() => void call('app.drawn', {})));
  }, [isSecond]);
  return <Second value={isSecond}>{children}</Second>;
}

/** Draws its content in the second step. If the second step has already begun, draws it immediately. */
export function Later({ children }: { children: ReactNode }) {
  return useSecondStep() ? children : null;
}

/** True from the second step on. */
export function useSecondStep(): boolean {
  return use(Second);
}
