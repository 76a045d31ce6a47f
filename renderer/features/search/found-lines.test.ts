import { describe, expect, it } from 'vitest';
import { linePieces } from './found-lines.ts';

describe('rows of found lines', () => {
  const shown = (text: string, marks: [number, number][]): string =>
    linePieces({ text, marks })
      .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
      .join('');

  it('What matched is apart from what stands around it, and blanks at both ends are left out', () => {
    const text = '  (total total)  ';
    expect(
      shown(text, [
        [3, 8],
        [9, 14],
      ]),
    ).toBe('([total] [total])');
    expect(shown(text, [[0, 8]])).toBe('[(total] total)');
    expect(shown(text, [])).toBe('(total total)');
    expect(shown('   ', [[0, 3]])).toBe('');
  });

  it('Of a line whose match is far behind, what stands before the match is shown', () => {
    const begin = 'x'.repeat(70);
    expect(shown(`${begin}total)`, [[70, 75]])).toBe(`…${'x'.repeat(30)}[total])`);
  });
});
