/**
 * The first drawing in two steps: the text, the REPL and the bars first, the columns beside them and the panels behind other tabs as
 * soon as those are on the screen.
 */
import { createContext, type ReactNode, use, useDeferredValue, useEffect } from 'react';
import { call } from '../base/bridge.ts';

const Second = createContext(true);

/** Draws all but what is `Later` within it, then the rest in the background, and tells main when that is done. */
export function InTwoSteps({ children }: { children: ReactNode }) {
  const isSecond = useDeferredValue(true, false);
  useEffect(() => {
    // In the frame after the next one it is on the screen.
    if (isSecond) requestAnimationFrame(() => requestAnimationFrame(() => void call('app.drawn', {})));
  }, [isSecond]);
  return <Second value={isSecond}>{children}</Second>;
}

/** Draws its content in the second step, and at once after that. */
export function Later({ children }: { children: ReactNode }) {
  return useSecondStep() ? children : null;
}

/** True from the second step on. */
export function useSecondStep(): boolean {
  return use(Second);
}
