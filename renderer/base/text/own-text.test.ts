import { describe, expect, it } from 'vitest';
import { ownText } from './own-text.ts';

describe('text of its own', () => {
  it('The copy of a text is the text from its start on, of any length and with any characters', () => {
    for (const length of [0, 1, 8191, 8192, 8193, 30_000]) {
      const text = `é😀\uD800${'x'.repeat(length)}\n𝒳`;
      expect(ownText(text)).toBe(text);
      expect(ownText(text, 3)).toBe(text.slice(3));
    }
    expect(ownText('abc', 5)).toBe('');
  });
});
