import { describe, expect, it } from 'vitest';
import type { ShownTestResult, TestRecord } from '#contract/image/testing.ts';
import type { TestState } from './outcomes.ts';
import { type RowWishes, testRows } from './test-rows.ts';

const record = (name: string, more: Partial<TestRecord> = {}): TestRecord => ({
  id: `fiveam SHOP::${name}`,
  framework: 'fiveam',
  name,
  package: 'SHOP',
  parent: null,
  suite: false,
  version: 1,
  source: null,
  ...more,
});

const TESTS: readonly TestRecord[] = [
  record('SUITE', { suite: true }),
  record('ADDS', { parent: 'fiveam SHOP::SUITE' }),
  record('FAILS', { parent: 'fiveam SHOP::SUITE' }),
  record('ALONE'),
  record('EMPTY', { suite: true }),
  record('OTHER', { id: 'rove BANK::OTHER', package: 'BANK', framework: 'rove' }),
  record('shop/tests', { id: 'asdf ::shop/tests', package: '', framework: 'asdf', version: 0 }),
];

const result = (name: string, outcome: ShownTestResult['outcome'], version = 1): ShownTestResult => ({
  evaluation: 'e',
  test: `fiveam SHOP::${name}`,
  version,
  outcome,
  ms: 12.3,
  passed: 1,
  failed: 0,
  skipped: 0,
  checks: [],
  condition: null,
  output: '',
  outputCut: 0,
});

const RESULTS = new Map(
  [result('ADDS', 'passed'), result('FAILS', 'failed'), result('ALONE', 'passed', 7)].map((each) => [each.test, each]),
);

function drawn(more: Partial<RowWishes> = {}): string[] {
  const stateOf = (id: string): TestState => RESULTS.get(id)?.outcome ?? 'unknown';
  const wishes = { filter: '', failedOnly: false, folded: new Set<string>(), results: RESULTS, stateOf, ...more };
  return testRows(TESTS, wishes).map(({ level, label }) => `${' '.repeat(level - 1)}${label}`);
}

it('Tests whose names are no symbols, as those of RT may be, stand in a group that has a title [D11]', () => {
  const odd = record('(LIST "odd")', { id: 'rt ::(LIST "odd")', package: '', framework: 'rt' });
  const wishes = { filter: '', failedOnly: false, folded: new Set<string>(), results: RESULTS };
  const rows = testRows([odd], { ...wishes, stateOf: () => 'unknown' });
  expect(rows.map(({ title, level }) => [title, level])).toEqual([
    ['No package', 1],
    ['(LIST "odd")', 2],
  ]);
});

describe('rows of the panel Tests', () => {
  it('Tests stand below their suites and packages, systems at the end, each with how they went in words [D11]', () => {
    expect(drawn()).toEqual([
      'shop, 1 of 3 failed',
      ' suite, 1 of 2 failed',
      '  adds, passed, 12 ms',
      '  fails, failed, 12 ms',
      ' alone, passed, 12 ms, out of date',
      'bank, 1 not run',
      ' other, not run',
      'Systems (ASDF), 1 not run',
      ' shop/tests, not run',
    ]);
  });

  it('A filter leaves tests of that name or package with what they are in, and unfolds it [D11]', () => {
    expect(drawn({ filter: 'ADD', folded: new Set(['package/SHOP']) })).toEqual([
      'shop, 1 of 3 failed',
      ' suite, 1 of 2 failed',
      '  adds, passed, 12 ms',
    ]);
    expect(drawn({ failedOnly: true })).toEqual([
      'shop, 1 of 3 failed',
      ' suite, 1 of 2 failed',
      '  fails, failed, 12 ms',
    ]);
    expect(drawn({ filter: 'nothing' })).toEqual([]);
    expect(drawn({ folded: new Set(['package/SHOP', 'systems']) })[0]).toBe('shop, 1 of 3 failed');
  });

  it('Running a suite or a package means the tests below it [D11]', () => {
    const rows = testRows(TESTS, {
      filter: '',
      failedOnly: false,
      folded: new Set(),
      results: RESULTS,
      stateOf: () => 'unknown',
    });
    expect(rows.find(({ title }) => title === 'shop')!.ids).toEqual(
      ['ADDS', 'FAILS', 'ALONE'].map((name) => `fiveam SHOP::${name}`),
    );
    expect(rows.find(({ title }) => title === 'shop/tests')!.ids).toEqual(['asdf ::shop/tests']);
  });
});
