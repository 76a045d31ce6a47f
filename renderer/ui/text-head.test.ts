import { describe, expect, it } from 'vitest';
import { textHead } from './text-head.ts';

describe('the beginning of a long text', () => {
  it('A text that is short enough is whole, and a longer one ends with a line where one ends near', () => {
    expect(textHead('one\ntwo', 7)).toBe('one\ntwo');
    expect(textHead('one\ntwo\nthree', 9)).toBe('one\ntwo');
    expect(textHead('a\nvery long line', 10)).toBe('a\nvery lon');
  });

  it('A character of two code units is whole or left out', () => {
    expect(textHead('ab😀c', 3)).toBe('ab');
    expect(textHead('ab😀c', 4)).toBe('ab😀');
  });
});
