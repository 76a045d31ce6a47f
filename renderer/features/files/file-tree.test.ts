import { describe, expect, it } from 'vitest';
import type { ProjectFiles } from '#contract/project.ts';
import { fileRows, leftWords } from './file-tree.ts';

const FILES = ['shop.asd', 'src/cart.lisp', 'src/deep/a10.lisp', 'src/deep/a9.lisp', 'README.md'];

const listed = (parts: Partial<ProjectFiles>): ProjectFiles => ({
  files: FILES,
  linked: [],
  links: [],
  empty: [],
  left: [],
  ...parts,
});

const shown = (
  open: readonly string[],
  filter = '',
  parts: Partial<ProjectFiles> = {},
  newIn: string | null = null,
): string[] =>
  fileRows(listed(parts), { isOpen: (folder) => open.includes(folder), filter, newIn }).map(
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
    const names = fileRows(listed({ left }), { isOpen: (folder) => folder.startsWith('src') }).map(({ name }) => name);
    expect(names.slice(-3)).toEqual(['README.md', 'shop.asd', '… and 1,200 more']);
    expect(names.slice(names.indexOf('far'), names.indexOf('cart.lisp'))).toEqual(['far', '… not listed']);
    expect(leftWords(left)).toBe('At least 1,200 files of 2 folders are not listed.');
    expect(leftWords([{ folder: 'data', count: 45_000 }])).toBe('45,000 files of data are not listed.');
    expect(leftWords([{ folder: 'data', count: 1 }])).toBe('1 file of data is not listed.');
    expect(leftWords([])).toBeNull();
  });

  it('A backslash is a character of a name, since the paths of the list have slashes between folders', () => {
    const rows = fileRows(listed({ files: ['a\\b.lisp', 'src/c\\d.lisp'] }), { isOpen: () => true });
    expect(rows.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['folder src', 'file c\\d.lisp', 'file a\\b.lisp']);
  });

  it('A filter finds files in folders that are closed, by any part of their path', () => {
    expect(shown([], 'CART')).toEqual(['src/', '  cart.lisp']);
    expect(shown([], 'deep/a1')).toEqual(['src/', '  deep/', '    a10.lisp']);
    expect(shown([], 'nothing')).toEqual([]);
  });

  it('Links and empty folders are rows, and a followed link opens like a folder [issue 39.2]', () => {
    const parts: Partial<ProjectFiles> = {
      files: ['a.lisp'],
      linked: ['code/cart.lisp'],
      links: [
        { path: 'code', target: 'src', leads: 'folder' },
        { path: 'vendor', target: '../shared', leads: 'folder outside' },
        { path: 'z.lisp', target: 'a.lisp', leads: 'file' },
      ],
      empty: ['empty/deep'],
    };
    expect(shown(['code', 'empty'], '', parts)).toEqual([
      'code/',
      '  cart.lisp',
      'empty/',
      '  deep/',
      'a.lisp',
      'vendor',
      'z.lisp',
    ]);
    const rows = fileRows(listed(parts), { isOpen: () => false });
    expect(rows.find(({ path }) => path === 'vendor')).toMatchObject({
      label: 'vendor, link to ../shared',
      link: { leads: 'folder outside' },
    });
    expect(shown([], 'shared', parts)).toEqual([]);
    expect(shown([], 'vendor', parts)).toEqual(['vendor']);
  });

  it('A new name is typed in the first row of its folder [issue 39.3]', () => {
    expect(shown(['src'], '', {}, 'src').slice(0, 3)).toEqual(['src/', '  New name', '  deep/']);
    expect(shown([], '', {}, '')[0]).toBe('New name');
    expect(shown([], '', { files: [] }, '')).toEqual(['New name']);
    const [row, next] = fileRows(listed({}), { isOpen: () => false, newIn: '' });
    expect([row!.position, next!.position, row!.siblings]).toEqual([1, 2, 4]);
  });
});
