import { describe, expect, it } from 'vitest';
import { symbolPattern } from './symbol-pattern.ts';

describe('the pattern of a symbol', () => {
  const isIn = (symbol: string, text: string): boolean => new RegExp(symbolPattern(symbol), 'ui').test(text);

  it('A symbol is found as a whole, in any case, with and without its package', () => {
    for (const text of ['price', '(price cart)', "#'price", '(PRICE)', 'shop:price', 'shop::price', ',@price', '#:price'])
      expect(isIn('shop:price', text), text).toBe(true);
    for (const text of ['price-list', 'the-price', ':price', "':price", 'prices', 'price*'])
      expect(isIn('price', text), text).toBe(false);
  });

  it('A keyword is found where a keyword stands, and signs of expressions stand for themselves', () => {
    expect(isIn(':price', '(f :price 1)')).toBe(true);
    expect(isIn(':price', '(f price)')).toBe(false);
    expect(isIn('*price+$*', '(setf *price+$* 1)')).toBe(true);
    expect(isIn('a.b', '(a-b)')).toBe(false);
  });
});
