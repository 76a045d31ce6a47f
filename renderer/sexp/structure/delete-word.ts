/** Deleting a word that parentheses or quotes of guarded forms stand in front of. Pure. */
import type { Span } from './edits.ts';
import { keepsBalance } from './guard.ts';

/**
 * The word of a line that a caret comes to past the parentheses and quotes beside it, as in Paredit; null where there is none, or where
 * it cannot go.
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
