import { describe, expect, it } from 'vitest';
import { linesAround } from './column-zero.ts';

const TEXT = ['; a head', '', '(defun one ()', '  1)', '', '(defun two ()', '  (list 1', '        2))'];

const lines = (text: readonly string[]) => ({ lineAt: (line: number) => text[line - 1]!, count: () => text.length });

describe('a part of a large text', () => {
  it('A form goes from its parenthesis in the first column up to the next one', () => {
    const found = TEXT.map((_, index) => linesAround(lines(TEXT), index + 1));
    const [one, two] = [
      { first: 3, last: 5 },
      { first: 6, last: 8 },
    ];
    expect(found).toEqual([null, null, one, one, one, two, two, two]);
  });

  it('A parenthesis in the first column is not looked for through a whole text', () => {
    const long = ['(begun', ...Array.from({ length: 50_000 }, () => '  x')];
    expect(linesAround(lines(long), 40_000)).toBeNull();
    expect(linesAround(lines(long), 10)).toEqual({ first: 1, last: 20_010 });
  });
});
