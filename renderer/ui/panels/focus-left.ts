/** Moves the focus to the replacement of a removed element that had it. Otherwise no element would have the focus. */
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Returns a ref for an element that takes the focus if it appears while no element has it. */
export function useFocusLeft<Wanted extends HTMLElement>(): RefObject<Wanted | null> {
  const element = useRef<Wanted>(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) element.current?.focus();
  }, []);
  return element;
}
