/** Guards the balance of a form while it is typed: what deleting may take, and what a closer does that closes nothing. Pure. */
import { balanceOf, isEmptyPair } from '../reading/pairs.ts';
import { Tree } from './tree.ts';

/**
 * The effect of deleting the character in front of a caret or behind it: `pair`, an empty list or string goes as a whole; `over`,
 * the caret moves over what must stay; `plain`, it goes.
 */
export type Deleting = 'pair' | 'over' | 'plain';

export function deletingAt(text: string, caret: number, direction: 'left' | 'right'): Deleting {
  const at = direction === 'left' ? caret - 1 : caret;
  if (at < 0 || at >= text.length) return 'plain';
  if (direction === 'left' ? isEmptyPair(text, caret) : isEmptyPair(text, caret) || isEmptyPair(text, caret + 1))
    return 'pair';
  return keepsBalance(text, at, at + 1) ? 'plain' : 'over';
}

/** True unless a text that is balanced would not be any more without a part of it. */
export function keepsBalance(text: string, start: number, end: number): boolean {
  if (!/[()"|;\\#\n]/.test(text.slice(start, end))) return true;
  return !balanceOf(text).isBalanced || balanceOf(text.slice(0, start) + text.slice(end)).isBalanced;
}

/** Where a closer that closes nothing moves the caret: behind the list that it is in; null at the top level. */
export function outOfList(text: string, caret: number): number | null {
  const list = new Tree(text).listAround(caret);
  return list?.closed ? list.end : null;
}
