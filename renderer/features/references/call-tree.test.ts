import { expect, test } from 'vitest';
import type { CrossReference } from '#contract/image/introspection.ts';
import { callNodes, callRows, type CallNode } from './call-tree.ts';

function reference(name: string, kind = 'function'): CrossReference {
  return { name, kind, source: null, end: null, snippet: null, evaluation: null, actor: null, why: null };
}

function node(name: string, kind = 'function'): CallNode {
  return { name, kind, places: [reference(name, kind)] };
}

test('The methods of a function and its places are one row in the tree of calls [D4]', () => {
  const names = [
    'PRICE',
    'DISCOUNT (STRING T)',
    'PRICE',
    'DISCOUNT :AROUND (SYMBOL T)',
    '(SETF PRICE) (T ITEM)',
    '(SETF PRICE)',
  ];
  expect(callNodes(names.map((name) => reference(name))).map(({ name, places }) => [name, places.length])).toEqual([
    ['PRICE', 2],
    ['DISCOUNT', 2],
    ['(SETF PRICE)', 2],
  ]);
});

test('Callers are below callees, as far as they were opened, and a function that calls itself by others ends there [D4]', () => {
  const opened = new Map<string, readonly CallNode[] | null>([
    ['PRICE', [node('TOTAL'), node('*TAX*', 'variable')]],
    ['PRICE\nTOTAL', [node('SELL'), node('PRICE')]],
    ['PRICE\nTOTAL\nSELL', null],
  ]);
  const rows = callRows('PRICE', opened, new Set());
  expect(rows.map(({ label, level, expanded }) => [label, level, expanded])).toEqual([
    ['price', 1, true],
    ['total', 2, true],
    ['sell', 3, true],
    ['price recursive', 3, null],
    ['*tax*', 2, null],
  ]);
  expect(callRows('PRICE', opened, new Set(['PRICE\nTOTAL'])).map(({ label }) => label)).toEqual([
    'price',
    'total',
    '*tax*',
  ]);
});

test('A function that nothing calls has nothing to open [D4]', () => {
  expect(callRows('PRICE', new Map([['PRICE', []]]), new Set()).map(({ expanded }) => expanded)).toEqual([null]);
});
