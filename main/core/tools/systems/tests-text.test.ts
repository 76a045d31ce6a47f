import { expect, it } from 'vitest';
import type { TestOutcome } from '#contract/image/system.ts';
import { testsText } from './tests-text.ts';

const numbers = (count: number): string => `(${Array.from({ length: count }, (_, index) => index).join(' ')})`;

function text(reason: string): string {
  const outcome: TestOutcome = {
    name: 'shop/tests',
    hasTests: true,
    success: false,
    framework: 'FIVEAM',
    ran: 1,
    failing: 1,
    exit: null,
    passed: 0,
    failed: 1,
    skipped: 0,
    expected: null,
    total: 1,
    failures: [{ test: 'BIG', reason, source: null }],
  };
  return testsText(outcome, { output: '', named: false, display: (file) => file }).text;
}

it('A failed comparison of two long values is told by the place where they differ [issue 35.1]', () => {
  const wrapped = numbers(501).replaceAll(/(.{70}) /g, '$1\n ');
  const told = text(
    `(LOOP FOR I BELOW 501\n  COLLECT I) evaluated to ${wrapped} which is not EQUAL to ${numbers(500)}`,
  );
  expect(told.length).toBeLessThan(700);
  expect(told).toMatch(
    /\n- BIG: \(LOOP FOR I BELOW 501 COLLECT I\) evaluated to … [\d ]* 498 499 500\) which is not EQUAL to … [\d ]* 498 499\) \(both are the same in the \d+ characters before they differ\)$/,
  );
  const parachute = text(
    `The test form   (NUMBERS)\nevaluated to   ${numbers(300)}\nwhen           ${numbers(200)}\nwas expected to be equal under EQUAL.`,
  );
  expect(parachute).toMatch(/199 200 [\d ]*… when … [\d ]* 199\) was expected to be equal under EQUAL\. \(both are/);
});

it('A long reason that compares nothing keeps its beginning and its end, and a short one is whole [issue 35.1]', () => {
  expect(text(`It went wrong: ${numbers(500)} at last`)).toMatch(
    /- BIG: It went wrong: \(0 1 2 .* … \d+ characters … .* 499\) at last$/,
  );
  expect(text('(F) evaluated to 1 which is not EQL to 2')).toContain('- BIG: (F) evaluated to 1 which is not EQL to 2');
});
