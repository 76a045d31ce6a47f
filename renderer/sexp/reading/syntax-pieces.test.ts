import { readText } from '#contract/sexp/reader.ts';
import { describe, expect, it } from 'vitest';
import { batchesOf, FaultlessPieces, packagesMadeIn, piecesOf } from './syntax-pieces.ts';

const pieces = (text: string) => piecesOf(text, readText(text));

describe('the pieces of a text', () => {
  it('The pieces together are the text, whatever stands between its forms', () => {
    for (const text of [
      '',
      '; only a comment',
      '(a) ) #| b |# (c\n(d) "e',
      "#+sbcl (x)\n#-(or) 'y\n\n;; end",
      '(defun f (x)\r\n  x)\r\n',
    ]) {
      const all = pieces(text);
      expect(all.map((piece) => piece.text).join('')).toBe(text);
      for (const { start, text: part } of all) expect(text.slice(start, start + part.length)).toBe(part);
    }
  });

  it('Forms that several conditionals may leave out together are one piece', () => {
    expect(pieces('(a)\n#+nil\n#+nil (b) (c)\n(d)').map(({ text }) => text)).toEqual([
      '(a)',
      '\n#+nil\n#+nil (b) (c)',
      '\n(d)',
    ]);
  });

  it('Behind the last form is a piece without one, which lacks no closer', () => {
    expect(pieces('(a) ; end')).toEqual([
      { start: 0, text: '(a)', form: 0, closed: true },
      { start: 3, text: ' ; end', form: null, closed: true },
    ]);
  });

  it('A form that is never closed is a piece of its own, up to the next one in the first column', () => {
    const [first, second] = pieces('(defun f (x\n(defun g ())');
    expect(first).toMatchObject({ form: 0, closed: false });
    expect(second).toMatchObject({ form: 12, closed: true, start: first!.text.length });
  });

  it('Batches keep the order and hold about the size that is wanted, however long one piece is', () => {
    const all = pieces(Array.from({ length: 10 }, (_, index) => `(f ${'x'.repeat(index * 7)})`).join('\n'));
    const batches = batchesOf(all, 40);
    expect(batches.flat()).toEqual(all);
    expect(batches.length).toBeGreaterThan(3);
    expect(batches[0]!.length).toBeGreaterThan(1);
    for (const batch of batches)
      expect(batch.slice(0, -1).reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(40);
    expect(batchesOf([], 40)).toEqual([]);
  });
});

describe('packages that a text makes', () => {
  it('Packages are found by their names in any notation, with and without a package of the operator', () => {
    const text =
      '(defpackage #:shop) (uiop:define-package "Cart") (make-package :|a b|) (defun defpackage (x)) (list) () (defpackage) x';
    expect(packagesMadeIn(text, readText(text).forms)).toEqual(['SHOP', 'Cart', 'a b']);
  });

  it('Nicknames and local nicknames are names of packages, too', () => {
    const text =
      '(defpackage #:shop (:use #:cl) (:nicknames #:s "Store") (:local-nicknames (#:l #:ledger) (:a "ALEXANDRIA") ()))' +
      ' (sb-ext:add-package-local-nickname :p :cl-ppcre :shop) (defpackage)';
    expect(packagesMadeIn(text, readText(text).forms)).toEqual(['SHOP', 'S', 'Store', 'L', 'A', 'P']);
  });
});

describe('pieces without a fault', () => {
  it('A piece is a suspect until it is remembered, and again once it or what surrounds it differs', () => {
    const known = new FaultlessPieces();
    const before = pieces('(a) (b)');
    expect(known.suspects(before, 'CL-USER')).toEqual(before);
    known.remember(before[0]!);
    expect(known.suspects(before, 'CL-USER')).toEqual([before[1]]);
    const after = pieces('(a) (b c) (d)');
    expect(known.suspects(after, 'CL-USER')).toEqual(after.slice(1));
    expect(known.suspects(after, 'SHOP')).toEqual(after);
  });

  it('Texts of one length, with the same characters in another order, are different', () => {
    for (const [one, other] of [
      ['(a)', '(b)'],
      ['(ab)', '(ba)'],
      ['(😀)', '(😁)'],
    ]) {
      const known = new FaultlessPieces();
      const [piece] = pieces(one!);
      known.suspects([piece!], '');
      known.remember(piece!);
      expect(known.suspects(pieces(other!), '')).toHaveLength(1);
    }
  });

  it('What left the text is forgotten', () => {
    const known = new FaultlessPieces();
    const [one] = pieces('(a)');
    known.suspects([one!], '');
    known.remember(one!);
    known.suspects([], '');
    expect(known.suspects([one!], '')).toEqual([one]);
  });
});
