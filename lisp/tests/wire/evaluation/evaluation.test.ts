import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let test: TestImage;

beforeEach(async () => {
  test = await openTestImage();
});

afterEach(() => test.close());

describe('handles', () => {
  it('Handles stand for the values of an evaluation until they are released', async () => {
    const { values } = await test.evaluate('(values (list 1 2) "x")', { keepValues: true, evaluation: 'kept' });
    expect(values.map(({ handle }) => handle)).toEqual([expect.any(Number), expect.any(Number)]);
    expect(await test.ask('release', { holder: 'kept' })).toEqual({ found: true });
    expect(await test.ask('release', { holder: 'kept' })).toEqual({ found: false });
  });

  it('Handles are given only when they are asked for', async () => {
    const { values } = await test.evaluate('(list 1 2)');
    expect(values[0]!.handle).toBeNull();
  });

  it('Handles keep nothing alive when the heap is nearly full', async () => {
    await test.evaluate('(defvar *big* nil)');
    for (let n = 0; n < 8; n += 1)
      await test.evaluate('(make-array 100000000 :element-type (quote (unsigned-byte 8)))', {
        keepValues: true,
        evaluation: `big-${n}`,
        valueLimit: 100,
      });
    expect(await test.value('(+ 40 2)')).toBe('42');
  });
});

describe('reader and printer', () => {
  it.each<[string, string, string]>([
    ['a long list', "(loop repeat 120 collect 'a)", `(${Array.from({ length: 120 }, () => 'A').join(' ')})`],
    ['shared structure', '(let ((x (list 1))) (list x x))', '((1) (1))'],
    ['a circular list', '(let ((x (list 1))) (setf (cdr x) x))', '#1=(1 . #1#)'],
    [
      'what is set',
      '(progn (setf *print-length* 2 *print-circle* t) (let ((x (list 1))) (list x x 3)))',
      '(#1=(1) #1# ...)',
    ],
    [
      'an object that does not print',
      '(progn (defstruct broken) (defmethod print-object ((b broken) s) (error "no")) (make-broken))',
      '#<error SIMPLE-ERROR printing BROKEN: no>',
    ],
    [
      'an endless object',
      '(progn (defstruct endless) (defmethod print-object ((e endless) s) (loop (write-char #\\x s))) (list (make-endless)))',
      '#<printing took too long>',
    ],
  ])(
    'Values are printed as the printer is set, as in the REPL of SBCL: %s [L17, decision 25]',
    async (_what, code, text) => {
      const { values } = await test.evaluate(code, { interactive: true, printsAsSet: true, valueLimit: 300 });
      expect(values[0]!.text.replaceAll(/\s+/g, ' ').slice(0, text.length)).toBe(text);
    },
  );

  it('The reader and printer can be reset, for the context and globally, and package and history stay', async () => {
    await test.value('(defpackage :mine (:use :cl)) (in-package :mine)');
    await test.value(
      `(setf *read-base* 16 *print-base* 2 *print-case* :downcase)
       (setf (sb-ext:symbol-global-value '*print-base*) 7)
       (set-macro-character #\\! (lambda (stream sign) stream sign :bang))`,
    );
    expect(await test.value('(list 10 !)')).toBe('(10000 :bang)');
    await test.ask('reset-reader', { context: 'test' });
    expect(
      await test.value(
        '(list 10 (quote x!) (package-name *package*) (sb-ext:symbol-global-value (quote *print-base*)))',
      ),
    ).toBe('(10 X! "MINE" 10)');
  });
});
