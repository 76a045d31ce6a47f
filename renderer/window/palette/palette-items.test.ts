import { describe, expect, it } from 'vitest';
import { definitionKey } from '../../features/definitions/definition-rows.ts';
import { moreWords } from '../../features/files/file-items.ts';
import { matchTitle } from '../../base/palette/match-title.ts';
import { paletteItems, type PaletteSources } from './palette-items.ts';

const sources: PaletteSources = {
  folder: '/x',
  commands: [
    {
      id: 'a',
      title: 'Restart Image…',
      detail: () => 'loses 3 definitions that are not in a file',
      run: () => undefined,
    },
    { id: 'b', title: 'REPL: Focus', keys: 'Ctrl+`', run: () => undefined },
    { id: 'c', title: 'Interrupt Evaluation', when: () => 'while something is evaluated', run: () => undefined },
  ],
  states: new Map([[definitionKey('SHOP', { kind: 'function', name: 'RESTORE-CART' }), 'changed-in-image']]),
  definitions: new Map([
    [
      'SHOP',
      {
        package: 'SHOP',
        more: 0,
        definitions: [
          {
            kind: 'function',
            name: 'RESTORE-CART',
            lambdaList: '(CART)',
            value: null,
            documentation: null,
            source: { file: '/x/cart.lisp', offset: 3, line: 30 },
            actor: 'client:1',
            event: null,
            evaluation: null,
            time: null,
          },
          {
            kind: 'function',
            name: 'READ-PRODUCT',
            lambdaList: '()',
            value: null,
            documentation: null,
            source: null,
            actor: null,
            event: null,
            evaluation: null,
            time: null,
          },
        ],
      },
    ],
  ]),
  openFiles: [
    { id: '1', title: 'cart.lisp', path: '/x/src/cart.lisp' },
    { id: '2', title: 'New file', path: null },
  ],
  outline: [
    { operator: 'defun', name: 'total', named: 8 },
    { operator: 'defvar', name: '*total*', named: 40 },
  ],
  recent: { folders: ['/x/other', '/y/shop'], files: ['/z/notes.lisp', '/x/src/deep/cart-items.lisp'] },
  recentInProject: ['src/deep/cart-items.lisp', 'gone.lisp'],
  files: ['src/shop.lisp', 'src/deep/cart-items.lisp', 'README.md'],
  systems: [
    { name: 'alexandria', loaded: true, changed: 0, version: '1.4', file: null, origin: 'registry', broken: null },
  ],
};
const titles = (text: string): string[] =>
  paletteItems(text, sources).items.map((item) => `${item.section} ${item.title}`);

