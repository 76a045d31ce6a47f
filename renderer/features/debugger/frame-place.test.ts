import { describe, expect, it } from 'vitest';
import type { FrameSource } from '#contract/image/debugger.ts';
import { offsetOfLine, placeIn } from './frame-place.ts';

const FORM = '(defun f (n)\n  (/ n 0))';

function source(more: Partial<FrameSource>, offset = 0): FrameSource {
  return {
    file: '/p/a.lisp',
    offset: null,
    line: 1,
    evaluation: null,
    form: null,
    path: [],
    toplevelForm: 0,
    changed: null,
    running: { text: FORM, offset, start: 15, end: 22, line: 2 },
    ...more,
  };
}

describe('place of a frame in a text', () => {
  it('The running form of code from a file is found at its offset in the file [issue 11.3]', () => {
    const text = `;;; one\n${FORM}\n`;
    const place = placeIn(text, source({}, 8))!;
    expect(text.slice(place.start, place.end)).toBe('(/ n 0)');
  });

  it('The running form of evaluated code is found from where it was evaluated, also when the text has moved since [issue 11.3]', () => {
    const evaluated = source({ evaluation: 'e1', offset: 100 });
    const text = `${' '.repeat(150)}${FORM}${' '.repeat(300)}${FORM}`;
    expect(placeIn(text, evaluated)).toEqual({ start: 165, end: 172 });
    const before = `${FORM}\n${'x'.repeat(60)}\n${FORM}`;
    expect(placeIn(before, evaluated)?.start).toBe(before.lastIndexOf('(/ n 0)'));
  });

  it('A text that is not what was compiled has no place for the frame [issue 11.3]', () => {
    expect(placeIn('(defun f (n)\n  (/ n 1))', source({}))).toBeNull();
    expect(placeIn(FORM, source({ running: null }))).toBeNull();
  });

  it('The offset of a line is known as far as the text goes [issue 11.3]', () => {
    expect(['a\nbc\n', 'a'].map((text) => [1, 2, 3].map((line) => offsetOfLine(text, line)))).toEqual([
      [0, 2, 5],
      [0, null, null],
    ]);
  });
});
