import { expect, it } from 'vitest';
import type { CrossReference } from '#contract/image/introspection.ts';
import { callersInWords } from './edit-check.ts';
import { readingFault } from '../replies/reading-fault.ts';

const caller = (name: string, file: string | null = '/p/src/cart.lisp'): CrossReference => ({
  kind: 'function',
  name,
  source: file === null ? null : { file, offset: 0, line: 1 },
  end: null,
  snippet: null,
  evaluation: null,
  actor: null,
  why: null,
});

it('The card of an edit names the first callers, counts the others and the tests, and leaves out what is changed itself [D13]', () => {
  const words = (...callers: CrossReference[]): string => callersInWords(callers, ['total']);
  expect(words(caller('SHOP::PAY'))).toBe('pay');
  expect(words(caller('SHOP::PAY'), caller('SHOP::PAY'), caller('SHOP::TOTAL'))).toBe('pay');
  expect(words(caller('SHOP::PAY'), caller('SHOP/TESTS::PAYS'))).toBe('pay and 1 test');
  expect(words(caller('A'), caller('B', '/p/tests/b.lisp'), caller('C', '/p/src/cart-test.lisp'))).toBe(
    'a and 2 tests',
  );
  expect(words(caller('CONTEST', '/p/src/latest.lisp'))).toBe('contest');
  expect(words(...['A', 'B', 'C', 'D', 'E'].map((name) => caller(name, null)))).toBe('a, b, c and 2 more');
  expect(words()).toBe('');
});

it.each([
  ['(a)\n(b)', null],
  ['(a)\n(b))', 'Line 2, column 4: This closing parenthesis has no matching opening one. Delete it.'],
  ['(a)\n(b\n(c)', 'Line 2, column 1: (b is never closed. Insert ) at the end of line 2.'],
  ['(a)\n#|', 'Line 2, column 3: The text ends within a comment.'],
])('The text %j reads, or its fault is told with its line [D13]', (text, fault) => {
  expect(readingFault(text)).toBe(fault);
});
