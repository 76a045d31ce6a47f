import { expect, test } from 'vitest';
import type { SystemGraph } from '#contract/image/system.ts';
import { type Dependencies, graphWords, linksOf, stateWords, systemRows, withOutdated } from './dependencies.ts';

const node = (name: string, state: SystemGraph['nodes'][number]['state'] = 'loaded') => ({
  name,
  state,
  version: null,
  file: null,
  changed: state === 'changed' ? 2 : 0,
  problem: null,
  outdatedBy: [],
});
const depends = (from: string, to: string) => ({ from, to, kind: 'depends' as const });

const SHOP: Dependencies = {
  from: ['shop'],
  nodes: [node('shop', 'changed'), node('stock'), node('base'), node('gone', 'missing'), node('app', 'defined')],
  edges: [depends('shop', 'stock'), depends('shop', 'gone'), depends('stock', 'base'), depends('app', 'shop')],
  more: 3,
};

test('A graph of systems is shown both ways, or only with what is needed, or only with what needs it [D9]', () => {
  expect(linksOf(SHOP, 'both').names).toEqual(['shop', 'stock', 'base', 'gone', 'app']);
  expect(linksOf(SHOP, 'needs').names).toEqual(['shop', 'stock', 'base', 'gone']);
  const { names, below } = linksOf(SHOP, 'needed-by');
  expect([names, [...below]]).toEqual([['shop', 'app'], [['app', ['shop']]]]);
});

test('The tree of systems has below each what it needs, or what needs it, and is open as the person left it [D9]', () => {
  const shown = (...given: Parameters<typeof systemRows>) =>
    systemRows(...given).map(({ label, level, expanded }) => [label, level, expanded]);
  expect(shown(SHOP, 'needs', new Map([['shop>stock', true]]))).toEqual([
    ['shop loaded, 2 files changed since', 1, true],
    ['stock loaded', 2, true],
    ['base loaded', 3, null],
    ['gone missing', 2, null],
  ]);
  expect(shown(SHOP, 'needed-by', new Map())).toEqual([
    ['shop loaded, 2 files changed since', 1, true],
    ['app not loaded', 2, null],
  ]);
});

test('Systems that depend on each other in a circle are listed, each once on the way round [D9]', () => {
  const circle = { ...SHOP, nodes: [node('a'), node('b')], from: ['a'], edges: [depends('a', 'b'), depends('b', 'a')] };
  const all = new Map([
    ['a', true],
    ['a>b', true],
    ['a>b>a', true],
  ]);
  expect(systemRows(circle, 'both', all).map(({ id }) => id)).toEqual(['a', 'a>b', 'a>b>a']);
});

test('The words for a graph of systems count what is not as it should be [D9]', () => {
  expect(graphWords(SHOP)).toBe('5 systems, 1 missing, 1 changed since, 3 more are not shown');
  expect(graphWords({ ...SHOP, nodes: [node('a')], more: 0 })).toBe('1 system');
  expect(stateWords(node('a', 'changed'))).toBe('loaded, 2 files changed since');
});

test('A loaded system that needs a changed one is told as outdated by that one [D9]', () => {
  const { nodes } = withOutdated({
    ...SHOP,
    nodes: [node('app'), node('shop', 'changed'), node('stock'), node('base')],
  });
  expect(nodes.map((each) => stateWords(each))).toEqual([
    'loaded, outdated by shop',
    'loaded, 2 files changed since',
    'loaded',
    'loaded',
  ]);
  expect(graphWords({ ...SHOP, nodes, more: 0 })).toBe('4 systems, 1 changed since, 1 outdated');
});
