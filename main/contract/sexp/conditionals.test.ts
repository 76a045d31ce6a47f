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

  it('With the features of an image each conditional is decided, however it is nested and wherever it stands', () => {
    const text =
      '#+lispworks8\n(a)\n\n#-(and sbcl (or x86-64 (not unix)))\n; a comment (\n(b)\n#+(not (and quicklisp sbcl))\n(c)\n#+quicklisp\n(d)';
    const spans = deadForms(text, undefined, new Set(['sbcl', 'x86-64', 'quicklisp']));
    expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual([
      '#+lispworks8\n(a)',
      '#-(and sbcl (or x86-64 (not unix)))\n; a comment (\n(b)',
      '#+(not (and quicklisp sbcl))\n(c)',
    ]);
    expect(dead(text)).toEqual([]);
  });

  it('A conditional that is left out itself leaves out one form more', () => {
    expect(dead('(f #+nil #+nil a b c)')).toEqual(['#+nil #+nil a', 'b']);
    expect(dead('#+nil #+sbcl a b')).toEqual(['#+nil #+sbcl a']);
    expect(dead('#+nil a #+nil #-sbcl #+nil b #+sbcl c d e')).toEqual(['#+nil a', '#+nil #-sbcl #+nil b', 'c', 'd']);
  });

  it('A conditional within a live form is found, one within a dead form is not told again', () => {
    expect(dead('(f #+ccl 1 #+sbcl 2) #+ccl (g #+ecl 3)')).toEqual(['#+ccl 1', '#+ccl (g #+ecl 3)']);
  });
});
