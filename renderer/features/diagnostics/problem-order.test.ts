import { describe, expect, it } from 'vitest';
import { ALL, shownProblems } from './problem-filter.ts';
import { inOrder, nextProblem } from './problem-order.ts';
import type { Problem, Severity } from './problems.ts';

/** Returns a problem from a text such as `error a.lisp:3`; `lib/` marks a file outside the project. */
function problem(drawn: string): Problem {
  const [severity, place] = drawn.split(' ') as [Severity, string];
  const [file, line] = place.split(':') as [string, string];
  const named = { type: severity.toUpperCase(), message: `${severity} of ${file}`, context: null };
  return { id: drawn, severity, ...named, file, line: Number(line), column: 1, elsewhere: file.startsWith('lib/') };
}

const listed = inOrder(
  ['note lib/c.lisp:1', 'error lib/z.lisp:9', 'note b.lisp:1', 'warning b.lisp:8', 'error b.lisp:9', 'error b.lisp:2']
    .concat(['warning a.lisp:4', 'note a.lisp:1', 'error d.lisp:5', 'note e.lisp:7'])
    .map(problem),
);
const at = (file: string, line: number) => ({ file, line, column: 1 });
/** Returns the ids of the problems that a key leads to, pressed four times in a row. */
function walk(all: readonly Problem[], from: Parameters<typeof nextProblem>[1], direction: 1 | -1): string[] {
  let place = from;
  return [1, 2, 3, 4].map(() => {
    const next = nextProblem(all, place, direction)!;
    place = at(next.file!, next.line!);
    return next.id;
  });
}
const without = (severity: Severity): Problem[] => listed.filter((each) => each.severity !== severity);

describe('the order of problems', () => {
  it('The project comes before other files, files with errors come first, and errors come first in a file [issue 39.2]', () => {
    expect(listed.map(({ id }) => id)).toEqual([
      'error b.lisp:2',
      'error b.lisp:9',
      'warning b.lisp:8',
      'note b.lisp:1',
      'error d.lisp:5',
      'warning a.lisp:4',
      'note a.lisp:1',
      'note e.lisp:7',
      'error lib/z.lisp:9',
      'note lib/c.lisp:1',
    ]);
  });

  it('The key stays in a file while it has errors, in both directions [issue 39.2]', () => {
    expect(walk(listed, at('b.lisp', 2), 1)).toEqual([
      'error b.lisp:9',
      'error b.lisp:2',
      'error b.lisp:9',
      'error b.lisp:2',
    ]);
    expect(walk(listed, at('b.lisp', 1), -1).slice(0, 2)).toEqual(['error b.lisp:9', 'error b.lisp:2']);
    expect(nextProblem(listed, at('d.lisp', 5), 1)?.id).toBe('error d.lisp:5');
    expect(nextProblem(listed, at('lib/z.lisp', 1), 1)?.id).toBe('error lib/z.lisp:9');
  });

  it('From a file without errors the key leads to the errors of the project, then to its warnings, and to notes last [issue 39.2]', () => {
    expect(nextProblem(listed, at('a.lisp', 1), 1)?.id).toBe('error b.lisp:2');
    expect(nextProblem(listed, null, -1)?.id).toBe('error d.lisp:5');
    expect(
      nextProblem(
        listed.filter(({ elsewhere }) => elsewhere),
        at('a.lisp', 1),
        1,
      )?.id,
    ).toBe('error lib/z.lisp:9');
    expect(walk(without('error'), at('b.lisp', 1), 1)).toEqual([
      'warning b.lisp:8',
      'warning a.lisp:4',
      'warning b.lisp:8',
      'warning a.lisp:4',
    ]);
    const notes = listed.filter(({ severity }) => severity === 'note');
    expect(walk(notes, at('a.lisp', 1), 1)).toEqual([
      'note e.lisp:7',
      'note b.lisp:1',
      'note a.lisp:1',
      'note e.lisp:7',
    ]);
    expect(nextProblem([], null, 1)).toBeNull();
  });
});

describe('the filter of problems', () => {
  const ids = (filter: Partial<typeof ALL>): string[] =>
    shownProblems(listed, { ...ALL, elsewhere: false, ...filter }).map(({ id }) => id);

  it('Notes of other files are hidden, and their errors are not [issue 39.2]', () => {
    expect(ids({}).filter((id) => id.includes('lib/'))).toEqual(['error lib/z.lisp:9']);
    expect(ids({ elsewhere: true })).toHaveLength(listed.length);
  });

  it('Severities, and words of the message or the file, choose problems [issue 39.2]', () => {
    expect(ids({ hidden: new Set<Severity>(['error', 'note']) })).toEqual(['warning b.lisp:8', 'warning a.lisp:4']);
    expect(ids({ words: 'B.lisp error' })).toEqual(['error b.lisp:2', 'error b.lisp:9']);
    expect(ids({ words: 'nothing' })).toEqual([]);
  });
});