describe('palette', () => {
  it('Files that were shown lately come first, and those that are gone do not', () => {
    expect(titles('/')).toEqual(['Files cart-items.lisp', 'Files shop.lisp', 'Files README.md']);
    expect(titles('/sh')[0]).toBe('Files shop.lisp');
  });

  it('Folders and files that were open lately are found by their names, the latest first', () => {
    expect(titles('~')).toEqual([
      'Recent folders other',
      'Recent folders shop',
      'Recent files notes.lisp',
      'Recent files cart-items.lisp',
    ]);
    expect(titles('~ca')).toEqual(['Recent files cart-items.lisp']);
    expect(paletteItems('~shop', sources).items[0]).toMatchObject({ detail: '/y', target: { folder: '/y/shop' } });
    expect(paletteItems('~notes', sources).items[0]).toMatchObject({ detail: '/z', target: { path: '/z/notes.lisp' } });
  });

  it('The palette lists commands and definitions together [D15]', () => {
    expect(titles('re')).toEqual([
      'Commands Restart Image…',
      'Commands REPL: Focus',
      'Definitions restore-cart',
      'Definitions read-product',
    ]);
  });

  it('The palette keeps to one kind by its first character [D15]', () => {
    expect([titles('>re'), titles('@rest'), titles('#alex'), titles('(+ 1 2)')]).toEqual([
      ['Commands Restart Image…', 'Commands REPL: Focus'],
      ['Definitions restore-cart'],
      ['Systems alexandria'],
      ['Evaluate (+ 1 2)'],
    ]);
  });

  it('Files are found by the letters of their names or paths, the definitions of the shown file in its order [D15]', () => {
    expect(titles('/cart')).toEqual(['Files cart-items.lisp']);
    expect(titles('/sdci')).toEqual(['Files cart-items.lisp']);
    expect(titles(':')).toEqual(['In this file total', 'In this file *total*']);
    expect(titles(':*')).toEqual(['In this file *total*']);
  });

  it('A file is found with the line and the column that are typed behind its name', () => {
    const placed = (text: string) =>
      paletteItems(text, sources).items.map(({ detail, target }) => ({ detail, target }));
    const file = 'src/shop.lisp';
    expect(placed('/shop.lisp:120')).toEqual([
      { detail: 'src, line 120', target: { file, place: { line: 120, column: 1 } } },
    ]);
    expect(placed('/shop:1200:5')).toEqual([
      { detail: 'src, line 1,200, column 5', target: { file, place: { line: 1200, column: 5 } } },
    ]);
    expect(placed('/shop:0')[0]).toMatchObject({ target: { place: { line: 1, column: 1 } } });
    expect(placed('/shop:')).toEqual([{ detail: 'src', target: { file } }]);
    expect(paletteItems('/a:12', { ...sources, files: ['notes/a:12'] }).items[0]!.target).toEqual({
      file: 'notes/a:12',
    });
  });

  it('Every file is searched, the best are listed, and how many more fit is told', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `big/file-${index}.lisp`);
    const found = (text: string) =>
      paletteItems(text, { ...sources, files: [...many, 'circuit-a.lisp', 'cart-in.lisp'] });
    expect(found('/file-19999').items.map(({ title }) => title)).toEqual(['file-19999.lisp']);
    expect(found('/file')).toMatchObject({ items: { length: 60 }, more: 19_940 });
    expect(found('/')).toMatchObject({ items: { length: 60 }, more: 19_942 });
    expect(found('/cinl').items.map(({ title }) => title)).toEqual(['cart-in.lisp']);
    expect(found('/cia').items[0]!.title).toBe('circuit-a.lisp');
    expect([moreWords(0), moreWords(1), moreWords(19_940)]).toEqual([
      null,
      '1 more file matches: type more of the name.',
      '19,940 more files match: type more of the name.',
    ]);
  });

  it('The palette keeps commands that cannot run now, and says when they can [D15]', () => {
    expect(paletteItems('inter', sources).items[0]).toMatchObject({
      disabled: 'while something is evaluated',
      detail: 'only while something is evaluated',
    });
  });

  it('The palette tells where a definition is and which agent made it [D15]', () => {
    expect(paletteItems('@restore', sources).items[0]).toMatchObject({
      detail: 'cart.lisp:30',
      agent: 'client:1',
      state: 'changed-in-image',
      letter: 'ƒ',
    });
  });

  it.each<[string, string, number | null]>([
    ['REPL: Focus', 're', 0],
    ['Theme: Dark', 'dark', 1],
    ['Interrupt', 'err', 2],
    ['Open Folder', 'opf', 3],
    ['Open Folder', 'xyz', null],
  ])('The title %s is matched for %s with the score %s [D15]', (title, wanted, score) => {
    expect(matchTitle(title, wanted)?.score ?? null).toBe(score);
  });
});

it('Open files are listed in their order after %, and narrowed by their names', () => {
  const listed = (text: string) =>
    paletteItems(text, sources).items.map(({ title, detail, target }) => ({ title, detail, target }));
  expect(listed('%')).toEqual([
    { title: 'cart.lisp', detail: '/x/src', target: { buffer: '1' } },
    { title: 'New file', detail: null, target: { buffer: '2' } },
  ]);
  expect(listed('%new').map(({ title }) => title)).toEqual(['New file']);
});

it('The definitions of the folder stand before those of libraries, and scattered letters come last [D15]', () => {
  const [restore] = sources.definitions.get('SHOP')!.definitions;
  const from = (name: string, file: string | null) => ({
    ...restore!,
    name,
    actor: null,
    source: file === null ? null : { file, offset: 0, line: 1 },
  });
  const definitions = new Map([
    ['LIB', { package: 'LIB', more: 0, definitions: [from('SUM', '/lib/sum.lisp'), from('SUMMARY', '/xx/lib.lisp')] }],
    [
      'SHOP',
      {
        package: 'SHOP',
        more: 0,
        definitions: [from('CART-SUM', '/x/src/cart.lisp'), from('SHOP-UNIT-MAP', '/x/src/shop.lisp')],
      },
    ],
  ]);
  const names = paletteItems('@sum', { ...sources, definitions }).items.map(({ title }) => title);
  expect(names).toEqual(['cart-sum', 'sum', 'summary', 'shop-unit-map']);
});
