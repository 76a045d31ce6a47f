import { describe, expect, it } from 'vitest';
import { definitionKey } from '../panels/definitions/model.ts';
import { matchTitle, paletteItems, type PaletteSources } from './palette-items.ts';

const sources: PaletteSources = {
  commands: [
    { id: 'a', title: 'Restart Image…', detail: () => 'loses 3 definitions that no file has', run: () => undefined },
    { id: 'b', title: 'REPL: Focus', keys: 'Ctrl+`', run: () => undefined },
    { id: 'c', title: 'Interrupt Evaluation', when: () => 'while something is evaluated', run: () => undefined },
  ],
  states: new Map([[definitionKey('SHOP', { kind: 'function', name: 'RESTORE-CART' }), 'changed-in-image']]),
  definitions: new Map([
    [
      'SHOP',
      {
        package: 'SHOP',
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
  systems: [{ name: 'alexandria', loaded: true, version: '1.4', file: null, origin: 'registry', broken: null }],
};
const titles = (text: string): string[] => paletteItems(text, sources).map((item) => `${item.section} ${item.title}`);

describe('D15 the palette', () => {
  it('lists commands and definitions together', () => {
    expect(titles('re')).toEqual([
      'Commands Restart Image…',
      'Commands REPL: Focus',
      'Definitions restore-cart',
      'Definitions read-product',
    ]);
  });

  it('keeps to one kind by its first character', () => {
    expect([titles('>re'), titles('@rest'), titles('#alex'), titles('(+ 1 2)')]).toEqual([
      ['Commands Restart Image…', 'Commands REPL: Focus'],
      ['Definitions restore-cart'],
      ['Systems alexandria'],
      ['Evaluate (+ 1 2)'],
    ]);
  });

  it('keeps commands that cannot run now, and says when they can', () => {
    expect(paletteItems('inter', sources)[0]).toMatchObject({
      disabled: 'while something is evaluated',
      detail: 'only while something is evaluated',
    });
  });

  it('tells where a definition is and which agent made it', () => {
    expect(paletteItems('@restore', sources)[0]).toMatchObject({
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
  ])('%s for %s', (title, wanted, score) => {
    expect(matchTitle(title, wanted)?.score ?? null).toBe(score);
  });
});
