import { expect, test } from 'vitest';
import { componentRows } from './components.ts';

const component = (name: string, depth: number, kind: 'module' | 'file' = 'file') => ({
  name,
  kind,
  depth,
  file: `/p/${name}`,
  state: kind === 'file' ? ('changed' as const) : null,
});
const PARTS = [
  component('package', 0),
  component('parts', 0, 'module'),
  component('one', 1),
  component('deep', 1, 'module'),
  component('two', 2),
  component('main', 0),
];

test('The files of a system stand below their modules, with their states, and their places among the others [D9]', () => {
  expect(
    componentRows(PARTS, new Set()).map(({ label, level, expanded, position, siblings }) => [
      label,
      level,
      expanded,
      `${position} of ${siblings}`,
    ]),
  ).toEqual([
    ['package changed since it was loaded', 1, null, '1 of 3'],
    ['parts', 1, true, '2 of 3'],
    ['one changed since it was loaded', 2, null, '1 of 2'],
    ['deep', 2, true, '2 of 2'],
    ['two changed since it was loaded', 3, null, '1 of 1'],
    ['main changed since it was loaded', 1, null, '3 of 3'],
  ]);
});

test('A folded module of a system hides all below it [D9]', () => {
  const rows = componentRows(PARTS, new Set(['1 parts']));
  expect(rows.map(({ component: { name } }) => name)).toEqual(['package', 'parts', 'main']);
});
