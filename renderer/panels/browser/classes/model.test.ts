import { describe, expect, test } from 'vitest';
import { geometryOf, linePath, neighbour } from './geometry.ts';
import { classRows, drawingOf, filteredRows, hierarchyOf } from './model.ts';

/** A graph by the superclasses of each of its classes; those in capitals are not the user's. */
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

describe('drawing of classes', () => {
  test('A class is drawn once, right of all its superclasses, with a line from each [D11]', () => {
    const { classes, lines, columns, rows } = drawingOf(graphOf(SHOP));
    expect(classes.map(({ name }) => name).toSorted()).toEqual(Object.keys(SHOP).toSorted());
    for (const { from, to } of lines) expect(from.column).toBeLessThan(to.column);
    expect(lines).toHaveLength(7);
    expect([columns, rows]).toEqual([4, 3]);
  });

  test('No two classes of a column stand in one row [D11]', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `c${index}`,
        index === 0 ? [] : [`c${Math.floor((index * 7919) % index)}`, ...(index % 5 === 0 ? ['c0'] : [])],
      ]),
    );
    const { classes } = drawingOf(graphOf(wide));
    expect(new Set(classes.map(({ column, row }) => `${column} ${row}`)).size).toBe(300);
  });

  test('A line goes from the right edge of the one to the left edge of the other [D11]', () => {
    const drawing = drawingOf(graphOf({ T: [], a: ['T'] }));
    const geometry = geometryOf(drawing, 2);
    const [from, to] = drawing.classes.map((each) => geometry.boxOf(each));
    expect(linePath(from!, to!)).toBe(`M${from!.left + from!.width} 54H${to!.left - 18}V54H${to!.left}`);
  });

  test('Arrow keys go to the superclass, the subclass, and along the column [D11]', () => {
    const hierarchy = graphOf(SHOP);
    const drawing = drawingOf(hierarchy);
    const at = (name: string) => drawing.classes.find((each) => each.name === name)!;
    const go = (name: string, key: string) => neighbour(drawing, hierarchy, at(name), key);
    expect(go('comic', 'ArrowLeft')).toBe('book');
    expect(go('thing', 'ArrowRight')).toBe('book');
    expect(go('book', 'ArrowDown')).toBe('toy');
    expect(go('toy', 'Home')).toBe('DEEP');
    expect(go('comic', 'ArrowRight')).toBe('comic');
    expect(go('comic', 'x')).toBeNull();
  });
});
