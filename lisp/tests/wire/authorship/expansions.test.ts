/** Expansions of an agent's macros in code of the person. The agent remains the author of the expansions. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGENT } from '../effects.fixture.ts';
import { guardedImage, type Way } from '../guarded-image.fixture.ts';

const { image, file, asked, waits } = await guardedImage();

const EXPANSIONS: Way[] = [
  ['a closure', "(defmacro a1 () '(lambda () (delete-file @)))", '(funcall (a1))'],
  [
    'a closure over what is around it',
    "(defmacro a2 () '(let ((n 0)) (list (lambda () (incf n) (delete-file @)))))",
    '(let ((f (first (a2)))) (funcall f))',
  ],
  [
    'a local function that is called outside of the expansion',
    "(defmacro a7 () '(flet ((f () (delete-file @))) (vector #'f)))",
    '(let ((v (a7))) (declare (optimize speed)) (funcall (aref v 0)))',
  ],
  [
    'a closure that is called at one place, outside of the expansion',
    "(defmacro a8 () '(let ((f (lambda () (delete-file @)))) f))",
    '(let ((f (a8))) (funcall f))',
  ],
  [
    'a closure with optional arguments, kept for later',
    "(defmacro a3 () '(setf (get 'a3 'f) (lambda (&optional (x (delete-file @)) &key y) (list x y))))",
    "(progn (a3) (mapcar (get 'a3 'f) (list 1)) (funcall (get 'a3 'f)))",
  ],
  ['a local function that is handed on', "(defmacro a4 () '(flet ((f () (delete-file @))) #'f))", '(funcall (a4))'],
  [
    'a closure within a function of the person',
    "(defmacro a5 () '(lambda () (delete-file @)))",
    '(progn (defun a5-mine () (a5)) (funcall (a5-mine)))',
  ],
  [
    'a closure within what the person compiles',
    "(defmacro a6 () '(lambda () (delete-file @)))",
    "(funcall (funcall (compile nil '(lambda () (a6)))))",
  ],
  ['a function', '(defmacro b1 (n) `(defun ,n () (delete-file @)))', '(progn (b1 b1-n) (b1-n))'],
  [
    'a function that is to be inline',
    '(defmacro b2 (n) `(progn (declaim (inline ,n)) (defun ,n () (delete-file @))))',
    "(progn (b2 b2-n) (funcall (compile nil '(lambda () (b2-n)))))",
  ],
  ['a macro', '(defmacro b3 (n) `(defmacro ,n () (delete-file @) 1))', '(progn (b3 b3-n) (eval (list (quote b3-n))))'],
  [
    'a macro and its expansion',
    "(defmacro b4 (n) `(defmacro ,n () '(lambda () (delete-file @))))",
    '(progn (b4 b4-n) (funcall (eval (list (quote b4-n)))))',
  ],
  [
    'a method',
    '(defmacro b5 (n) `(defmethod ,n ((x integer)) (delete-file @)))',
    '(progn (b5 b5-n) (funcall (quote b5-n) 1))',
  ],
  ['a type', '(defmacro b6 (n) `(deftype ,n () (delete-file @) t))', '(progn (b6 b6-n) (typep 1 (quote b6-n)))'],
  [
    'an initial value of a slot',
    '(defmacro b7 (n) `(defclass ,n () ((a :initform (delete-file @)))))',
    "(progn (b7 b7-n) (make-instance 'b7-n))",
  ],
  [
    'an initial value of a structure',
    '(defmacro b8 (n) `(defstruct ,n (a (delete-file @))))',
    "(progn (b8 b8-n) (funcall 'make-b8-n))",
  ],
  [
    'a setf function',
    '(defmacro b9 (n) `(defun (setf ,n) (new) (delete-file @) new))',
    '(progn (b9 b9-n) (eval (quote (setf (b9-n) 1))))',
  ],
  [
    'a compiler macro',
    '(defmacro b10 (n) `(progn (defun ,n () 1) (define-compiler-macro ,n () (delete-file @) 1)))',
    "(progn (b10 b10-n) (compile nil '(lambda () (b10-n))))",
  ],
  ['a value that is worked out at load time', "(defmacro c1 () '(load-time-value (delete-file @)))", '(c1)'],
  [
    'a closure that is made at load time',
    "(defmacro c2 () '(load-time-value (lambda () (delete-file @))))",
    '(funcall (c2))',
  ],
  [
    'a value of load time behind a local symbol macro',
    "(defmacro c3 () '(symbol-macrolet ((x (load-time-value (delete-file @) t))) x))",
    '(c3)',
  ],
  [
    'a value of load time within a function of the person',
    "(defmacro c4 () '(load-time-value (delete-file @)))",
    '(defun c4-mine () (list (c4)))',
  ],
  ['a local macro', "(defmacro c5 () '(macrolet ((m () (delete-file @) nil)) (m)))", '(c5)'],
  [
    'a local macro within a function of the person',
    "(defmacro c6 () '(macrolet ((m () (delete-file @) nil)) (m)))",
    '(defun c6-mine () (list (c6)))',
  ],
  [
    'the expansion of a local macro',
    "(defmacro c7 () '(macrolet ((m () '(lambda () (delete-file @)))) (m)))",
    '(funcall (c7))',
  ],
  [
    'a variable that is bound while it is compiled',
    "(defmacro c8 () '(sb-cltl2:compiler-let ((*print-base* (progn (delete-file @) 10))) 1))",
    '(list (c8))',
  ],
  [
    'a closure below a forged mark',
    `(defmacro c9 (&environment e)
       (declare (ignorable e))
       '(macrolet ((forged (&environment e)
                     (list 'symbol-macrolet (list (list (caar (last (sb-c::lexenv-vars e))) nil)) '(lambda () (delete-file @)))))
          (forged)))`,
    '(funcall (c9))',
  ],
  ['a closure from a symbol macro', '(define-symbol-macro d1 (lambda () (delete-file @)))', '(funcall d1)'],
  ['a value of load time from a symbol macro', '(define-symbol-macro d2 (load-time-value (delete-file @)))', 'd2'],
  [
    'a closure from a compiler macro',
    "(defun d3 () nil) (define-compiler-macro d3 () '(lambda () (delete-file @)))",
    "(funcall (funcall (compile nil '(lambda () (d3)))))",
  ],
  [
    'a closure from a setf expander',
    "(define-setf-expander d4 () (values nil nil '(s) '(progn (setf (get 'd4 'f) (lambda () (delete-file @))) s) 1))",
    "(progn (setf (d4) 1) (funcall (get 'd4 'f)))",
  ],
  [
    'a closure from the storing form of DEFSETF',
    "(defsetf d5 () (new) `(progn (setf (get 'd5 'f) (lambda () (delete-file @))) ,new))",
    "(progn (setf (d5) 1) (funcall (get 'd5 'f)))",
  ],
  [
    'a closure from a method combination',
    "(define-method-combination d6 () ((methods *)) `(progn (setf (get 'd6 'f) (lambda () (delete-file @))) (call-method ,(first methods))))",
    "(progn (defgeneric d6-g (x) (:method-combination d6)) (defmethod d6-g ((x integer)) x) (d6-g 1) (funcall (get 'd6 'f)))",
  ],
];

describe("expansions of an agent's macro for the person", () => {
  it.for(EXPANSIONS)('The person is asked, and told whose it is, in an expansion by an agent: %s', async (way) => {
    await waits(way);
    expect(existsSync(file)).toBe(true);
  });
});

describe('macros of an agent used by the person', () => {
  it('A macro of an agent that the person uses gives what it gives in plain SBCL', async () => {
    await image.evaluate(
      `
      (defmacro l1 (&body body) \`(let ((log '()))
        (handler-bind ((warning (lambda (c) (push (princ-to-string c) log) (muffle-warning c)))) ,@body) log))
      (defmacro l2 (&body body) \`(flet ((twice (x) (* 2 x))) (declare (dynamic-extent #'twice)) (mapcar #'twice (list ,@body))))
      (defmacro l3 (form) \`(restart-case ,form (give (&optional (x 1)) :report (lambda (s) (write-string "give" s)) x)))
      (defmacro l4 (n) \`(labels ((ev (n) (or (zerop n) (od (1- n)))) (od (n) (and (plusp n) (ev (1- n))))) (list (ev ,n) (funcall #'od ,n))))
      (defmacro l5 (name) \`(progn (defstruct ,name (a 1 :type fixnum) b) (defgeneric ,(intern (format nil "~A-G" name)) (x &key y) (:method ((x ,name) &key (y 2)) (list (slot-value x 'a) y)))))
      (defmacro l6 () '(let ((n 0)) (lambda (&rest more) (incf n (length more)))))
      (defmacro l7 (&body body) \`(multiple-value-call #'list (unwind-protect (progn ,@body) (setf (get 'l7 'done) t)) (block nil (mapc (lambda (x) (when (evenp x) (return x))) '(1 2 3)))))`,
      AGENT,
    );
    expect(
      await image.value(`(list (l1 (warn "a") (warn "b"))
                               (l2 1 2 3)
                               (handler-bind ((error (lambda (c) (invoke-restart (find-restart 'give c) 7)))) (l3 (error "x")))
                               (l4 1000)
                               (progn (l5 l5s) (eval '(l5s-g (make-l5s :a 3) :y 4)))
                               (let ((f (l6))) (funcall f 1 2) (funcall f 3))
                               (l7 (values 1 2)) (get 'l7 'done))`),
    ).toBe('(("b" "a") (2 4 6) 7 (T NIL) (3 4) 3 (1 2 2) T)');
    expect(asked).toEqual([]);
  });
});
