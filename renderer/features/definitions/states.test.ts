import { expect, it } from 'vitest';
import type { DefinitionDeviation, DefinitionRecord } from '#contract/image/definition.ts';
import { browserRows } from './definition-rows.ts';
import { countStates, inState, statesOf } from './states.ts';

const record = (name: string): DefinitionRecord => ({
  kind: 'function',
  name,
  lambdaList: null,
  value: null,
  documentation: null,
  source: null,
  actor: name === 'AREA' ? 'client:a' : 'person',
  event: 1,
  evaluation: 'e',
  time: 0,
});
const deviation = (name: string, state: DefinitionDeviation['state']): DefinitionDeviation => ({
  kind: 'function',
  name,
  package: 'SHOP',
  state,
  file: '/p/shop.lisp',
});
const names = ['AREA', 'CART', 'SAME', 'TAX', 'TOTAL'];
const listed = new Map([['SHOP', { package: 'SHOP', definitions: names.map(record), more: 0 }]]);
const states = statesOf([
  deviation('AREA', 'changed-in-image'),
  deviation('TAX', 'changed-in-image'),
  deviation('CART', 'only-in-image'),
  deviation('TOTAL', 'changed-in-file'),
]);

it('Each state is counted and shown alone, also together with the author [D8, P2]', () => {
  const rows = (state: DefinitionDeviation['state'], byAgents = false): string[] =>
    browserRows(
      listed,
      { text: '', kind: null, byAgents, waiting: null, among: inState(states, state) },
      () => true,
    ).rows.map(({ label }) => label);
  expect(Object.fromEntries(countStates(states))).toEqual({
    'changed-in-image': 2,
    'only-in-image': 1,
    'changed-in-file': 1,
  });
  expect([
    rows('changed-in-image'),
    rows('changed-in-image', true),
    rows('only-in-image'),
    rows('changed-in-file'),
    rows('changed-in-file', true),
  ]).toEqual([['SHOP', 'area', 'tax'], ['SHOP', 'area'], ['SHOP', 'cart'], ['SHOP', 'total'], []]);
});
