import { describe, expect, it } from 'vitest';
import { colouredPieces, withoutColours } from './colours.ts';

const ESC = '\u001B';

describe('colours of what is printed', () => {
  it('Text without sequences is one piece, in the colour from before', () => {
    expect(colouredPieces('plain')).toEqual({ pieces: [{ text: 'plain', tone: null }], after: null });
    expect(colouredPieces('more', 'error')).toEqual({ pieces: [{ text: 'more', tone: 'error' }], after: 'error' });
  });

  it('A colour holds until it is reset, also over the end of a text', () => {
    expect(colouredPieces(`${ESC}[1;32m✓${ESC}[0m passed ${ESC}[31m✗`)).toEqual({
      pieces: [
        { text: '✓', tone: 'success' },
        { text: ' passed ', tone: null },
        { text: '✗', tone: 'error' },
      ],
      after: 'error',
    });
  });

  it('Bold text stands out, bright black is faint, and white and the default are as around', () => {
    const { pieces } = colouredPieces(`${ESC}[1ma${ESC}[22mb${ESC}[90mc${ESC}[37md${ESC}[34me${ESC}[39mf${ESC}[mg`);
    expect(pieces.map(({ tone }) => tone)).toEqual([1, null, 3, null, 'accent', null, null]);
  });

  it('The numbers of other palettes are not taken for colours of this one', () => {
    expect(colouredPieces(`${ESC}[38;5;31ma${ESC}[48;2;32;33;31mb`).pieces.map(({ tone }) => tone)).toEqual([
      null,
      null,
    ]);
  });

  it('Other sequences stay in the text, where they are seen', () => {
    expect(colouredPieces(`${ESC}[2Ja${ESC}[3`).pieces).toEqual([{ text: `${ESC}[2Ja${ESC}[3`, tone: null }]);
  });

  it('What is copied has no sequences of colours', () => {
    expect(withoutColours(`${ESC}[1;32mok${ESC}[0m ${ESC}[2J`)).toBe(`ok ${ESC}[2J`);
  });
});
