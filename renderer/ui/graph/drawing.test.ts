import { describe, expect, test } from 'vitest';
import { drawingOf, type Links, placesIn } from './drawing.ts';
import { geometryOf, linePath, neighbour } from './geometry.ts';

/** Returns the links of a graph, given the names above each name. */
function linksOf(above: Record<string, string[]>): Links {
  const names = Object.keys(above);
  const under = (name: string): string[] => names.filter((each) => above[each]!.includes(name)).toSorted();
  return {
    names,
    above: new Map(Object.entries(above)),
    below: new Map(names.map((name) => [name, under(name)] as const).filter(([, those]) => those.length > 0)),
  };
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

describe('drawings', () => {
  test('A name is drawn once, right of all that stand above it, with a line from each [D11]', () => {
    const { boxes, lines, columns, rows } = drawingOf(linksOf(SHOP));
    expect(boxes.map(({ name }) => name).toSorted()).toEqual(Object.keys(SHOP).toSorted());
    for (const { from, to } of lines) expect(from.column).toBeLessThan(to.column);
    expect(lines).toHaveLength(7);
    expect([columns, rows]).toEqual([4, 3]);
  });

  test('Each thing has its place in its column, counted from the top, for a screen reader [D17]', () => {
    const { boxes } = drawingOf(linksOf(SHOP));
    const places = placesIn(boxes);
    const downwards = boxes.toSorted((one, other) => one.column - other.column || one.row - other.row);
    const told = downwards.map((each) => `${each.column}: ${places.get(each)!.place} of ${places.get(each)!.of}`);
    expect(told).toEqual(['0: 1 of 1', '1: 1 of 2', '1: 2 of 2', '2: 1 of 3', '2: 2 of 3', '2: 3 of 3', '3: 1 of 1']);
  });

  test('No two boxes of a column stand in one row [D11]', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `c${index}`,
        index === 0 ? [] : [`c${((index * 7919) % 1009) % index}`, ...(index % 5 === 0 ? ['c0'] : [])],
      ]),
    );
    const { boxes } = drawingOf(linksOf(wide));
    expect(new Set(boxes.map(({ column, row }) => `${column} ${row}`)).size).toBe(300);
  });

  test('A line goes from the right edge of the one to the left edge of the other [D11]', () => {
    const drawing = drawingOf(linksOf({ T: [], a: ['T'] }));
    const geometry = geometryOf(drawing, (name) => name, 2);
    const [from, to] = drawing.boxes.map((each) => geometry.boxOf(each));
    expect(linePath(from!, to!)).toBe(`M${from!.left + from!.width} 54H${to!.left - 18}V54H${to!.left}`);
  });

  test('Arrow keys go to what is above, to what is below, and along the column [D11]', () => {
    const links = linksOf(SHOP);
    const drawing = drawingOf(links);
    const at = (name: string) => drawing.boxes.find((each) => each.name === name)!;
    const go = (name: string, key: string) => neighbour(drawing, links, at(name), key);
    expect(go('comic', 'ArrowLeft')).toBe('book');
    expect(go('thing', 'ArrowRight')).toBe('book');
    expect(go('book', 'ArrowDown')).toBe('toy');
    expect(go('toy', 'Home')).toBe('DEEP');
    expect(go('comic', 'ArrowRight')).toBe('comic');
    expect(go('comic', 'x')).toBeNull();
  });

  test('A circle, and what hangs on it, is drawn all the same', () => {
    const { boxes, lines } = drawingOf(linksOf({ a: ['b'], b: ['a'], c: ['b'] }));
    expect(boxes.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(lines).toHaveLength(3);
  });
});
