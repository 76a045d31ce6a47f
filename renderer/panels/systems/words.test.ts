import { expect, it } from 'vitest';
import type { SystemProgress, SystemRecord, TestOutcome } from '#contract/system.ts';
import { progressWords, systemFacts, testWords } from './words.ts';

const record: SystemRecord = {
  name: 'shop',
  loaded: true,
  version: '1.2',
  file: '/p/shop.asd',
  origin: 'project',
  broken: null,
};
const progress: SystemProgress = {
  evaluation: 'e',
  system: 'shop',
  done: 3,
  total: 12,
  action: 'compile',
  component: 'shop/parts/part',
};
const outcome: TestOutcome = {
  name: 'shop',
  hasTests: true,
  success: false,
  framework: 'fiveam',
  passed: 2,
  failed: 1,
  skipped: 1,
  total: 4,
  failures: [],
};

it('D9 where a system comes from is said', () => {
  expect([
    systemFacts(record),
    systemFacts({ ...record, version: null, loaded: false, origin: 'registry' }),
    systemFacts({ ...record, version: null, loaded: false, origin: 'ocicl' }),
  ]).toEqual(['version 1.2, of this project, loaded', 'from ASDF’s source registry', 'from ocicl']);
});

it('D9 how far a load is, is said', () => {
  expect([
    progressWords(progress),
    progressWords({ ...progress, action: 'other', component: 'shop' }),
    progressWords({ ...progress, done: 12, action: 'other', component: '' }),
  ]).toEqual(['3 of 12 · compile shop/parts/part', '3 of 12 · shop', '12 of 12']);
});

it('D9 how tests went is said', () => {
  const uncounted = { passed: null, failed: null, skipped: null, total: null, framework: null };
  expect([
    testWords(outcome),
    testWords({ ...outcome, passed: 1, failed: 0, skipped: 0, total: 1, success: true }),
    testWords({ ...outcome, ...uncounted, success: true }),
    testWords({ ...outcome, ...uncounted }),
    testWords({ ...outcome, ...uncounted, hasTests: false }),
  ]).toEqual([
    '4 checks: 2 passed, 1 failed, 1 skipped.',
    '1 check: 1 passed, 0 failed.',
    'The tests ended without an error. They were not counted.',
    'The tests failed.',
    'This system does not say how it is tested.',
  ]);
});
