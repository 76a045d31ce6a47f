import { expect, it } from 'vitest';
import { edited, type LineEdit, type Span } from './edits.ts';
import { copiedLines, swappedLines } from './swap-lines.ts';

/** Returns the text of a drawing without its marks, and the block of lines that begin with `¦`. */
function drawn(drawing: string): { text: string; lines: Span } {
  const rows = drawing.split('\n');
  const at = (row: number): number =>
    rows.slice(0, row).reduce((length, each) => length + each.replace('¦', '').length + 1, 0);
  const first = rows.findIndex((row) => row.startsWith('¦'));
  const last = rows.findLastIndex((row) => row.startsWith('¦'));
  return { text: drawing.replaceAll('¦', ''), lines: { start: at(first), end: at(last + 1) - 1 } };
}

function result(text: string, effect: LineEdit): string {
  return typeof effect === 'string' ? effect : edited(text, effect);
}

function movedDown(drawing: string): string {
  const { text, lines } = drawn(drawing);
  const end = text.indexOf('\n', lines.end + 1);
  const lower = { start: lines.end + 1, end: end < 0 ? text.length : end };
  return result(text, swappedLines(text, lines, lower, 'upper'));
}

function movedUp(drawing: string): string {
  const { text, lines } = drawn(drawing);
  const upper = { start: text.lastIndexOf('\n', lines.start - 2) + 1, end: lines.start - 1 };
  return result(text, swappedLines(text, upper, lines, 'lower'));
}

it.each([
  ['to the end of its form', '(f\n¦ (a)\n (b))\n', '(f\n (b)\n (a))\n'],
  ['in front of a comment', '(f\n¦ (a) ; one\n (b)) ; two\n', '(f\n (b) ; two\n (a)) ; one\n'],
  ['out of its form', '(f\n (a)\n¦ (b))\n(c)\n', '(f\n (a))\n(c)\n (b)\n'],
  ['out of one form, at the end of the next', '(f (g\n (a)\n¦ (b))\n (c))\n', '(f (g\n (a))\n (c)\n (b))\n'],
  ['into a form', '(f\n¦ (a)\n (when b\n  (c)))\n', 'plain'],
  ['past a closer on a line of its own', '(f\n¦ (a)\n)\n', 'plain'],
  ['a form without its end', '¦(f\n (a))\n(b)', 'unbalancing'],
  ['in a text that is not balanced', '(f\n¦ (a)\n (b)))\n', 'plain'],
])('A line moves down %s', (_where, drawing, expected) => {
  expect(movedDown(drawing)).toBe(expected);
});

it.each([
  ['from the end of its form', '(f\n (a)\n¦ (b))\n', '(f\n (b)\n (a))\n'],
  ['into a form', '(f\n (a))\n¦(b)\n', 'plain'],
  ['into a form at the end of another', '(f (g\n (a))\n¦ (b))\n', '(f (g\n (b)\n (a)))\n'],
  ['with others', '(f\n (a)\n¦ (b)\n¦ (c))\n', '(f\n (b)\n (c)\n (a))\n'],
])('A line moves up %s', (_where, drawing, expected) => {
  expect(movedUp(drawing)).toBe(expected);
});

it.each([
  ['(f\n (a)\n¦ (b))\n', '(f\n (a)\n (b)\n (b))\n'],
  ['(f\n¦ (a)\n (b))\n', 'plain'],
  ['(f\n¦ (when x\n  (b)))\n', 'unbalancing'],
])('The copy of lines in %j', (drawing, expected) => {
  const { text, lines } = drawn(drawing);
  expect(result(text, copiedLines(text, lines))).toBe(expected);
});
