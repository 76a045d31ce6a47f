import { expect, it } from 'vitest';
import { classRows, generationWords, heldRows, type Order } from './memory-rows.ts';

const types = [
  { type: 'CONS', count: 900, bytes: 14_400 },
  { type: 'SHOP::ORDER', count: 500, bytes: 16_000 },
  { type: 'SHOP::CART', count: 1, bytes: 32 },
  { type: 'SHOP::CART', count: 2, bytes: 64 },
];
const labels = (order: Order, more: Partial<Parameters<typeof classRows>[1]> = {}) =>
  classRows(types, { moment: null, filter: '', order, all: false, ...more }).map(({ label }) => label);

it('Classes are sorted by name, objects or bytes, and those of one name are one row [D11]', () => {
  expect(labels('count')).toEqual(['CONS, 900, 14.4 kB', 'SHOP::ORDER, 500, 16.0 kB', 'SHOP::CART, 3, 96 B']);
  expect(labels('bytes')[0]).toBe('SHOP::ORDER, 500, 16.0 kB');
  expect(labels('type').map((label) => label.split(',')[0])).toEqual(['CONS', 'SHOP::CART', 'SHOP::ORDER']);
});

it('A class is told in words, too, with what it grew by since the moment of comparison [D11]', () => {
  const hints = (moment: Parameters<typeof classRows>[1]['moment']) =>
    classRows(types, { moment, filter: 'order', order: 'bytes', all: false }).map((row) =>
      row.kind === 'class' ? row.hint : row.label,
    );
  expect(hints(null)).toEqual(['500 objects of 16.0 kB in total']);
  expect(hints({ at: 0, types: [] })).toEqual(['500 objects of 16.0 kB in total, +500 since then']);
});

it('Classes are filtered by a part of their name in any case [D11]', () => {
  expect(labels('bytes', { filter: ' order ' })).toEqual(['SHOP::ORDER, 500, 16.0 kB']);
});

it('Classes are compared with a moment, also those that are gone since [D11]', () => {
  const before = [
    { type: 'CONS', count: 1000, bytes: 16_000 },
    { type: 'SHOP::GUEST', count: 1, bytes: 48 },
  ];
  expect(labels('moreObjects', { moment: { at: 0, types: before } })).toEqual([
    'SHOP::ORDER, 500, 16.0 kB, +500, +16.0 kB',
    'SHOP::CART, 3, 96 B, +3, +96 B',
    'SHOP::GUEST, 0, 0 B, −1, −48 B',
    'CONS, 900, 14.4 kB, −100, −1.6 kB',
  ]);
});

it('The first 100 classes are listed, with a row that leads to the others [D11]', () => {
  const many = Array.from({ length: 1350 }, (_, index) => ({ type: `C${index}`, count: 1, bytes: 16 }));
  const shown = { moment: null, filter: '', order: 'bytes', all: false } as const;
  const rows = classRows(many, shown);
  expect([rows.length, rows.at(-1)?.label, rows.at(-1)?.position]).toEqual([101, 'Show 1,250 more', 101]);
  expect(classRows(many, { ...shown, all: true })).toHaveLength(1350);
});

const order = { text: '#S(ORDER :ID 1)', type: 'ORDER', handle: 4 };

it('An object has the paths below it on which it is reached, step by step, once it is opened [D11]', () => {
  const path = { root: 'the symbol *ORDERS*', steps: [{ ...order, text: '*ORDERS*', slot: 'value', handle: 5 }] };
  const rows = (...given: Parameters<typeof heldRows>) =>
    heldRows(...given).map(({ kind, level, label, expanded }) => [kind, level, label, expanded]);
  const opened = new Set([4]);
  expect(rows({ objects: [order], reasons: new Map(), opened: new Set() })).toEqual([
    ['object', 1, '#S(ORDER :ID 1)', false],
  ]);
  expect(rows({ objects: [order], reasons: new Map([[4, { paths: [path] }]]), opened })).toEqual([
    ['object', 1, '#S(ORDER :ID 1)', true],
    ['root', 2, 'Kept alive by the symbol *ORDERS*', null],
    ['step', 3, 'value of *ORDERS*', null],
  ]);
  const note = (reasons: Parameters<typeof heldRows>[0]['reasons']) =>
    heldRows({ objects: [order], reasons, opened }).at(-1)?.label;
  expect([
    note(new Map()),
    note(new Map([[4, { problem: 'It took too long.' }]])),
    note(new Map([[4, { paths: [] }]])),
  ]).toEqual([
    'Looking for what keeps it alive…',
    'It took too long.',
    'Only this window refers to the object. It can be collected after you close it here.',
  ]);
});

it('Generations are told that have something in them [D11]', () => {
  const generation = (number: number, bytes: number, pseudoStatic = false) => ({
    generation: number,
    bytes,
    pseudoStatic,
  });
  expect(generationWords([generation(0, 1_200_000), generation(1, 0), generation(6, 19_700_000, true)])).toBe(
    '0: 1.2 MB · permanent: 19.7 MB',
  );
});
