import { expect, it } from 'vitest';
import { wordPastDelimiters } from './delete-word.ts';

it.each([
  ['(foo (bar baz))¦', 'left', 'baz'],
  ['(foo "some words" )¦', 'left', 'words'],
  ['(foo (¦bar))', 'left', 'foo'],
  ['(foo\n (¦bar))', 'left', null],
  ['(foo #\\))¦', 'left', null],
  ['¦((foo) bar)', 'right', 'foo'],
  ['(foo¦) "bar baz"', 'right', 'bar'],
  ['(foo¦)\n(bar)', 'right', null],
] as const)('In %j the word past the delimiters to the %s is %j', (drawn, direction, expected) => {
  const text = drawn.replace('¦', '');
  const span = wordPastDelimiters(text, drawn.indexOf('¦'), direction);
  expect(span && text.slice(span.start, span.end)).toBe(expected);
});
