import { describe, expect, it } from 'vitest';
import { fileRows, leftWords } from './file-tree.ts';

const FILES = ['shop.asd', 'src/cart.lisp', 'src/deep/a10.lisp', 'src/deep/a9.lisp', 'README.md'];

const shown = (open: readonly string[], filter?: string): string[] =>
  fileRows({ files: FILES, left: [] }, (folder) => open.includes(folder), filter).map(
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

  it('A folder says of how many of its files are left out, behind those that are listed', () => {
    const left = [
      { folder: '', count: 1200 },
      { folder: 'src/far', count: null },
    ];
    const names = fileRows({ files: FILES, left }, (folder) => folder.startsWith('src')).map(({ name }) => name);
    expect(names.slice(-3)).toEqual(['README.md', 'shop.asd', '… and 1,200 more']);
    expect(names.slice(names.indexOf('far'), names.indexOf('cart.lisp'))).toEqual(['far', '… not listed']);
    expect(leftWords(left)).toBe('At least 1,200 files of 2 folders are not listed.');
    expect(leftWords([{ folder: 'data', count: 45_000 }])).toBe('45,000 files of data are not listed.');
    expect(leftWords([{ folder: 'data', count: 1 }])).toBe('1 file of data is not listed.');
    expect(leftWords([])).toBeNull();
  });

  it('A backslash is a character of a name, since the paths of the list have slashes between folders', () => {
    const rows = fileRows({ files: ['a\\b.lisp', 'src/c\\d.lisp'], left: [] }, () => true);
    expect(rows.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['folder src', 'file c\\d.lisp', 'file a\\b.lisp']);
  });

  it('A filter finds files in folders that are closed, by any part of their path', () => {
    expect(shown([], 'CART')).toEqual(['src/', '  cart.lisp']);
    expect(shown([], 'deep/a1')).toEqual(['src/', '  deep/', '    a10.lisp']);
    expect(shown([], 'nothing')).toEqual([]);
  });
});
