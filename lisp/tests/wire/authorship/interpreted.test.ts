/** An agent's interpreted functions. The agent remains their author, and they behave as in plain SBCL. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mark } from '../effects.fixture.ts';
import { guardedImage, type Way } from '../guarded-image.fixture.ts';

const { image, file, asked, agent, person, waits } = await guardedImage();

const INTERPRETED = (code: string) => `(let ((sb-ext:*evaluator-mode* :interpret)) (eval '${code}))`;

const KEPT_INTERPRETED: Way[] = [
  ['a variable', `(defparameter *i1* ${INTERPRETED('(lambda () (delete-file @))')})`, '(funcall *i1*)'],
  [
    'a table',
    `(defvar *i2* (make-hash-table)) (setf (gethash 1 *i2*) ${INTERPRETED('(lambda (&optional x) x (delete-file @))')})`,
    '(funcall (gethash 1 *i2*))',
  ],
  ['a function', INTERPRETED('(defun i3 () (delete-file @))'), '(i3)'],
  ['a method', INTERPRETED('(defmethod i4 ((x integer)) (delete-file @))'), '(i4 1)'],
  ['a type', INTERPRETED('(deftype i5 () (delete-file @) t)'), "(typep 1 'i5)"],
  [
    'an initial value of a slot',
    INTERPRETED('(defclass i6 () ((a :initform (delete-file @))))'),
    "(make-instance 'i6)",
  ],
  [
    'the report of a condition',
    INTERPRETED('(define-condition i7 (error) () (:report (lambda (c s) c s (delete-file @))))'),
    "(princ-to-string (make-condition 'i7))",
  ],
  ['a storing form', INTERPRETED('(defsetf i8 () (new) `(progn (delete-file @) ,new))'), '(setf (i8) 1)'],
  ['the expansion of a macro', INTERPRETED("(defmacro i9 () '(lambda () (delete-file @)))"), '(funcall (i9))'],
  [
    'a method combination',
    INTERPRETED(
      '(define-method-combination i10 () ((methods *)) `(list (delete-file @) (call-method ,(first methods))))',
    ),
    '(progn (defgeneric i10-g (x) (:method-combination i10)) (defmethod i10-g ((x integer)) x) (i10-g 1))',
  ],
  [
    'a module provider',
    `(defparameter *i11* ${INTERPRETED('(lambda (name) (delete-file @) (provide name))')})`,
    '(progn (push *i11* sb-ext:*module-provider-functions*) (require "i11"))',
    '(pop sb-ext:*module-provider-functions*)',
  ],
  [
    'a function that the person compiles',
    INTERPRETED('(defun i12 () (delete-file @))'),
    "(progn (compile 'i12) (i12))",
  ],
  [
    'a function object that the person compiles',
    `(defparameter *i13* ${INTERPRETED('(lambda () (delete-file @))')})`,
    '(funcall (compile nil *i13*))',
  ],
  [
    'what an expansion makes where the person has their code interpreted',
    "(defmacro i14 () '(lambda () (delete-file @)))",
    INTERPRETED('(funcall (funcall (lambda () (i14))))'),
  ],
];

describe('interpreted code of an agent', () => {
  it.for(KEPT_INTERPRETED)('The person is asked when an agent had interpreted what they call: %s', async (way) => {
    await waits(way);
    expect(existsSync(file)).toBe(true);
  });

  it('A function that an agent had interpreted is the interpreted function that it is in plain SBCL', async () => {
    await agent(INTERPRETED('(defun i20 (a &optional b) (list a b))'));
    expect(
      await image.value("(list (typep #'i20 'compiled-function) (second (function-lambda-expression #'i20)) (i20 1))"),
    ).toBe('(NIL (A &OPTIONAL B) (1 NIL))');
  });

  it("A function that an agent had interpreted is reviewed as any definition, and runs as the person's own then", async () => {
    await agent(INTERPRETED('(defun i21 () (delete-file @))'));
    await person('(i21)');
    await mark(image, asked[0]!.definedBy!.events);
    await person('(i21)');
    expect([asked.length, existsSync(file)]).toEqual([1, false]);
  });
});
