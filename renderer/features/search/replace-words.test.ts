import { describe, expect, it } from 'vitest';
import { outcomeOf, questionOf } from './replace-words.ts';

const sought = { pattern: 'total', replacement: 'sum' };

describe('words of a replacement', () => {
  it('Where all files are changed, none is said to be left', () => {
    expect(questionOf({ ...sought, files: 2, changed: 2 })).toEqual({
      title: 'Replace “total” in 2 files?',
      text: 'Each is opened with “sum” in its place and left unsaved, so that you can look at it, undo it and save it.',
    });
    expect(outcomeOf({ files: 2, changed: 2 }, { places: 3, texts: 2 })).toBe(
      'Replaced 3 places in 2 texts. None is saved yet.',
    );
  });

  it('Files beyond those that are changed at once are counted before and after', () => {
    const { title, text } = questionOf({ ...sought, files: 111, changed: 100 });
    expect(title).toBe('Replace “total” in 100 of 111 files?');
    expect(text).toMatch(/So many are changed at once; 11 files are left for another turn\.$/);
    expect(outcomeOf({ files: 101, changed: 100 }, { places: 100, texts: 100 })).toBe(
      'Replaced 100 places in 100 texts. None is saved yet. 1 file is left as before.',
    );
  });
});
