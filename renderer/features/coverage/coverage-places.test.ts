import { describe, expect, it } from 'vitest';
import type { CountedForm } from '#contract/image/observation/coverage.ts';
import { coveredPlaces, isStale, nextGap, percent, totals } from './coverage-places.ts';

const TEXT = '(defun f (x) (if (plusp x) (list x) (print x)))';

function form(part: string, executed: boolean, thenTaken: boolean | null = null, elseTaken = thenTaken): CountedForm {
  const start = TEXT.indexOf(part);
  return { start, end: start + part.length, executed, thenTaken, elseTaken };
}

const FORMS = [
  form('(if (plusp x) (list x) (print x))', true),
  form('(plusp x)', true, true, false),
  form('(list x)', true),
  form('(print x)', false),
  { ...form('x)))', false), end: TEXT.indexOf('x)))') + 1 },
];

const shown = (text: string) =>
  coveredPlaces({ text: TEXT, forms: FORMS }, text).map(
    ({ start, end, state }) => `${state} ${text.slice(start, end)}`,
  );

describe('marks of coverage', () => {
  it('The outermost forms of each state are marked, and branches of which one way was taken', () => {
    expect(shown(TEXT)).toEqual(['ran (if (plusp x) (list x) (print x))', 'half (plusp x)', 'missed (print x)']);
    const half = coveredPlaces({ text: TEXT, forms: FORMS }, TEXT)[1];
    expect(half!.words).toBe('Only one branch was taken: this was always true, never false.');
  });

  it('Marks follow edits elsewhere, and what was edited has none', () => {
    expect(shown(`;; more\n${TEXT}`)).toEqual(shown(TEXT));
    const changed = TEXT.replace('(list x)', '(list x 1)');
    expect(shown(changed)).toEqual(['ran (plusp x)', 'half (plusp x)', 'missed (print x)']);
    expect([isStale({ text: TEXT }, TEXT), isStale({ text: TEXT }, changed)]).toEqual([false, true]);
  });

  it('The next gap is found forwards and backwards, and around the ends', () => {
    const places = coveredPlaces({ text: TEXT, forms: FORMS }, TEXT);
    const [half, missed] = [TEXT.indexOf('(plusp'), TEXT.indexOf('(print')];
    expect([0, half, missed].map((offset) => nextGap(places, offset, 1)?.start)).toEqual([half, missed, half]);
    expect([missed, half].map((offset) => nextGap(places, offset, -1)?.start)).toEqual([half, missed]);
    expect(nextGap([], 0, 1)).toBeNull();
  });

  it('A share is 100 % only where nothing is left', () => {
    expect([percent(999, 1_000), percent(1, 1), percent(0, 3), percent(0, 0)]).toEqual(['99 %', '100 %', '0 %', '–']);
    const file = { file: 'a', expressions: 3, executed: 2, branches: 2, taken: 1 };
    expect(totals([file, file])).toEqual({ expressions: 6, executed: 4, branches: 4, taken: 2 });
  });
});
