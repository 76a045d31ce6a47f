import { describe, expect, it } from 'vitest';
import { random, randomForm } from './random-forms.fixture.ts';
import { TopLevels } from './top-levels.ts';

const TEXT = [
  '(defun one ()', // 1
  '  "A docstring',
  '(with a parenthesis', // 3
  'in the first column."',
  '  1)', // 5
  '',
  "'(two", // 7
  '  2)',
  '; a comment (', // 9
  '#| another (',
  '(not) |#', // 11
  '(list #\\( |a (| "\\"("',
  '(flat)', // 13
  ')',
  '(defun open (a', // 15
  '(defun next ())',
  'atom', // 17
];

class Edited {
  lines: string[];
  readonly reads: number[] = [];
  readonly tops = new TopLevels({
    lineAt: (line) => {
      this.reads.push(line);
      return this.lines[line - 1]!;
    },
    count: () => this.lines.length,
  });

  constructor(lines: readonly string[]) {
    this.lines = [...lines];
  }
}

describe('the top-level form around a line', () => {
  it.each([
    [1, 1],
    [3, 1],
    [5, 1],
    [6, 1],
    [8, 7],
    [11, 7],
    [13, 12],
    [15, 15],
    [16, 16],
    [17, 17],
  ])('Line %i is in the form that begins in line %i', (line, first) => {
    expect(new Edited(TEXT).tops.startOf(line)).toBe(first);
  });

  it.each<[number, number, [number, number]]>([
    [2, 0, [1, 6]],
    [7, 0, [7, 11]],
    [8, 1, [1, 14]],
    [13, 0, [12, 14]],
    [17, 0, [17, 17]],
    [17, 1, [16, 17]],
    [1, 1, [1, 11]],
    [1, 9, [1, 17]],
  ])('The form around line %i with %i neighbours is on lines %j', (line, neighbours, [first, last]) => {
    expect(new Edited(TEXT).tops.around(line, neighbours)).toEqual({ first, last });
  });

  it('A text without a form is one part', () => {
    expect(new Edited(['', '; nothing']).tops.around(1)).toEqual({ first: 1, last: 2 });
    expect(new Edited(['', '; before', '(a)', '(b)']).tops.around(2)).toEqual({ first: 1, last: 2 });
  });

  it('A change has no line read again before the form that it is in', () => {
    const edited = new Edited(Array.from({ length: 1000 }, (_, at) => (at % 2 === 0 ? '(a' : ' b)')));
    expect(edited.tops.startOf(900)).toBe(899);
    edited.reads.length = 0;
    edited.lines[899] = ' (b))';
    edited.tops.changed(900);
    expect(edited.tops.startOf(900)).toBe(899);
    expect(Math.min(...edited.reads)).toBe(899);
    expect(edited.reads.length).toBeLessThan(5);
  });

  it('What is found after changes is what a fresh look finds', () => {
    const below = random(7);
    const edited = new Edited(
      Array.from({ length: 60 }, () => randomForm(below, 3))
        .join('\n')
        .split('\n'),
    );
    for (let run = 0; run < 500; run += 1) {
      const line = 1 + below(edited.lines.length);
      edited.lines.splice(
        line - 1,
        below(2),
        ...['', 'x', '(a "', '#|', '"', ')', '(b', '|#'].slice(below(8)).slice(0, below(3)),
      );
      if (edited.lines.length === 0) edited.lines.push('');
      edited.tops.changed(line);
      const at = 1 + below(edited.lines.length);
      expect(edited.tops.around(at, 1)).toEqual(new Edited(edited.lines).tops.around(at, 1));
    }
  });
});
