/** The approval view lies above the page: while something of the page would be covered by it, it is asked to step aside. */
import { useCallback, useEffect, useRef } from 'react';
import { call } from '../bridge.ts';

let open = 0;

function change(by: 1 | -1): void {
  const before = open > 0;
  open += by;
  const after = open > 0;
  if (before !== after)
    call('review.stepAside', { aside: after }).catch((error: unknown) =>
      console.error('Review did not step aside.', error),
    );
}

/** A function to call with whether one's overlay is open; unmounting closes it. */
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
