import { describe, expect, test } from 'vitest';
import {
  advance,
  FIRST_PLACE,
  type Happening,
  SAMPLE_TESTS,
  stepBy,
  type StepId,
  STEPS,
  type TourPlace,
} from './steps.ts';

const at = (step: StepId): TourPlace => ({ ...FIRST_PLACE, step });
const after = (step: StepId, ...happenings: Happening[]): TourPlace => happenings.reduce(advance, at(step));

describe('advance', () => {
  test.each<[StepId, Happening[]]>([
    ['evaluate', [{ kind: 'evaluated' }]],
    ['inspect', [{ kind: 'inspected' }]],
    ['complete', [{ kind: 'text-inserted', file: 'try.lisp', text: 'average-price' }]],
    [
      'jump',
      [
        { kind: 'text-shown', file: 'src/basket.lisp' },
        { kind: 'text-shown', file: 'try.lisp' },
      ],
    ],
    ['debug', [{ kind: 'debugger-entered' }, { kind: 'evaluated' }, { kind: 'debugger-left' }]],
    ['mend', [{ kind: 'defined', name: 'AVERAGE-PRICE' }]],
    ['test', [{ kind: 'test-passed', name: 'AVERAGE-OF-AN-EMPTY-BASKET' }]],
    ['own-test', [{ kind: 'test-passed', name: 'TOTAL-OF-NOTHING' }]],
    ['library', [{ kind: 'library-loaded' }]],
    ['agent', [{ kind: 'client-connecting' }]],
  ])('The step %s is done by what it asks for, and by the whole of it', (step, happenings) => {
    expect(after(step, ...happenings)).toEqual({ step, part: 0, done: [step] });
    expect(after(step, ...happenings.slice(0, -1)).done).toEqual([]);
  });

  test.each<[StepId, Happening[]]>([
    ['evaluate', [{ kind: 'inspected' }]],
    ['complete', [{ kind: 'text-inserted', file: 'try.lisp', text: 'a' }]],
    [
      'jump',
      [
        { kind: 'text-shown', file: 'try.lisp' },
        { kind: 'text-shown', file: 'src/basket.lisp' },
      ],
    ],
    ['debug', [{ kind: 'debugger-left' }, { kind: 'debugger-entered' }]],
    ['mend', [{ kind: 'defined', name: 'BASKET-TOTAL' }]],
    ['test', [{ kind: 'test-passed', name: 'TOTAL-OF-THE-BASKET' }]],
    ['own-test', SAMPLE_TESTS.map((name) => ({ kind: 'test-passed', name: name.toUpperCase() }))],
  ])('The step %s is not done by anything else', (step, happenings) => {
    expect(after(step, ...happenings).done).toEqual([]);
  });

  test('A step that is done is not done twice', () => {
    const done = after('evaluate', { kind: 'evaluated' });
    expect(advance(done, { kind: 'evaluated' })).toBe(done);
  });
});

test('One goes on, back and past a step that is not done, to the ends of the tour', () => {
  const second = stepBy(FIRST_PLACE, 1)!;
  expect(second).toEqual({ step: STEPS[1]!.id, part: 0, done: [] });
  expect(stepBy(second, -1)).toEqual(FIRST_PLACE);
  expect(stepBy(FIRST_PLACE, -1)).toBeNull();
  expect(stepBy(at(STEPS.at(-1)!.id), 1)).toBeNull();
});
