import { describe, expect, test } from 'vitest';
import { classRows, filteredRows, hierarchyOf, linksOf } from './class-tree.ts';

/** Returns a class graph, given the superclasses of each class. Classes with upper-case names are not the user's. */
function graphOf(superclasses: Record<string, string[]>) {
  return hierarchyOf({
    nodes: Object.keys(superclasses).map((name) => ({ name, kind: 'class', user: name !== name.toUpperCase() })),
    edges: Object.entries(superclasses).flatMap(([name, supers]) =>
      supers.map((superclass) => ({ class: name, superclass })),
    ),
  });
}

const SHOP = {
  T: [],
  OTHER: ['T'],
  DEEP: ['OTHER'],
  thing: ['T'],
  book: ['thing'],
  toy: ['thing'],
  comic: ['book', 'toy'],
};

describe('rows of classes', () => {
  test('A class stands below each of its superclasses, open down to the classes of the user [D11]', () => {
    const rows = classRows(graphOf(SHOP), new Map());
    expect(rows.map(({ id, level, expanded }) => [id, level, expanded])).toEqual([
      ['/T', 1, true],
      ['/T/OTHER', 2, false],
      ['/T/thing', 2, true],
      ['/T/thing/book', 3, true],
      ['/T/thing/book/comic', 4, null],
      ['/T/thing/toy', 3, true],
      ['/T/thing/toy/comic', 4, null],
    ]);
  });

  test('A row is open or closed as the person left it, below one superclass and not below another [D11]', () => {
    const rows = classRows(
      graphOf(SHOP),
      new Map([
        ['/T/thing/book', false],
        ['/T/OTHER', true],
      ]),
    );
    expect(rows.map(({ id }) => id)).toEqual([
      '/T',
      '/T/OTHER',
      '/T/OTHER/DEEP',
      '/T/thing',
      '/T/thing/book',
      '/T/thing/toy',
      '/T/thing/toy/comic',
    ]);
  });

  test('A filter lists the classes that have it in their names, once each [D11]', () => {
    expect(filteredRows(graphOf(SHOP), ' O ').map(({ node, level }) => [node.name, level])).toEqual([
      ['OTHER', 1],
      ['book', 1],
      ['comic', 1],
      ['toy', 1],
    ]);
  });
});

test('The links of classes have roots first, and those below and above each [D11]', () => {
  const { names, below, above } = linksOf(graphOf(SHOP));
  expect([names[0], names.length, below.get('thing'), above.get('comic')]).toEqual([
    'T',
    7,
    ['book', 'toy'],
    ['book', 'toy'],
  ]);
});
