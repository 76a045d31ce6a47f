import { readText } from '#contract/sexp/reader.ts';
import { describe, expect, it } from 'vitest';
import { listAt } from './form-path.ts';

/** Returns the list that contains the position `¦`, its path, and whether it has a prefix. */
function at(marked: string) {
  const offset = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const found = listAt(readText(text).forms, offset);
  return found && [text.slice(found.form.start, found.form.end), found.path, found.prefixed];
}

describe('the list at a place', () => {
  it('The innermost list around the place is found, with its path from the top-level form', () => {
    expect(at('(a) (when x (unless ¦y (z)))')).toEqual(['(unless y (z))', [2], false]);
    expect(at('(when x (unless y (z¦)))')).toEqual(['(z)', [2, 2], false]);
    expect(at('(wh¦en x)')).toEqual(['(when x)', [], false]);
  });

  it('A list counts from its first parenthesis on, and at its end where no other is', () => {
    expect(at('(when x ¦(unless y))')).toEqual(['(unless y)', [2], false]);
    expect(at('(when x)¦')).toEqual(['(when x)', [], false]);
    expect(at('(when x)¦(list)')).toEqual(['(list)', [], false]);
    expect(at('(list) ¦x')).toBeNull();
  });

  it('A list behind a prefix, or within one, is told as such', () => {
    expect(at("(f '(when ¦x))")).toEqual(["'(when x)", [1], true]);
    expect(at('(f `(list (when ¦x)))')).toEqual(['(when x)', [1, 1], true]);
  });
});
