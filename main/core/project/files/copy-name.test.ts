import { describe, expect, it } from 'vitest';
import { freeCopyName } from './copy-name.ts';

describe('the name of a copy', () => {
  it.each([
    ['cart.lisp', [], 'cart-copy.lisp'],
    ['cart.lisp', ['cart-copy.lisp'], 'cart-copy-2.lisp'],
    ['cart-copy.lisp', ['cart-copy.lisp'], 'cart-copy-2.lisp'],
    ['cart.lisp', ['Cart-Copy.LISP'], 'cart-copy-2.lisp'],
    ['Makefile', [], 'Makefile-copy'],
    ['.envrc', [], '.envrc-copy'],
    ['a.tar.gz', [], 'a.tar-copy.gz'],
    ['a [*].lisp', [], 'a [*]-copy.lisp'],
  ])('The copy of %s beside %j is %s [issue 39.3]', (name, taken, copy) =>
    expect(freeCopyName(name, new Set(taken), false)).toBe(copy),
  );

  it('A folder keeps a dot in its name [issue 39.3]', () =>
    expect(freeCopyName('v1.2', new Set(['v1.2-copy']), true)).toBe('v1.2-copy-2'));
});
