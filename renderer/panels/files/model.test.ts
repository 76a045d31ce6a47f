import { describe, expect, it } from 'vitest';
import { fileRows } from './model.ts';

const FILES = ['shop.asd', 'src/cart.lisp', 'src/deep/a10.lisp', 'src/deep/a9.lisp', 'README.md'];

const shown = (open: readonly string[], filter?: string): string[] =>
  fileRows(FILES, (folder) => open.includes(folder), filter).map(
    ({ name, level, expanded }) => `${'  '.repeat(level - 1)}${name}${expanded === null ? '' : '/'}`,
  );

describe('rows of the file tree', () => {
  it('Folders come first, and only what is in an open one is shown', () => {
    expect(shown([])).toEqual(['src/', 'README.md', 'shop.asd']);
    expect(shown(['src', 'src/deep'])).toEqual([
      'src/',
      '  deep/',
      '    a9.lisp',
      '    a10.lisp',
      '  cart.lisp',
      'README.md',
      'shop.asd',
    ]);
  });

  it('A filter finds files in folders that are closed, by any part of their path', () => {
    expect(shown([], 'CART')).toEqual(['src/', '  cart.lisp']);
    expect(shown([], 'deep/a1')).toEqual(['src/', '  deep/', '    a10.lisp']);
    expect(shown([], 'nothing')).toEqual([]);
  });
});
