import { describe, expect, it } from 'vitest';
import { occurrencesIn } from './occurrences.ts';

const found = (text: string, symbol: string): string[] =>
  occurrencesIn(text, symbol).map(({ start, end }) => `${start}:${text.slice(start, end)}`);

describe('the places of a symbol in a text', () => {
  it('A symbol is found in any case, quoted, sharp-quoted and with its package', () => {
    expect(found("(total 'total #'TOTAL shop:total)", 'total')).toEqual(['1:total', '8:total', '16:TOTAL', '27:total']);
  });

  it('Strings, comments, parts of other names and keywords are no places of it', () => {
    expect(found('"total" ; total\n(total-of :total) #| total |#', 'total')).toEqual([]);
  });

  it('A keyword is found as a keyword alone', () => {
    expect(found('(f :size size)', ':size')).toEqual(['4:size']);
  });
});
