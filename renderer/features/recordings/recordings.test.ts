import { describe, expect, it } from 'vitest';
import type { RecordedEvaluation } from '#contract/image/observation/recording.ts';
import {
  calledForm,
  definitionsOf,
  endedWords,
  type MarkedForm,
  outcomeOf,
  shownBeside,
  stepFrom,
  withForms,
} from './recordings.ts';

const evaluation = (order: number, more: Partial<RecordedEvaluation> = {}): RecordedEvaluation => ({
  form: 'form-0001',
  order,
  at: 0,
  thread: 'worker',
  threadId: 1,
  actor: 'person',
  kind: 'values',
  values: [String(order)],
  more: 0,
  ...more,
});

const marked: MarkedForm = {
  form: 'form-0001',
  code: '(* x x)',
  definition: 'AREA',
  file: '/shop/area.lisp',
  count: 3,
  latest: evaluation(9),
  stale: false,
};

describe('recorded evaluations', () => {
  it.each<[Partial<RecordedEvaluation>, string]>([
    [{ values: ['9'] }, '9'],
    [{ values: ['2', '1'] }, '2, 1'],
    [{ values: ['2', '1'], more: 3 }, '2, 1, …'],
    [{ values: [] }, 'no values'],
    [{ kind: 'exit', values: [] }, 'exited without a value'],
    [{ kind: 'condition', values: ['SIMPLE-ERROR: no 3'] }, 'exited by SIMPLE-ERROR: no 3'],
    [{ values: ['x'.repeat(200)] }, `${'x'.repeat(99)}…`],
  ])('An evaluation %j is told as %j', (part, words) => {
    expect(outcomeOf(evaluation(1, part))).toBe(words);
  });

  it('Stepping goes in the order of all forms, begins at either end, and stays at the ends', () => {
    const all = [evaluation(3), evaluation(5, { form: 'form-0002' }), evaluation(9)];
    const orders = (
      [
        [null, 1],
        [null, -1],
        [3, 1],
        [5, -1],
        [9, 1],
        [3, -1],
        [4, 1],
        [4, -1],
      ] as const
    ).map(([chosen, direction]) => stepFrom(all, chosen, direction)?.order);
    expect(orders).toEqual([3, 9, 5, 3, 9, 3, 5, 3]);
    expect(stepFrom([], null, 1)).toBeNull();
  });

  it('Beside a form stands the chosen evaluation where it is of this form, else the latest', () => {
    const all = [evaluation(3), evaluation(5, { form: 'form-0002' })];
    expect([3, 5, null].map((chosen) => shownBeside(marked, all, chosen)?.evaluation.order)).toEqual([3, 9, 9]);
    expect(shownBeside(marked, all, 3)?.isChosen).toBe(true);
    expect(shownBeside({ ...marked, latest: null }, all, null)).toBeNull();
  });

  it('A form that is marked again keeps what was recorded of it, and a new one has nothing yet', () => {
    const { count: _count, latest: _latest, stale: _stale, ...named } = marked;
    const other = { ...named, form: 'form-0002' };
    expect(withForms([{ ...marked, stale: true }], [{ ...named, code: '(* x x x)' }, other])).toEqual([
      { ...marked, code: '(* x x x)' },
      { ...other, count: 0, latest: null, stale: false },
    ]);
  });

  it('Marks that have ended are told with their definitions and the reason', () => {
    const total = { ...marked, definition: 'TOTAL' };
    expect([
      endedWords([marked], 'defined-anew'),
      endedWords([marked, total], 'defined-anew'),
      endedWords([marked, marked], 'other-image'),
    ]).toEqual([
      'Values of (* x x) in AREA are no longer recorded: AREA was redefined.',
      'Values of 2 forms in AREA and TOTAL are no longer recorded: AREA and TOTAL were redefined.',
      'Values of 2 forms in AREA are no longer recorded: the image was replaced.',
    ]);
  });

  it('Forms are called by their text on one line, and their definitions by their names, each once', () => {
    expect(calledForm('(list\n   1   2)')).toBe('(list 1 2)');
    expect([[marked], [marked, { definition: 'TOTAL' }, marked], []].map(definitionsOf)).toEqual([
      'AREA',
      'AREA and TOTAL',
      '',
    ]);
  });
});
