import { describe, expect, it } from 'vitest';
import { deadForms } from './conditionals.ts';

const dead = (text: string): string[] => deadForms(text).map(({ start, end }) => text.slice(start, end));

describe('reader conditionals', () => {
  it('What another implementation alone would read, and what is commented out by a false feature, is dead', () => {
    expect(dead('#+ccl (a) #-sbcl (b) #+sbcl (c) #-ccl (d)')).toEqual(['#+ccl (a)', '#-sbcl (b)']);
    expect(dead('#+nil (a) #+(or) (b) #-(and) (c) #+(and) (d)')).toEqual(['#+nil (a)', '#+(or) (b)', '#-(and) (c)']);
  });

  it('Features of the machine, and those that libraries bring, are left as they are', () => {
    expect(dead('#+x86-64 (a) #-quicklisp (b) #+(or sbcl unix) (c) #+(and ccl unix) (d) #+(not sbcl) (e)')).toEqual([
      '#+(and ccl unix) (d)',
      '#+(not sbcl) (e)',
    ]);
  });

  it('A conditional within a live form is found, one within a dead form is not told again', () => {
    expect(dead('(f #+ccl 1 #+sbcl 2) #+ccl (g #+ecl 3)')).toEqual(['#+ccl 1', '#+ccl (g #+ecl 3)']);
  });
});
