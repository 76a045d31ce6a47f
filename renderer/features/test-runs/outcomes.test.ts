import { expect, it } from 'vitest';
import type { ShownTestResult } from '#contract/image/testing.ts';
import { countWords, durationWords, resultWords, shownName } from './outcomes.ts';

it('Outcomes of a run are counted in words [D11]', () => {
  expect([
    countWords(['passed']),
    countWords(['passed', 'failed', 'passed', 'error', 'error', 'stopped', 'skipped']),
    countWords([]),
  ]).toEqual(['1 test: 1 passed', '7 tests: 2 passed, 1 failed, 2 errors, 1 skipped, 1 stopped', '0 tests']);
});

it('The checks of a test and its time are told in words [D11]', () => {
  const result = { passed: 2, failed: 0, skipped: 0, ms: 12.4, outcome: 'passed' } as ShownTestResult;
  expect([
    resultWords(result),
    resultWords({ ...result, failed: 1, skipped: 1, ms: null }),
    resultWords({ ...result, passed: 0, ms: 0.2 }),
    resultWords({ ...result, passed: 0, outcome: 'stopped', ms: 3200 }),
    durationWords(999.6),
  ]).toEqual(['2 checks passed, 12 ms', '2 of 4 checks passed, 1 skipped', 'no checks, <1 ms', '3.2 s', '1.0 s']);
});

it('A test is shown in lower case, but for one whose name has both cases [D11]', () => {
  expect([shownName({ name: 'ADDS-UP' }), shownName({ name: 'Mixed Case' })]).toEqual(['adds-up', 'Mixed Case']);
});
