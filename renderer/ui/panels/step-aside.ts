/** The approval view is above the page. While it would cover something on the page, it is asked to step aside. */
import { useCallback, useEffect, useRef } from 'react';

let open = 0;
let tell: (aside: boolean) => void = () => {};

/** Calls `told` when the view must step aside, and when it can come back. */
export function onStepAside(told: (aside: boolean) => void): void {
  tell = told;
}

function change(by: 1 | -1): void {
  const before = open > 0;
  open += by;
  const after = open > 0;
  if (before !== after) tell(after);
}

/** Returns a function to call when the caller's overlay opens or closes; unmounting closes it. */
export function useStepAside(): (isOpen: boolean) => void {
  const mine = useRef(false);
  const set = useCallback((isOpen: boolean) => {
    if (mine.current === isOpen) return;
    mine.current = isOpen;
    change(isOpen ? 1 : -1);
  }, []);
  useEffect(() => () => set(false), [set]);
  return set;
}
