import { describe, expect, it } from 'vitest';
import { distinguishing } from './tab-titles.ts';

const text = (path: string | null, title = path?.split('/').at(-1) ?? 'untitled.lisp') => ({
  id: path ?? title,
  path,
  title,
});

describe('titles of tabs', () => {
  it('Files of one name are told apart by the shortest end of their folders', () => {
    expect(
      Object.fromEntries(
        distinguishing([
          text('/a/shop/src/api.lisp'),
          text('/a/cart/src/api.lisp'),
          text('/a/cart/other.lisp'),
          text('/b/api.lisp'),
        ]),
      ),
    ).toEqual({
      '/a/shop/src/api.lisp': 'shop/src',
      '/a/cart/src/api.lisp': 'cart/src',
      '/b/api.lisp': 'b',
    });
  });

  it('A text without a file, or alone with its name, needs nothing more', () => {
    expect(distinguishing([text(null), text('/a/untitled.lisp'), text('/a/b.lisp')])).toEqual(
      new Map([['/a/untitled.lisp', 'a']]),
    );
  });
});
