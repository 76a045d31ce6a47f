import { describe, expect, it } from 'vitest';
import { lineEndsOf, sameText, withEnds } from './line-ends.ts';

describe('line ends of a text', () => {
  it('One kind of line end is told by its name, several are mixed, and one line has those of Unix [B14]', () => {
    expect(['(a)', '', '(a)\n(b)\n', '\n'].map(lineEndsOf)).toEqual(['LF', 'LF', 'LF', 'LF']);
    expect(['(a)\r\n(b)', '\r\n'].map(lineEndsOf)).toEqual(['CRLF', 'CRLF']);
    expect(['(a)\r(b)\r', '\r', '\r\r'].map(lineEndsOf)).toEqual(['CR', 'CR', 'CR']);
    const mixed = ['(a)\r\n(b)\n', '\n\r\n', '(a)\r(b)\n', '(a)\r\r\n', '\n\r'];
    expect(mixed.map(lineEndsOf)).toEqual(mixed.map(() => 'mixed'));
  });

  it('A text whose file has CR alone gets it back, and other texts stay as the editor has them [B14]', () => {
    expect([withEnds('(a)\n(b)\n', 'CR'), withEnds('(a)\r\n(b)\r\n', 'CR')]).toEqual(['(a)\r(b)\r', '(a)\r(b)\r']);
    expect([withEnds('(a)\n', 'LF'), withEnds('(a)\r\n', 'CRLF'), withEnds('(a)\n', 'mixed')]).toEqual([
      '(a)\n',
      '(a)\r\n',
      '(a)\n',
    ]);
  });

  it('Texts are the same whatever the ends of their lines, and not where a line is another', () => {
    expect(['a\nb\n', 'a\r\nb\r\n', 'a\rb\r', 'a\r\nb\n'].map((text) => sameText(text, 'a\nb\n'))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['a\nb', 'a\n\nb\n', 'a\nc\n'].map((text) => sameText(text, 'a\nb\n'))).toEqual([false, false, false]);
  });
});
