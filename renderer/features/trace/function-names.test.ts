import { describe, expect, it } from 'vitest';
import { inUserPackage, withoutMethod } from './function-names.ts';

describe('names of traced functions', () => {
  it('What somebody types in a package is read in CL-USER', () => {
    expect(
      ['total', "#'total", 'shop:total', '(setf total)', '(method total (item))'].map((name) =>
        inUserPackage(name, 'SHOP'),
      ),
    ).toEqual(['SHOP::total', 'SHOP::total', 'shop:total', '(setf SHOP::total)', '(method total (item))']);
  });

  it('A method is listed without the word for that', () => {
    expect(['(METHOD SHOP:TOTAL :AROUND (T))', '(SETF PRICE)', 'FIB'].map(withoutMethod)).toEqual([
      'SHOP:TOTAL :AROUND (T)',
      '(SETF PRICE)',
      'FIB',
    ]);
  });
});
