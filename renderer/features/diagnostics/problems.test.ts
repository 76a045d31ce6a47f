import { beforeEach, describe, expect, it } from 'vitest';
import type { Diagnostic } from '#contract/image/compilation.ts';
import {
  clearProblems,
  countProblems,
  countWords,
  forgetDiagnostics,
  type Problem,
  problems,
  tellCompilation,
} from './problems.ts';

function diagnostic(file: string | null, message: string): Diagnostic {
  return { severity: 'warning', type: 'WARNING', message, file, start: 0, end: 1, line: 1, column: 0, context: null };
}

function problem(file: string, line: number, column = 1): Problem {
  const id = `${file}:${line}:${column}`;
  return { id, severity: 'warning', message: id, type: 'WARNING', file, line, column, context: null, elsewhere: false };
}

const told = (): string[] =>
  [...problems.getState().compiled].flatMap(([of, all]) => all.map(({ message }) => `${of}: ${message}`));

describe('what compilations said', () => {
  beforeEach(clearProblems);

  it('A later compilation of a system replaces what the one before said of the files that it compiled', () => {
    tellCompilation('system shop', [
      { file: '/a.lisp', diagnostics: [diagnostic('/a.lisp', 'one')] },
      { file: null, diagnostics: [diagnostic(null, 'nowhere')] },
    ]);
    tellCompilation('system shop', [{ file: '/b.lisp', diagnostics: [diagnostic('/b.lisp', 'two')] }]);
    expect(told()).toEqual(['system shop: one', 'system shop: two']);
    // A load that compiles nothing, because all files are already compiled, does not change the known problems.
    tellCompilation('system shop', []);
    expect(told()).toEqual(['system shop: one', 'system shop: two']);
    tellCompilation('system shop', [{ file: '/a.lisp', diagnostics: [] }]);
    expect(told()).toEqual(['system shop: two']);
  });

  it('Compiling a file again takes away what its system said of it, and of no other file', () => {
    tellCompilation('system shop', [
      { file: '/a.lisp', diagnostics: [diagnostic('/a.lisp', 'one')] },
      { file: '/b.lisp', diagnostics: [diagnostic('/b.lisp', 'two')] },
    ]);
    tellCompilation('/a.lisp', [{ file: '/a.lisp', diagnostics: [] }]);
    expect(told()).toEqual(['system shop: two']);
  });
});

describe('a form that is mended by itself', () => {
  beforeEach(clearProblems);

  it('What a load said of it is over, and what it said of others is not', () => {
    const [mended, left] = [diagnostic('/a.lisp', 'one'), diagnostic('/a.lisp', 'two')];
    tellCompilation('system shop', [{ file: '/a.lisp', diagnostics: [mended, left] }]);
    forgetDiagnostics(new Set([mended]));
    expect(told()).toEqual(['system shop: two']);
    forgetDiagnostics(new Set([left]));
    expect(told()).toEqual([]);
  });
});

it('The tab and the status bar count the errors and warnings of the project [issue 39.2]', () => {
  const listed = (['error', 'warning', 'warning', 'note'] as const).map((severity, line) => ({
    ...problem('/a.lisp', line),
    severity,
  }));
  const others = listed.map((each) => ({ ...each, elsewhere: true }));
  expect(countProblems([...listed, ...others])).toEqual({ error: 1, warning: 2, note: 1 });
  expect(countWords(countProblems(listed))).toBe('1 error, 2 warnings');
  expect(countWords(countProblems(listed.slice(0, 1)))).toBe('1 error, 0 warnings');
});
