import { expect, it } from 'vitest';
import { edited, type Span } from './edits.ts';
import { deletedLines } from './delete-lines.ts';

/** Returns the text without the marks, and the marked lines with their line breaks. A line is marked with `¦` at its start. */
function drawnLines(drawn: string): { text: string; lines: Span[] } {
  const lines: Span[] = [];
  let at = 0;
  for (const line of drawn.split('\n')) {
    const length = line.replace('¦', '').length + 1;
    const before = lines.at(-1);
    if (line.startsWith('¦') && before?.end === at) lines[lines.length - 1] = { start: before.start, end: at + length };
    else if (line.startsWith('¦')) lines.push({ start: at, end: at + length });
    at += length;
  }
  const text = drawn.replaceAll('¦', '');
  // The last line of a text has no line break, so its range includes the line break before it.
  return {
    text,
    lines: lines.map(({ start, end }) => (end > text.length ? { start: start - 1, end: end - 1 } : { start, end })),
  };
}

it.each([
  ['closers stay behind the line before', '(defun f (x)\n  (a x)\n¦  (b x))\n(c)\n', '(defun f (x)\n  (a x))\n(c)\n'],
  ['also on the last line of a text', '(f\n (a)\n¦ (b))', '(f\n (a))'],
  ['of all forms that end there', '(f (g\n    (a)\n¦    (b)))\n', '(f (g\n    (a)))\n'],
  ['in front of a comment', '(f\n (a) ; why\n¦ (b))\n', '(f\n (a)) ; why\n'],
  ['blank lines are passed over', '(f\n (a)\n\n¦ (b))\n', '(f\n (a))\n\n'],
  ['on a line of their own behind comments of the form', '(f\n (a)\n ; why\n¦ (b))\n', '(f\n (a)\n ; why\n)\n'],
  ['closers in the middle of a line', '(f (a\n¦  b) c\n  d)\n', '(f (a)\n  d)\n'],
  ['several lines', '(f\n (a)\n¦ (b\n¦  1)\n¦ (c))\n', '(f\n (a))\n'],
  ['several places', '(f\n (a)\n¦ (b))\n(g\n¦ (c))\n', '(f\n (a))\n(g)\n'],
  ['lines with one between', '(f\n (a)\n¦ (b)\n (c)\n¦ (d))\n', '(f\n (a)\n (c))\n'],
  ['a list that begins there loses its closer', '(f\n¦ (when x\n   (a)\n   (b)) (c))\n', '(f\n   (a)\n   (b) (c))\n'],
  ['a whole definition by its first line', '¦(defun f (x)\n  (a))\n', '  (a)\n'],
  ['the last line of a string', '(f "one\n¦two" x)\n', '(f "one")\n'],
  ['the first line of a string', '(f\n¦ "one\n  two" x)\n', '(f\n  "two" x)\n'],
  ['the end of a block comment', '(f #| one\n¦two |# x)\n', '(f #| one|#)\n'],
  ['a character is no parenthesis', '(f\n (a #\\()\n¦ (b #\\)))\n', '(f\n (a #\\())\n'],
])('Lines are deleted: %s', (_what, drawn, expected) => {
  const { text, lines } = drawnLines(drawn);
  const edits = deletedLines(text, lines);
  expect(edits && edited(text, edits)).toBe(expected);
});

it.each([
  ['whole forms', '(f\n¦ (a)\n (b))\n'],
  ['lines of a string', '(f "a\n¦b )\nc")\n'],
  ['a text that is not balanced', '(f\n (a)\n¦ (b)))\n'],
])('Lines that can go by themselves are left to the editor: %s', (_what, drawn) => {
  const { text, lines } = drawnLines(drawn);
  expect(deletedLines(text, lines)).toBeNull();
});
