/** Gives the focus to what takes the place of something that had it: an element that is removed with the focus leaves it to nobody. */
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A ref of an element that takes the focus when it appears while nothing has it. */
export function useFocusLeft<Wanted extends HTMLElement>(): RefObject<Wanted | null> {
  const element = useRef<Wanted>(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) element.current?.focus();
  }, []);
  return element;
}
