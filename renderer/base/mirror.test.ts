import { describe, expect, it } from 'vitest';
import { addProgress, changeDefinitions } from './mirror.ts';

describe('definitions that are known', () => {
  it('The known definitions change by package, and an empty package goes [D8]', () => {
    const known = new Map([
      ['A', { package: 'A', definitions: [], more: 0 }],
      ['B', { package: 'B', definitions: [], more: 0 }],
    ]);
    const one = {
      kind: 'function' as const,
      name: 'F',
      lambdaList: '()',
      value: null,
      documentation: null,
      source: null,
      actor: null,
      event: null,
      evaluation: null,
      time: null,
    };
    const next = changeDefinitions(known, {
      packages: [
        { package: 'C', definitions: [one], more: 0 },
        { package: 'B', definitions: [], more: 0 },
      ],
      removedPackages: ['A'],
    });
    expect([...next.keys()]).toEqual(['C']);
  });
});

it('The progress of each run is held at its latest, for the newest runs alone [D9]', () => {
  const progress = (evaluation: string, done: number) =>
    ({ evaluation, system: 's', done, total: 9, action: 'load', component: 's/f' }) as const;
  let held = addProgress(new Map(), progress('a', 1), 2);
  for (const [evaluation, done] of [
    ['b', 1],
    ['a', 2],
    ['c', 1],
  ] as const)
    held = addProgress(held, progress(evaluation, done), 2);
  expect([...held.values()].map(({ evaluation, done }) => [evaluation, done])).toEqual([
    ['a', 2],
    ['c', 1],
  ]);
});
