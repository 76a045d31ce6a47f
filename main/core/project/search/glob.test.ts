import { expect, it } from 'vitest';
import { globMatcher } from './glob.ts';

it.each([
  ['*.lisp', 'src/shop.lisp', true],
  ['*.lisp', 'src/shop.lisp.bak', false],
  ['sh?p.lisp', 'shop.lisp', true],
  ['src/*.lisp', 'src/shop.lisp', true],
  ['src/*.lisp', 'src/deep/shop.lisp', false],
  ['src/?shop.lisp', 'src//shop.lisp', false],
  ['src/**/*.lisp', 'src/shop.lisp', true],
  ['src/**/*.lisp', 'src/very/deep/shop.lisp', true],
  ['src/**/*.lisp', 'srcs/shop.lisp', false],
  ['**/test/*.lisp', 'contest/a.lisp', false],
  ['src/**', 'src/very/deep/shop.lisp', true],
  ['src/**', 'source/shop.lisp', false],
  ['a.b(c)[d]*', 'x/a.b(c)[d]+', true],
  ['a.lisp', 'ablisp', false],
  ['λ?.lisp', 'λ😀.lisp', true],
  ['*', 'anything', true],
])('The pattern %s about %s is %s', (glob, file, expected) => {
  expect(globMatcher(glob)(file)).toBe(expected);
});

it('A pattern with many stars is not tried for ever [K6]', () => {
  expect(globMatcher(`${'*a'.repeat(90)}b`)('a'.repeat(200))).toBe(false);
  expect(globMatcher(`${'**/'.repeat(60)}x.lisp`)(`${'a/'.repeat(100)}y.lisp`)).toBe(false);
});
