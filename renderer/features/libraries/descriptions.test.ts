import { expect, it } from 'vitest';
import { distsWords, isProvided, planWords, releaseVersion, toolWords, workWords } from './descriptions.ts';
import { affectedUsed, updateRows } from './update-rows.ts';

const release = (project: string, installed: boolean) => ({
  dist: 'quicklisp',
  version: '2024-10-12',
  project,
  release: `${project}-20241012-git`,
  size: 1000,
  md5: '0',
  licence: null,
  installed,
});

it('The words for a plan say what is downloaded and what is there already [issue 38.4]', () => {
  expect([
    planWords({ releases: [release('a', false)], size: 1_100_000 }),
    planWords({ releases: [release('a', true), release('b', false)], size: 1000 }),
    planWords({ releases: [release('a', true), release('b', true), release('c', false)], size: 1000 }),
    planWords({ releases: [release('a', true)], size: 0 }),
  ]).toEqual([
    '1 release, 1.1 MB to download.',
    '2 releases, 1.0 kB to download; 1 is installed.',
    '3 releases, 1.0 kB to download; 2 are installed.',
    '1 release, installed.',
  ]);
});

it('A dist provides a library whose plan has a release and does not miss it [issue 38.4]', () => {
  const plan = { systems: ['a'], size: 0, neededBy: [], releases: [release('a', false)], missing: ['sb-posix'] };
  expect([isProvided(plan, 'a'), isProvided({ ...plan, releases: [] }, 'a'), isProvided(plan, 'sb-posix')]).toEqual([
    true,
    false,
    false,
  ]);
});

it('The version of a release is its name without the project [issue 38.4]', () => {
  expect([
    releaseVersion({ project: 'cl-ppcre', release: 'cl-ppcre-20240101-git' }),
    releaseVersion({ project: 'ironclad', release: 'v0.60' }),
  ]).toEqual(['20240101-git', 'v0.60']);
});

it('The words for the source of libraries name the tool or the dists [issue 38.4]', () => {
  const qlot = { kind: 'qlot', path: '/p/qlfile', count: 12, program: null } as const;
  expect([
    toolWords(qlot),
    toolWords({ ...qlot, count: null }),
    toolWords({ ...qlot, kind: 'ocicl', path: '/p/ocicl.csv' }),
    distsWords([
      { name: 'quicklisp', version: '2024-10-12' },
      { name: 'ultralisp', version: '20241101' },
    ]),
  ]).toEqual(['qlot (12 locked)', 'qlot', 'ocicl (ocicl.csv)', 'quicklisp 2024-10-12 and ultralisp 20241101']);
});

it('The words for running work leave out what is not known yet [issue 38.4]', () => {
  const work = { kind: 'install', subject: 'drakma', part: '', done: 0, total: 0, words: 'Reading the index' } as const;
  expect([workWords(work), workWords({ ...work, part: 'chunga', done: 2, total: 7, words: '' })]).toEqual([
    'Reading the index',
    '2 of 7 · chunga',
  ]);
});

const update = {
  added: ['new'],
  changed: [
    { project: 'alexandria', before: 'alexandria-1', after: 'alexandria-2' },
    { project: 'drakma', before: 'drakma-1', after: 'drakma-2' },
  ],
  removed: [{ project: 'old', neededBy: ['shop'] }],
  used: ['drakma', 'old', 'bordeaux-threads'],
};

it('The rows of an update have the installed projects first in each group [issue 38.4]', () => {
  expect(updateRows(update, new Set()).map(({ label }) => label)).toEqual([
    'Changed 2',
    'drakma 1 → 2 installed',
    'alexandria 1 → 2',
    'New 1',
    'new',
    'Removed 1',
    'old installed, needed by shop',
  ]);
  expect(affectedUsed(update)).toBe(2);
});

it('A folded group of an update has no rows, and an empty one is left out [issue 38.4]', () => {
  expect(updateRows({ ...update, added: [] }, new Set(['changed'])).map(({ id, position }) => [id, position])).toEqual([
    ['changed', 1],
    ['removed', 2],
    ['removed old', 1],
  ]);
});
