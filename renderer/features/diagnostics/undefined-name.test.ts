import { describe, expect, it } from 'vitest';
import { undefinedName } from './undefined-name.ts';

describe('undefined name', () => {
  it('SBCL tells an undefined function or variable by its name', () => {
    expect(undefinedName('undefined function: SHOP::TOTAL')).toEqual({
      symbol: 'SHOP::TOTAL',
      kinds: ['function', 'generic function'],
    });
    expect(undefinedName('undefined variable: *CART*')).toEqual({ symbol: '*CART*', kinds: ['variable', 'constant'] });
  });

  it('Other warnings, and names that are no symbols, are none', () => {
    expect(undefinedName('undefined function: (SETF TOTAL)')).toBeNull();
    expect(undefinedName('The variable Y is defined but never used.')).toBeNull();
    expect(undefinedName('undefined type: CART')).toBeNull();
  });
});
