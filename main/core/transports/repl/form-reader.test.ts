import { describe, expect, it } from 'vitest';
import { FormReader } from './form-reader.ts';

function readerOf(...lines: string[]): FormReader {
  const reader = new FormReader();
  for (const line of lines) reader.add(line);
  return reader;
}

function allOf(reader: FormReader): string[] {
  const pieces: string[] = [];
  for (let piece = reader.next(); piece !== null; piece = reader.next()) pieces.push(piece);
  return pieces;
}

describe('forms of a line REPL', () => {
  it.each<[string, string[], string[], boolean]>([
    ['one form', ['(+ 1 2)'], ['(+ 1 2)'], false],
    ['several on a line', ['1 (a) "b"'], ['1', ' (a)', ' "b"'], false],
    ['one over lines', ['(a', ' b)'], ['(a\n b)'], false],
    ['one that is not whole', ['(a', '(b)'], [], true],
    ['a whole one before one that is not', ['(a) (b'], ['(a)'], true],
    ['a string over lines', ['"a', ')"'], ['"a\n)"'], false],
    ['a string that is not whole', ['"a)'], [], true],
    ['a quote that waits', ["'"], [], true],
    ['a block comment over lines', ['#| (', '|# 1'], ['#| (\n|# 1'], false],
    ['a feature before its form', ['#+nope', '(a) (b)'], ['#+nope\n(a)', ' (b)'], false],
    ['comments and blanks', ['; (a', '', '   '], [], false],
    ['a form with a comment behind it', ['(a) ; and (b', '(c)'], ['(a)', '(c)'], false],
    ['a parenthesis too many', ['(a)) (b)'], ['(a)', ')', ' (b)'], false],
    ['parentheses too many', ['))'], [')', ')'], false],
    ['a character that is a parenthesis', ['(list #\\( #\\))'], ['(list #\\( #\\))'], false],
  ])('A line REPL takes %s apart by the standard syntax [L24, decision 25]', (_what, lines, pieces, begun) => {
    const reader = readerOf(...lines);
    expect({ pieces: allOf(reader), begun: reader.begun }).toEqual({ pieces, begun });
  });

  it('The rest of a line is for code that reads one, and a blank rest is not [L24, decision 25]', () => {
    const reader = readerOf('(read-line) the rest', '(next)');
    expect(reader.next()).toBe('(read-line)');
    expect(reader.takeLine()).toBe(' the rest');
    expect(reader.next()).toBe('(next)');
    const blank = readerOf('(read-line)  ', 'hello');
    expect(blank.next()).toBe('(read-line)');
    expect(blank.takeLine()).toBe('hello');
    expect(blank.takeLine()).toBeNull();
  });

  it("A piece that the image's reader wants more of goes on with the next form, until an empty line [L24, decision 25]", () => {
    const reader = readerOf('$(a b) c');
    expect(reader.next()).toBe('$');
    reader.putBack('$');
    expect(reader.next()).toBe('$(a b)');
    reader.putBack('$(a b)');
    expect(reader.next()).toBe('$(a b) c');
    reader.putBack('$(a b) c');
    expect(reader.next()).toBeNull();
    reader.add('');
    expect(reader.next()).toBe('$(a b) c\n\n');
    expect(reader.begun).toBe(false);
  });

  it('A long form that comes in many lines is not looked at for each of them [K6]', () => {
    const reader = new FormReader();
    const started = performance.now();
    reader.add('(list');
    for (let line = 0; line < 100_000; line += 1) {
      reader.add('  "a line of some length, with (parentheses) in it"');
      reader.next(true);
    }
    // Each check takes milliseconds, so checking at each of 100,000 lines would take minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
    reader.add(')');
    expect(reader.next()).toMatch(/^\(list[^]*\)$/);
  }, 60_000);
});
