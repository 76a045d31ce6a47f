import { describe, expect, it } from 'vitest';
import type { InspectedPart } from '#contract/image/inspection.ts';
import { changedLabels, compareParts } from './compare.ts';
import { linePath, shortNumber, ticks } from './plotting.ts';
import { changeOpened, countRows, type Opened, openedAt, type OpenedParts, placeOf, rowOf } from './part-rows.ts';

const part = (label: string, text = label): InspectedPart => ({
  label,
  text,
  type: 'T',
  state: 'value',
  handle: 1,
  keyHandle: null,
  editable: true,
  path: 2,
  group: null,
  note: null,
});
const open = (count: number, total = count, opened: OpenedParts = new Map()): Opened => ({
  parts: Array.from({ length: count }, (_, index) => part(String(index))),
  total,
  opened,
});

describe('rows of an object', () => {
  const opened: OpenedParts = new Map([
    [2, open(2, 2, new Map([[1, open(1, 5)]]))],
    [999_999, { parts: null, total: 0, opened: new Map() }],
  ]);

  it('A row is found among a million by its index, also within what is open [D7]', () => {
    expect(countRows(1_000_000, opened)).toBe(1_000_005);
    const places = [0, 2, 3, 4, 5, 6, 7, 1_000_003, 1_000_004].map((row) => {
      const { kind, path } = placeOf(row, opened);
      return `${kind} ${path.join('/')}`;
    });
    expect(places).toEqual([
      'part 0',
      'part 2',
      'part 2/0',
      'part 2/1',
      'part 2/1/0',
      'more 2/1',
      'part 3',
      'part 999999',
      'waiting 999999',
    ]);
    expect(placeOf(6, opened)).toEqual({ kind: 'more', path: [2, 1], count: 4 });
  });

  it('The row of each shown part leads back to the part', () => {
    const places = Array.from({ length: 20 }, (_, row) => ({ row, place: placeOf(row, opened) }));
    const parts = places.filter(({ place }) => place.kind === 'part');
    expect(parts.map(({ place }) => rowOf(place.path, opened))).toEqual(parts.map(({ row }) => row));
    expect(rowOf([2, 1, 0], new Map())).toBe(2);
  });

  it('Parts are opened and closed at any depth', () => {
    const deeper = changeOpened(opened, [2, 0], () => open(3));
    expect(openedAt(deeper, [2, 0])?.total).toBe(3);
    expect(
      countRows(
        10,
        changeOpened(deeper, [2], () => null),
      ),
    ).toBe(11);
    expect(changeOpened(opened, [7, 1], () => open(1)).get(7)).toBeUndefined();
    expect(openedAt(opened, [5, 5])).toBeUndefined();
  });
});

describe('comparison', () => {
  it('Two objects are compared by the labels of their parts, with what one has alone', () => {
    const compared = compareParts([part('a', '1'), part('b', '2')], [part('b', '3'), part('a', '1'), part('c')]);
    expect(compared.map(({ label, here, there, equal }) => [label, here?.text, there?.text, equal])).toEqual([
      ['a', '1', '1', true],
      ['b', '2', '3', false],
      ['c', undefined, 'c', false],
    ]);
  });

  it('Parts have changed that print otherwise than before; new ones have not', () => {
    expect(changedLabels([part('a', '1'), part('b', '2')], [part('a', '1'), part('b', '3'), part('c')])).toEqual(
      new Set(['b']),
    );
  });
});

describe('plot', () => {
  it('Axes have round numbers within the range', () => {
    expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(ticks(-0.3, 0.3, 3)).toEqual([-0.2, 0, 0.2]);
    expect(ticks(5, 5, 4)).toEqual([5]);
  });

  it('The line goes up where the numbers do, and a constant lies in the middle', () => {
    const points = [
      { index: 0, value: 0 },
      { index: 1, value: 10 },
    ];
    const across = { from: 0, to: 1, size: 100 };
    expect(linePath(points, across, { from: 0, to: 10, size: 50 })).toBe('M0.0 50.0L100.0 0.0');
    expect(linePath(points.slice(0, 1), across, { from: 0, to: 0, size: 50 })).toBe('M0.0 25.0');
  });

  it('Numbers of an axis are short', () => {
    expect([0, 1234.5678, 12_000_000, 0.00001, -2].map(shortNumber)).toEqual(['0', '1234.57', '1.2e7', '1.0e-5', '-2']);
  });
});
