/** The macro stepper. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let lisp: TestImage;

beforeAll(async () => {
  lisp = await openTestImage();
});

afterAll(() => lisp.close());

describe('macro stepper', () => {
  const expand = (form: string, mode: 'once' | 'fully' | 'compiler-macro' = 'once', steps: number[] | null = null) =>
    lisp.ask('macroexpand', { context: 'stepper', package: null, form, mode, path: steps });

  beforeAll(async () => {
    await lisp.evaluate(
      `(defmacro step-unless (test &body body) \`(if ,test nil (progn ,@body)))
       (defmacro step-broken () (error "No expansion."))
       (defmacro step-loud () (print "Loud.") (warn "Loud.") (write-line "Loud." *error-output*) nil)
       (defmacro step-endless () (loop))
       (define-compiler-macro step-add (&whole form x y) (if (eql y 0) x form))
       (defpackage :stepping (:use)) (set-macro-character #\\! (lambda (stream char) char (list 'quote (read stream))))`,
      { context: 'stepper' },
    );
  });

  it('The macro stepper expands once or all, with the names and the syntax of the context [D11]', async () => {
    const once = await expand('(step-unless !a (step-unless b c))');
    expect(once.text.replaceAll(/\s+/g, ' ')).toBe("(if 'a nil (progn (step-unless b c)))");
    expect(once).toEqual({ text: once.text, start: 0, end: once.text.length, changed: true, path: [], cut: 0 });
    expect((await expand('(step-unless a (step-unless b c))', 'fully')).text.replaceAll(/\s+/g, ' ')).toBe(
      '(if a nil (progn (if b nil (progn c))))',
    );
    await expect(expand('(list 1)')).resolves.toMatchObject({ text: '(list 1)', changed: false });
    await expect(expand('(step-add (f) 0)', 'compiler-macro')).resolves.toMatchObject({ text: '(f)', changed: true });
    await expect(expand('(step-add (f) 1)', 'compiler-macro')).resolves.toMatchObject({ changed: false });
  });

  it('What a macro does to the readtable while it is looked at does not stay in the image [D11]', async () => {
    await lisp.evaluate(
      '(defmacro step-reads () (setf (readtable-case *readtable*) :preserve) (set-macro-character #\\] (lambda (s c) s c 1)) :done)',
      { context: 'stepper' },
    );
    expect((await expand('(step-reads)')).text).toBe(':done');
    const kept = '(list (readtable-case *readtable*) (get-macro-character #\\]))';
    expect(await lisp.value(kept, { context: 'stepper' })).toBe('(:UPCASE NIL)');
  });

  it('The macro stepper expands a part in its place [D11]', async () => {
    const {
      text,
      start,
      end,
      changed,
      path: steps,
    } = await expand('(defun f (a) "😀" (step-unless a (g)))', 'once', [4]);
    expect(text.replaceAll(/\s+/g, ' ')).toBe('(defun f (a) "😀" (if a nil (progn (g))))');
    expect(text.slice(start, end).split('\n')).toEqual(['(if a', '      nil', '      (progn (g)))']);
    expect([changed, steps]).toEqual([true, [4]]);
    await expect(expand('(a)', 'once', [3])).rejects.toThrow('no part at the path 3');
  });

  it('The macro stepper keeps to itself what a macro writes [D11]', async () => {
    await expect(expand('(step-loud)')).resolves.toMatchObject({ text: 'nil', changed: true });
    expect(lisp.events.filter((event) => JSON.stringify(event).includes('Loud.'))).toEqual([]);
  });

  it('The macro stepper says what a macro or the reader signals, and gives up on one without end [D11]', async () => {
    await expect(expand('(step-broken)')).rejects.toThrow('No expansion.');
    await expect(expand('(step-broken')).rejects.toThrow('END-OF-FILE');
    await expect(expand('(step-endless)')).rejects.toThrow('longer than five seconds');
    await expect(expand('(list 1)')).resolves.toMatchObject({ text: '(list 1)' });
  });
});
