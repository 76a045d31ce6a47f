import { describe, expect, it } from 'vitest';
import type { Problem } from './problems.ts';
import { fileWords, problemRows } from './problem-rows.ts';

describe('rows of problems', () => {
  const problem = (file: string | null): Problem => {
    const place = { file, line: 1, column: 1, context: null, elsewhere: false };
    return { id: `${file}`, severity: 'warning', message: 'unused', type: 'WARNING', ...place };
  };

  it('Files of the project are told from its folder on, others by their whole path', () => {
    const files = ['/home/me/shop/shop.asd', '/home/me/shop/src/cart.lisp', '/home/me/shop-old/a.lisp', null];
    expect(files.map((file) => fileWords(file, '/home/me/shop'))).toEqual([
      { title: 'shop.asd', folder: '' },
      { title: 'cart.lisp', folder: 'src' },
      { title: 'a.lisp', folder: '/home/me/shop-old' },
      { title: 'Unknown location', folder: '' },
    ]);
    expect(fileWords('/home/me/shop/src/cart.lisp', null)).toEqual({ title: 'cart.lisp', folder: '/home/me/shop/src' });
    const [head] = problemRows([problem('/home/me/shop/src/cart.lisp')], new Set(), '/home/me/shop');
    expect(head).toMatchObject({ label: 'cart.lisp src 1', file: '/home/me/shop/src/cart.lisp' });
  });
});
