/** Deletion of a word that is separated from the caret by the parentheses or quotes of guarded forms. Pure. */
import type { Span } from './edits.ts';
import { keepsBalance } from './guard.ts';

/**
 * Returns the next word on the line from the caret, skipping the parentheses and quotes in between, as in Paredit. Returns null if there is
 * no such word, or if deleting it would unbalance the text.
 */
export function wordPastDelimiters(text: string, caret: number, direction: 'left' | 'right'): Span | null {
  const found =
    direction === 'left'
      ? /([^\s()"]+)(?:[^\S\n]*[()"])+[^\S\n]*$/.exec(text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret))
      : /^(?:[^\S\n]*[()"])+[^\S\n]*([^\s()"]+)/.exec(text.slice(caret));
  if (!found) return null;
  const [whole, word] = found as unknown as [string, string];
  const start = direction === 'left' ? caret - whole.length : caret + whole.length - word.length;
  const end = start + word.length;
  return keepsBalance(text, start, end) ? { start, end } : null;
}
