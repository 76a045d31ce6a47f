import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

describe('places of warnings in evaluated code', () => {
  let image: TestImage;
  beforeAll(async () => {
    image = await openTestImage();
  });
  afterAll(() => image.close());

  /** Returns the pieces of text that the warnings of an evaluation point to, in order; null for a warning without a location. */
  async function placed(code: string): Promise<(string | null)[]> {
    const { warnings } = await image.evaluate(code);
    return warnings.map(({ start, end }) => (start === null || end === null ? null : code.slice(start, end)));
  }

  it('An unused variable is marked at its name, a type conflict at its form', async () => {
    expect(await placed('(defun shipping (cart country)\n  "Cents, λ."\n  (list cart))')).toEqual(['country']);
    expect(await placed('(defun sum (x)\n  ; 😀 a comment\n  (list x (+ 1 "two")))')).toEqual(['(+ 1 "two")']);
  });

  it('Names that are not defined are marked where they stand', async () => {
    expect(await placed('(defun f (x) (surely-not-there-1 x))')).toEqual(['surely-not-there-1']);
    expect(await placed('(defun g () (list not-a-variable-1))')).toEqual(['not-a-variable-1']);
  });

  it('The second of two forms, reader conditionals, quotes and macros between do not shift a place', async () => {
    expect(
      await placed(`(defvar *one* 1)
#+nil (defun hidden (unused) 1)
(defun h (a)
  #-sbcl (car 1) '(a b) #'car
  (when a (let ((left 1) (right-one 2)) (list left))))`),
    ).toEqual(['right-one']);
  });

  it('A warning about what a macro made is marked at the call of the macro', async () => {
    await image.evaluate('(defmacro made-by-macro () (list (quote let) (quote ((nobody-wrote-this 1))) 1))');
    expect(await placed('(defun m () (made-by-macro))')).toEqual(['(made-by-macro)']);
  });
});
