import { describe, expect, it } from 'vitest';
import { outcomeOf, questionOf } from './replace-words.ts';

const sought = { pattern: 'total', replacement: 'sum' };

describe('words of a replacement', () => {
  it('Where all files are changed, none is said to be left', () => {
    expect(questionOf({ ...sought, files: 2, changed: 2 })).toEqual({
      title: 'Replace “total” in 2 files?',
      text: 'Each file is opened with “sum” inserted and is not saved, so that you can check, undo and save the changes.',
    });
    expect(outcomeOf({ files: 2, changed: 2 }, { places: 3, texts: 2 })).toBe(
      'Replaced 3 places in 2 texts. Nothing is saved yet.',
    );
  });

  it('Files beyond those that are changed at once are counted before and after', () => {
    const { title, text } = questionOf({ ...sought, files: 111, changed: 100 });
    expect(title).toBe('Replace “total” in 100 of 111 files?');
    expect(text).toMatch(/Not all files can be changed at once; 11 files are left for the next replacement\.$/);
    expect(outcomeOf({ files: 101, changed: 100 }, { places: 100, texts: 100 })).toBe(
      'Replaced 100 places in 100 texts. Nothing is saved yet. 1 file is not changed.',
    );
  });
});
