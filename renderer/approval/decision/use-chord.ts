/**
 * Keys that press a button of the open card. They work while the focus is on the card, or nowhere in the page. Text that is being written
 * takes them only if it belongs to the button, because a card has either its reading row or the row of the form that is being filled in.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react';
import { compare, readStroke } from '../../ui/menus/key-strokes.ts';

/** Calls `onPress` for a new press of `keys` by the person. Repetitions of a held key do not count. */
export function useChord(keys: string, button: RefObject<HTMLElement | null>, onPress: () => void): void {
  const key = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || compare(readStroke(keys), event) === null) return;
    const focused = event.target as Element;
    if (focused !== document.body && !button.current?.closest('article')?.contains(focused)) return;
    // The focused button must not be pressed too.
    event.preventDefault();
    if (event.isTrusted && !event.repeat) onPress();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => key(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
