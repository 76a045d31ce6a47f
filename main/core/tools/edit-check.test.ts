import { expect, it } from 'vitest';
import type { CrossReference } from '#contract/introspection.ts';
import { callersInWords } from './edit-check.ts';
import { readingFault } from './reading-fault.ts';

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

it('D13 names the first callers, counts the others and the tests, and leaves out what is changed itself', () => {
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
  ['(a)\n(b))', 'a closing parenthesis too many in line 2'],
  ['(a)\n(b\n(c)', 'the form in line 2 is never closed'],
  ['(a)\n#|', 'the text ends within a comment, in line 2'],
])('D13 %j reads, or what is wrong is told with its line', (text, fault) => {
  expect(readingFault(text)).toBe(fault);
});
