import { describe, expect, it } from 'vitest';
import { random } from './reading/random-forms.fixture.ts';
import { PackageLines } from './package-lines.ts';

class Edited {
  lines: string[];
  reads = 0;
  readonly packages = new PackageLines({
    lineAt: (line) => {
      this.reads += 1;
      return this.lines[line - 1]!;
    },
    count: () => this.lines.length,
  });

  constructor(lines: readonly string[]) {
    this.lines = [...lines];
  }

  /** Replaces the lines from `first` to `last` with `lines`. */
  replace(first: number, last: number, lines: readonly string[]): void {
    this.lines.splice(first - 1, last - first + 1, ...lines);
    this.packages.changed({ first, last });
  }
}

const within = (lines: readonly string[], line: number): readonly number[] => new Edited(lines).packages.before(line);

describe('lines of in-package forms', () => {
  it('Forms that begin in the first column are found, the nearest to a line first', () => {
    const lines = ['(in-package :a)', ' (in-package :b)', '(CL:IN-PACKAGE "C")', '; (in-package :d)', '(in-packages)'];
    expect(within(lines, 5)).toEqual([3, 1]);
    expect(within(lines, 2)).toEqual([1]);
    expect(within([], 1)).toEqual([]);
  });

  it('A change reads the lines that it made alone', () => {
    const text = new Edited(Array.from({ length: 1000 }, (_, index) => (index % 100 === 0 ? '(in-package :a)' : 'x')));
    expect(text.packages.before(450)).toEqual([401, 301, 201, 101, 1]);
    text.reads = 0;
    text.replace(150, 151, ['(in-package :b)']);
    expect(text.packages.before(450)).toEqual([400, 300, 200, 150, 101, 1]);
    expect(text.reads).toBe(1);
  });

  it('After any changes the lines are those of the text', () => {
    const below = random(7);
    const line = (): string => (below(3) === 0 ? '(in-package :p)' : '(list 1)');
    const text = new Edited(Array.from({ length: 40 }, line));
    for (let round = 0; round < 400; round += 1) {
      const first = 1 + below(text.lines.length);
      const last = Math.min(text.lines.length, first + below(4));
      text.replace(first, last, Array.from({ length: 1 + below(4) }, line));
      if (round % 50 === 49) {
        text.lines = Array.from({ length: 30 }, line);
        text.packages.changed(null);
      }
      expect(text.packages.before(text.lines.length)).toEqual(within(text.lines, text.lines.length));
    }
  });
});
