import { describe, expect, it } from 'vitest';
import type { EvaluationReport } from '#contract/evaluation.ts';
import { milliseconds, resultChip } from './result-text.ts';

const report = (part: Partial<EvaluationReport>): EvaluationReport => ({
  evaluation: 'x',
  status: 'ok',
  values: [],
  warnings: [],
  condition: null,
  package: 'CL-USER',
  formCount: 1,
  timing: { realMs: 2, runMs: 2, gcMs: 0, bytesConsed: 0 },
  outputCut: 0,
  effects: [],
  effectsMore: 0,
  ...part,
});
const value = (text: string) => ({ text, type: 'T', cut: 0, handle: null });

describe('D3 the result after a form', () => {
  it.each<[string, Partial<EvaluationReport>, ReturnType<typeof resultChip>]>([
    [
      'several values with commas',
      { values: [value('11680'), value('9815')] },
      { text: '=> 11680, 9815', time: '2 ms', failed: false },
    ],
    ['no values', {}, { text: 'no values', time: '2 ms', failed: false }],
    [
      'type and message of a condition, on one line',
      {
        status: 'error',
        condition: {
          type: 'UNBOUND-VARIABLE',
          message: 'The variable X\n  is unbound.',
          frames: [],
          phase: 'evaluation',
          offset: 0,
        },
      },
      { text: 'UNBOUND-VARIABLE The variable X is unbound.', time: null, failed: true },
    ],
    ['an interrupt', { status: 'interrupted' }, { text: 'interrupted', time: '2 ms', failed: true }],
    [
      'long values shortened',
      { values: [value('x'.repeat(500))] },
      { text: `=> ${'x'.repeat(96)}…`, time: '2 ms', failed: false },
    ],
  ])('%s', (_name, part, expected) => {
    expect(resultChip(report(part))).toEqual(expected);
  });

  it('says how long in the unit that fits', () => {
    expect([0, 0.1, 0.94, 1.2, 999, 1400, 33_000, 125_000].map(milliseconds)).toEqual([
      '0.1 ms',
      '0.1 ms',
      '0.9 ms',
      '1 ms',
      '999 ms',
      '1.4 s',
      '33 s',
      '2 min 5 s',
    ]);
  });
});
