import { expect, it } from 'vitest';
import { restOfLine } from '../../base/text/emacs-text.ts';
import { killableLine } from './kill-line.ts';

it.each([
  ['(a ¦(b c) d)\n(e)', '(b c) d'],
  ['(a ¦(b\n c) d)\n(e)', '(b\n c)'],
  ['(a ¦b)\nc', 'b'],
  ['(a (b ¦c d))', 'c d'],
  ['(a b¦)\nc', null],
  ['¦(a\n b)\nc', '(a\n b)'],
  ['(a "b ¦c d" e)\n', 'c d'],
  ['(a "b ¦c\nd" e)\n', 'c'],
  ['(a "b¦" e)', null],
  ['(a fo¦o) b', 'o'],
  ['a ¦b ; c (\nd', 'b ; c ('],
  ['(a¦\n b)', '\n'],
  ['(a ¦b', 'b'],
])('In %j the rest of the line that can go is %j', (drawn, expected) => {
  const text = drawn.replace('¦', '');
  const span = killableLine(text, restOfLine(text, drawn.indexOf('¦')));
  expect(span === null ? null : text.slice(span.start, span.end)).toBe(expected);
});
