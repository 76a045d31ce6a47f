import { describe, expect, it } from 'vitest';
import { bracketsAt } from '../../../sexp/reading/brackets.ts';
import { shifted } from './paired-typing.ts';

describe('brackets in the input', () => {
  it('Closers that were put in are followed through edits before, between and after them', () => {
    expect(shifted({ text: '(a)', offsets: [2] }, '(list a)')).toEqual([7]);
    expect(shifted({ text: '(a)', offsets: [2] }, '(a) b')).toEqual([2]);
    expect(shifted({ text: '(a)', offsets: [2] }, '(a')).toEqual([]);
    expect(shifted({ text: '("")', offsets: [2, 3] }, '("x")')).toEqual([3, 4]);
    expect(shifted({ text: '(a (b))', offsets: [5, 6] }, '(a c)')).toEqual([4]);
  });

  it('The brackets of the list that ends before the caret are marked, else of the one that begins there', () => {
    expect(bracketsAt('(a (b))', 7)).toEqual({ open: 0, close: 6 });
    expect(bracketsAt('(a (b))', 6)).toEqual({ open: 3, close: 5 });
    expect(bracketsAt("(a '(b))", 4)).toEqual({ open: 4, close: 6 });
    expect([bracketsAt('(a', 0), bracketsAt('(a ")" b)', 5), bracketsAt('(a b)', 3)]).toEqual([null, null, null]);
  });
});
