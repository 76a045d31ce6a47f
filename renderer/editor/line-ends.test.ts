import { describe, expect, it } from 'vitest';
import { lineEndsOf } from './line-ends.ts';

describe('line ends of a text', () => {
  it('One kind of line end is told by its name, several are mixed, and one line has those of Unix [B14]', () => {
    expect(['(a)', '', '(a)\n(b)\n', '\n'].map(lineEndsOf)).toEqual(['LF', 'LF', 'LF', 'LF']);
    expect(['(a)\r\n(b)', '\r\n'].map(lineEndsOf)).toEqual(['CRLF', 'CRLF']);
    expect(['(a)\r\n(b)\n', '\n\r\n', '(a)\r(b)', '(a)\r\r\n'].map(lineEndsOf)).toEqual(Array(4).fill('mixed'));
  });
});
