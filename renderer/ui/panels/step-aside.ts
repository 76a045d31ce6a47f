/** The approval view is drawn above the page. It is asked to step aside while a part of the page that it would cover is open. */
import { useCallback, useEffect, useRef } from 'react';

let open = 0;
let tell: (aside: boolean) => void = () => {};

/** Sets the function that is called with true when the view must step aside, and with false when it can come back. */
export function onStepAside(told: (aside: boolean) => void): void {
  tell = told;
}

function change(by: 1 | -1): void {
  const before = open > 0;
  open += by;
  const after = open > 0;
  if (before !== after) tell(after);
}

/** Returns a function that the caller must call when its overlay opens or closes. Unmounting counts as closing. */
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
