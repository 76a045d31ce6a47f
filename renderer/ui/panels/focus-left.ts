/** Moves the focus to the element that replaces a removed element with the focus. Otherwise no element would have the focus. */
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Returns a ref for an element. If no element has the focus when the element appears, the element takes the focus. */
export function useFocusLeft<Wanted extends HTMLElement>(): RefObject<Wanted | null> {
  const element = useRef<Wanted>(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) element.current?.focus();
  }, []);
  return element;
}
