import { describe, expect, it } from 'vitest';
import { topLevelLine, topLevelLines } from './window.ts';

const TEXT = [
  '(defun one ()', // 1
  '  "A docstring',
  '(with a parenthesis', // 3
  'in the first column."',
  '  1)', // 5
  '',
  "'(two", // 7
  '  2)',
  '; a comment', // 9
  '(three)',
];
const lineAt = (line: number): string => TEXT[line - 1]!;

describe('the top-level form around a line', () => {
  it.each([
    [2, 1],
    [5, 1],
    [6, 1],
    [8, 7],
    [10, 7],
    [1, 1],
  ])('Line %i is in the form that begins in line %i', (line, first) => {
    expect(topLevelLine(lineAt, line)).toBe(first);
  });

  it.each<[number, number, [number, number]]>([
    [2, 0, [1, 6]],
    [7, 0, [7, 9]],
    [8, 0, [7, 9]],
    [10, 0, [10, 10]],
    [7, 1, [1, 10]],
    [1, 1, [1, 9]],
  ])('The form around line %i with %i neighbours is on lines %j', (line, neighbours, [first, last]) => {
    expect(topLevelLines(lineAt, TEXT.length, line, neighbours)).toEqual({ first, last });
  });
});
