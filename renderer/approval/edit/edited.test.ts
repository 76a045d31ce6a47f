import { describe, expect, it } from 'vitest';
import { changedLines, changedWords, editedArguments, fromArea, lineEndsOf, toArea } from './edited.ts';

describe('edited argument', () => {
  it('An edited argument goes out with all the others as they were [X12]', () => {
    const card = {
      arguments: [
        { name: 'path', value: 'a.lisp' },
        { name: 'content', value: '(a)\n' },
      ],
      editable: 'content',
    };
    expect(editedArguments(card, '(b)\n')).toEqual({ path: 'a.lisp', content: '(b)\n' });
  });

  it.each([
    ['a\nb', 'lf'],
    ['a\r\nb\r\n', 'crlf'],
    ['a\r\nb\n', 'mixed'],
    ['a\rb', 'mixed'],
    ['', 'lf'],
  ])('The text %j has line ends %s [X12]', (text, ends) => {
    expect(lineEndsOf(text)).toBe(ends);
  });

  it.each([
    ['keeps CR LF', 'a\r\nb\r\n', 'a\nc\n', 'a\r\nc\r\n'],
    ['keeps LF', 'a\nb\n', 'a\nc\n', 'a\nc\n'],
    ['untouched is the original to the byte', 'a\r\nb\rc\n', 'a\nb\nc\n', 'a\r\nb\rc\n'],
    ['of mixed line ends has LF alone', 'a\r\nb\n', 'a\nc\n', 'a\nc\n'],
  ])('The line ends of an edited text are right: %s [X12]', (_title, original, area, expected) => {
    expect(fromArea(area, original)).toBe(expected);
  });

  it.each([
    ['a\nb\nc', 'a\nb\nc', { added: 0, removed: 0 }],
    ['a\nb\nc', 'a\nX\nc', { added: 1, removed: 1 }],
    ['a\nb\nc\nd\ne', 'a\nX\nc\nd\nY\nZ', { added: 3, removed: 2 }],
    ['a\nb\nc', 'a\nc', { added: 0, removed: 1 }],
    ['a\r\nb', 'a\nb\nc', { added: 1, removed: 0 }],
  ])('The changed lines are counted from %j to %j [X12]', (original, edited, changed) => {
    expect(changedLines(original, toArea(edited))).toEqual(changed);
  });

  it.each([
    [{ added: 0, removed: 0 }, 'Nothing is changed yet.'],
    [{ added: 1, removed: 1 }, '1 line changed'],
    [{ added: 3, removed: 1 }, '1 line changed, 2 lines added'],
    [{ added: 0, removed: 1200 }, '1,200 lines removed'],
  ])('The changed lines %o read as %s [X12]', (changed, words) => {
    expect(changedWords(changed)).toBe(words);
  });
});
