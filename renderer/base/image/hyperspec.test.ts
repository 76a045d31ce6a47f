import { describe, expect, it, vi } from 'vitest';
import { type NameHome, standardSymbol } from './hyperspec.ts';

// Replaced because notifications need a page.
vi.mock('../notices/notices.tsx', () => ({ notify: () => () => undefined }));

const told = (symbol: string, home: string, found = true): NameHome => ({
  found,
  symbol,
  package: home,
  unknownPackage: false,
});

describe('symbols of the standard', () => {
  it('A symbol is the standard’s where the image says that it is of COMMON-LISP, however it is written', () => {
    expect([
      standardSymbol('car', told('CAR', 'COMMON-LISP')),
      standardSymbol('cl-user::car', told('CAR', 'COMMON-LISP')),
      standardSymbol('|CAR|', told('CAR', 'COMMON-LISP')),
      standardSymbol('(setf car)', told('(SETF CAR)', 'COMMON-LISP')),
    ]).toEqual(['car', 'car', 'car', 'car']);
  });

  it('A symbol of another package that is spelled alike is not the standard’s, nor is one that the image does not have', () => {
    expect([
      standardSymbol('car', told('VEHICLES::CAR', 'VEHICLES')),
      standardSymbol('car', told('car', 'VEHICLES', false)),
      standardSymbol('|car|', told('|car|', 'COMMON-LISP')),
      standardSymbol('frobnicate', told('FROBNICATE', 'COMMON-LISP')),
    ]).toEqual([null, null, null, null]);
  });

  it('Where the image says nothing of the package the spelling decides, with no prefix or that of COMMON-LISP', () => {
    const unknown: NameHome = { ...told('car', 'SHOP', false), unknownPackage: true };
    expect([
      standardSymbol('Car', null),
      standardSymbol('CL:CAR', null),
      standardSymbol('common-lisp:car', null),
      standardSymbol('car', unknown),
      standardSymbol('+', null),
    ]).toEqual(['car', 'car', 'car', 'car', '+']);
    expect([
      standardSymbol('vehicles:car', null),
      standardSymbol(':car', null),
      standardSymbol('cart', null),
      standardSymbol('|car|', null),
    ]).toEqual([null, null, null, null]);
  });
});
