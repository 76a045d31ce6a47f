import { describe, expect, it } from 'vitest';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { milliseconds, resultChip, saysAll } from './result-text.ts';

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

describe('result after a form', () => {
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
  ])('The result after a form shows %s [D3]', (_name, part, expected) => {
    expect(resultChip(report(part))).toEqual(expected);
  });

  it('Code that was compiled is said to be, since nobody asked for its values [D3]', () => {
    expect(resultChip(report({}), 'compiling')).toMatchObject({ text: 'compiled', failed: false });
  });

  it('A result that is cut, of several lines, or an error is more than its line says [D3]', () => {
    expect(saysAll(report({ values: [value('1'), value('2')] }))).toBe(true);
    expect(saysAll(report({ values: [value('(1\n 2)')] }))).toBe(false);
    expect(saysAll(report({ values: [value('x'.repeat(120))] }))).toBe(false);
    expect(saysAll(report({ values: [{ ...value('x'), cut: 5 }] }))).toBe(false);
    expect(saysAll(report({ status: 'interrupted' }))).toBe(true);
    const condition = { type: 'ERROR', message: 'No.', frames: [], phase: 'evaluation' as const, offset: 0 };
    expect(saysAll(report({ status: 'error', condition }))).toBe(false);
  });

  it('The result says how long it took in the unit that fits [D3]', () => {
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
