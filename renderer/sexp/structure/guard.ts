/** Protects the balance of a form during typing: determines the effect of deleting text and of typing an unmatched closer. Pure. */
import { balanceOf, isEmptyPair } from '../reading/pairs.ts';
import { Tree } from './tree.ts';

/**
 * The effect of deleting the character before or after a caret. `pair`: an empty list or string is deleted as a whole. `over`: the caret
 * moves over a character that must stay. `plain`: the character is deleted.
 */
export type Deleting = 'pair' | 'over' | 'plain';

export function deletingAt(text: string, caret: number, direction: 'left' | 'right'): Deleting {
  const at = direction === 'left' ? caret - 1 : caret;
  if (at < 0 || at >= text.length) return 'plain';
  if (direction === 'left' ? isEmptyPair(text, caret) : isEmptyPair(text, caret) || isEmptyPair(text, caret + 1))
    return 'pair';
  return keepsBalance(text, at, at + 1) ? 'plain' : 'over';
}

/** True if the text stays balanced without the section from `start` to `end`, or if the text is not balanced anyway. */
export function keepsBalance(text: string, start: number, end: number): boolean {
  if (!/[()"|;\\#\n]/.test(text.slice(start, end))) return true;
  return !balanceOf(text).isBalanced || balanceOf(text.slice(0, start) + text.slice(end)).isBalanced;
}

/** Returns the position to which an unmatched closer moves the caret: after the list around the caret. Returns null at the top level. */
export function outOfList(text: string, caret: number): number | null {
  const list = new Tree(text).listAround(caret);
  return list?.closed ? list.end : null;
}
