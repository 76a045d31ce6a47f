/**
 * Texts that are too large to be parsed as Lisp at each key. They are plain text without colours, completion and markers, so that typing
 * stays fast.
 */
import type { monaco } from '../monaco/monaco.ts';

/** The maximum number of characters of a text, and of a single line, that is parsed as Lisp. */
const LARGEST = 5_000_000;
const LONGEST_LINE = 50_000;

const large = new WeakSet<monaco.editor.ITextModel>();

/** True for a text that is opened with limited features. */
export function isTooLarge(text: string): boolean {
  if (text.length > LARGEST) return true;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    if ((end < 0 ? text.length : end) - start > LONGEST_LINE) return true;
    if (end < 0) return false;
    start = end + 1;
  }
  return false;
}

export function noteLarge(model: monaco.editor.ITextModel): void {
  large.add(model);
}

export function isLarge(model: monaco.editor.ITextModel): boolean {
  return large.has(model);
}
