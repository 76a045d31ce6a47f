import { describe, expect, it } from 'vitest';
import { foldOf, foldWords } from './folding.ts';

describe('folding', () => {
  it.each([
    [0, null],
    [80, null],
    [81, { head: 40, tail: 61 }],
    [10_000, { head: 40, tail: 9980 }],
  ])('A text of %i rows folds at %o [D13, case 25]', (rows, fold) => {
    expect(foldOf(rows)).toEqual(fold);
  });

  const line = { kind: 'line', continued: false, length: 10 };
  const rest = { kind: 'line', continued: true, length: 400 };

  it.each([
    [[line, rest, line], '2 lines folded'],
    [[{ kind: 'hunk' }, line], '1 line folded'],
    [Array.from({ length: 1200 }, () => line), '1,200 lines folded'],
    [[rest, rest, rest], '1,200 characters of a long line folded'],
  ])('A fold counts what is hidden [D13, case 25]', (hidden, words) => {
    expect(foldWords(hidden)).toBe(words);
  });
});
