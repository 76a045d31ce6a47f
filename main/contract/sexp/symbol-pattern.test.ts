import { describe, expect, it } from 'vitest';
import { symbolPattern } from './symbol-pattern.ts';

describe('the pattern of a symbol', () => {
  const isIn = (symbol: string, text: string): boolean => new RegExp(symbolPattern(symbol), 'ui').test(text);

  it('A symbol is found as a whole, in any case, with and without its package', () => {
    const uses = ['price', '(price cart)', "#'price", '(PRICE)', 'shop:price', 'shop::price', ',@price', '#:price'];
    expect(uses.filter((text) => !isIn('shop:price', text))).toEqual([]);
    const others = ['price-list', 'the-price', ':price', "':price", 'prices', 'price*'];
    expect(others.filter((text) => isIn('price', text))).toEqual([]);
  });

  it('A keyword is found where a keyword stands, and signs of expressions stand for themselves', () => {
    expect(isIn(':price', '(f :price 1)')).toBe(true);
    expect(isIn(':price', '(f price)')).toBe(false);
    expect(isIn('*price+$*', '(setf *price+$* 1)')).toBe(true);
    expect(isIn('a.b', '(a-b)')).toBe(false);
  });
});
