/** Texts about the outcomes of tests, and which of the outcomes count as failures. Pure. */
import type { ShownTestResult, TestRecord, TestVerdict } from '#contract/image/testing.ts';
import { plural } from '#contract/text/text.ts';

/** The state of a test in the window. */
export type TestState = TestVerdict | 'running' | 'waiting' | 'unknown';

export const STATE_WORDS: Readonly<Record<TestState, string>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'error',
  skipped: 'skipped',
  stopped: 'stopped',
  running: 'running',
  waiting: 'waiting to run',
  unknown: 'not run',
};

/** True for the outcomes that *Run Failed Tests Again* runs again. */
export function isFailure(outcome: TestVerdict): boolean {
  return outcome === 'failed' || outcome === 'error' || outcome === 'stopped';
}

/** True if the test was redefined since it ran. */
export function isStale(test: TestRecord, result: ShownTestResult | undefined): boolean {
  return result !== undefined && test.version !== 0 && result.version !== test.version;
}

/** Returns a text with the counts of the outcomes: `3 tests: 2 passed, 1 failed`. */
export function countWords(outcomes: readonly TestVerdict[]): string {
  const parts = (['passed', 'failed', 'error', 'skipped', 'stopped'] as const).flatMap((outcome) => {
    const count = outcomes.filter((each) => each === outcome).length;
    if (count === 0) return [];
    return [outcome === 'error' ? plural(count, 'error') : `${count} ${outcome}`];
  });
  const total = plural(outcomes.length, 'test');
  return parts.length === 0 ? total : `${total}: ${parts.join(', ')}`;
}

/** Returns the checks of a result as text, with the duration: `2 of 3 checks passed, 12 ms`. */
export function resultWords({ passed, failed, skipped, ms, outcome }: ShownTestResult): string {
  const total = passed + failed + skipped;
  const checks =
    total === 0
      ? outcome === 'passed'
        ? 'no checks'
        : null
      : failed === 0 && skipped === 0
        ? `${plural(total, 'check')} passed`
        : `${passed} of ${plural(total, 'check')} passed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
  return [checks, ms === null ? null : durationWords(ms)].filter((part) => part !== null).join(', ');
}

export function durationWords(ms: number): string {
  if (ms < 1) return '<1 ms';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Returns the shown name of a test: in lower case, which is usual in source code. */
export function shownName({ name }: Pick<TestRecord, 'name'>): string {
  return name === name.toUpperCase() ? name.toLowerCase() : name;
}
