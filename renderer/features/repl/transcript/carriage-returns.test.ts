import { describe, expect, it } from 'vitest';
import { writtenOver } from './carriage-returns.ts';

describe('carriage returns in output', () => {
  it.each([
    [['10 %\r20 %\r100 %\ndone'], ['100 %\ndone']],
    [
      ['first\n10 %', '\r20 %', '\r', '30 %\nend'],
      ['first\n', '', '', '30 %\nend'],
    ],
    [['half\r'], ['half']],
    [
      ['one\r\ntwo\r\r\n', 'three'],
      ['one\ntwo\n', 'three'],
    ],
    [
      ['over\r', '\nnext'],
      ['over', '\nnext'],
    ],
    [['no return\n'], ['no return\n']],
  ])('Output with carriage returns, %j, is shown as %j', (texts, shown) => {
    expect(writtenOver(texts)).toEqual(shown);
  });
});
