/** Expansions of agents' macros, closures that trusted code makes of agents' data, and interpreted functions stay the agents'. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AGENT } from '../effects.fixture.ts';
import { guardedImage } from '../guarded-image.fixture.ts';

const { image, file, asked, byAgent, person } = await guardedImage();

/** Evaluates as the agent, which must succeed without a request. */
const agent = async (code: string) => {
  const before = asked.length;
  const reply = await byAgent(code);
  expect([reply.condition, asked.length]).toEqual([null, before]);
};

/** What the agent evaluates, what the person does then, and what they do to take it away again. */
type Way = readonly [what: string, define: string, call: string, undo?: string];

const complete = (ways: readonly Way[]) =>
  ways.map(([what, define, call, undo = '']) => [what, define, call, undo] as const);

const INTERPRETED = (code: string) => `(let ((sb-ext:*evaluator-mode* :interpret)) (eval '${code}))`;

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

const EXPANDERS: Way[] = [
  [
    'a compiler macro of a function that is called by FUNCALL',
    "(defun e1 () nil) (define-compiler-macro e1 () '(delete-file @))",
    "(funcall (compile nil '(lambda () (funcall #'e1))))",
  ],
  [
    'a compiler macro of a setf function',
    '(defun (setf e2) (new) new) (define-compiler-macro (setf e2) (new) `(progn (delete-file @) ,new))',
    "(funcall (compile nil '(lambda () (setf (e2) 1))))",
  ],
  ...['(form env)', '(form &optional env)'].flatMap((parameters) =>
    ['', ' (declare (optimize (debug 0)))'].map((declaration): [string, string, string] => [
      `a function with a name of its own as macro function, of ${parameters}${declaration}`,
      `(progn (defun e0-expand ${parameters}${declaration} form env '(lambda () (delete-file @))) (setf (macro-function 'e0) #'e0-expand))`,
      '(funcall (e0))',
    ]),
  ),
  ...['(form env)', '(form &optional env)'].map((parameters): [string, string, string] => [
    `a function without debug information as macro function, of ${parameters}`,
    `(setf (macro-function 'e02) (lambda ${parameters} (declare (optimize (debug 0))) form env '(lambda () (delete-file @))))`,
    '(funcall (e02))',
  ]),
  [
    'a macro without debug information',
    "(defmacro e03 (&body body) (declare (optimize (debug 0))) body '(lambda () (delete-file @)))",
    '(funcall (e03))',
  ],
  ['a macro that takes itself away', "(defmacro e9 () (fmakunbound 'e9) '(delete-file @))", '(e9)'],
  [
    'a macro that becomes another',
    "(defmacro e10 () (setf (macro-function 'e10) (macro-function 'when)) '(delete-file @))",
    '(e10)',
  ],
  [
    'a compiler macro that takes itself away',
    "(defun e11 () nil) (define-compiler-macro e11 () (setf (compiler-macro-function 'e11) nil) '(delete-file @))",
    "(funcall (compile nil '(lambda () (e11))))",
  ],
  [
    'a macro that is asked for another form',
    "(defmacro e12 () '(delete-file @))",
    "(eval (funcall (macro-function 'e12) '(another) nil))",
  ],
  [
    'a compiler macro of a function that is called by FUNCALL of its name',
    "(defun e13 () nil) (define-compiler-macro e13 () '(delete-file @))",
    "(funcall (compile nil '(lambda () (funcall 'e13))))",
  ],
  [
    'a generic function as macro function',
    "(defgeneric e14-expand (form env)) (defmethod e14-expand (form env) '(delete-file @)) (setf (macro-function 'e14) #'e14-expand)",
    '(e14)',
  ],
  [
    'a generic function as compiler macro function',
    "(defun e15 () nil) (defgeneric e15-expand (form env)) (defmethod e15-expand (form env) '(delete-file @)) (setf (compiler-macro-function 'e15) #'e15-expand)",
    "(funcall (compile nil '(lambda () (e15))))",
  ],
  [
    'a funcallable object as macro function',
    `(progn (defclass e16-kind () () (:metaclass sb-mop:funcallable-standard-class))
            (let ((f (make-instance 'e16-kind)))
              (sb-mop:set-funcallable-instance-function f (lambda (form env) form env '(delete-file @)))
              (setf (macro-function 'e16) f)))`,
    '(e16)',
  ],
  [
    'the default of a structure that the person includes',
    '(defstruct e17 (a (delete-file @)))',
    "(progn (defstruct (e17-mine (:include e17)) b) (funcall 'make-e17-mine))",
  ],
  [
    'the default of a structure that the person includes, in a constructor of their own',
    '(defstruct e18 (a (delete-file @)))',
    "(progn (defstruct (e18-mine (:include e18) (:constructor e18-make (&aux b))) b) (funcall 'e18-make))",
  ],
  [
    'the default of a list that the person includes',
    '(defstruct (e19 (:type list)) (a (delete-file @)))',
    "(progn (defstruct (e19-mine (:type list) (:include e19)) b) (funcall 'make-e19-mine))",
  ],
  [
    'the default of a structure that the person includes at one remove',
    '(defstruct e20 (a (delete-file @))) (defstruct (e20-next (:include e20)))',
    "(progn (defstruct (e20-mine (:include e20-next)) b) (funcall 'make-e20-mine))",
  ],
  [
    'the operator of a short method combination',
    '(define-method-combination e21 :operator delete-file) (defgeneric e21-g (x) (:method-combination e21)) (defmethod e21-g e21 ((x integer)) @)',
    '(e21-g 1)',
  ],
  [
    'a method combination of a generic function that the agent has called',
    `(define-method-combination e22 () ((ms *)) \`(progn (when (get 'e22 'go) (delete-file @)) (call-method ,(first ms))))
     (defgeneric e22-g (x) (:method-combination e22))
     (defmethod e22-g ((x integer)) x)
     (dotimes (i 4) (funcall 'e22-g i))
     (setf (get 'e22 'go) t)`,
    '(e22-g 1)',
  ],
  [
    'a closure that a method combination made when the agent called it',
    `(define-method-combination e23 () ((ms *)) \`(progn (setf (get 'e23 'f) (lambda () (delete-file @))) (call-method ,(first ms))))
     (defgeneric e23-g (x) (:method-combination e23))
     (defmethod e23-g ((x integer)) x)
     (funcall 'e23-g 1)`,
    "(funcall (get 'e23 'f))",
  ],
  [
    'a short method combination of a generic function that the agent has called',
    `(define-method-combination e24 :operator delete-file)
     (defgeneric e24-g (x) (:method-combination e24))
     (defmethod e24-g e24 ((x integer)) (get 'e24 'name))
     (dotimes (i 4)
       (setf (get 'e24 'name) (merge-pathnames "e24" (lisp-workbench:temporary-directory)))
       (close (open (get 'e24 'name) :direction :output :if-exists :supersede))
       (funcall 'e24-g i))
     (setf (get 'e24 'name) @)`,
    '(e24-g 1)',
  ],
  [
    'an effective method of a generic function that the agent has called',
    `(progn (defclass e25 (standard-generic-function) () (:metaclass sb-mop:funcallable-standard-class))
            (defmethod sb-mop:compute-effective-method ((g e25) c m)
              (list 'progn '(when (get 'e25 'go) (delete-file @)) (call-next-method)))
            (defgeneric e25-g (x) (:generic-function-class e25))
            (defmethod e25-g ((x integer)) x)
            (dotimes (i 4) (funcall 'e25-g i))
            (setf (get 'e25 'go) t))`,
    '(e25-g 1)',
  ],
  [
    'an effective method of all generic functions, worked out when the agent called one',
    `(progn (defmethod sb-mop:compute-effective-method :around ((g standard-generic-function) c m)
              (if (eq 'e26-g (sb-mop:generic-function-name g))
                  (list 'progn '(when (get 'e26 'go) (delete-file @)) (call-next-method))
                  (call-next-method)))
            (defgeneric e26-g (x))
            (defmethod e26-g ((x integer)) x)
            (dotimes (i 4) (funcall 'e26-g i))
            (setf (get 'e26 'go) t))`,
    '(e26-g 1)',
    `(remove-method #'sb-mop:compute-effective-method
                    (find-method #'sb-mop:compute-effective-method '(:around)
                                 (list (find-class 'standard-generic-function) t t)))`,
  ],
  [
    'a symbol macro of a name without a package',
    `(progn (defpackage e27) (import (intern "E27-NAME" "E27")) (unintern (find-symbol "E27-NAME") "E27")
            (eval (list 'define-symbol-macro (find-symbol "E27-NAME") '(delete-file @))))`,
    'e27-name',
  ],
  ['a macro function that SBCL made', "(setf (macro-function 'e3) (constantly '(delete-file @)))", '(e3)'],
  [
    'a macro function of any number of arguments',
    "(setf (macro-function 'e4) (lambda (form &rest more) (declare (ignore form more)) '(lambda () (delete-file @))))",
    '(funcall (e4))',
  ],
  [
    'a macro function that was taken from another macro',
    "(setf (macro-function 'e9) (constantly '(delete-file @)) (macro-function 'e10) (macro-function 'e9))",
    '(e10)',
  ],
  [
    'a macro function that was removed and brought back',
    `(let ((function (constantly '(delete-file @))))
       (setf (macro-function 'e11) function)
       (fmakunbound 'e11)
       (setf (macro-function 'e11) function))`,
    '(e11)',
  ],
  [
    'a compiler macro function that SBCL made',
    "(defun e5 () nil) (setf (compiler-macro-function 'e5) (funcall 'constantly '(delete-file @)))",
    "(funcall (compile nil '(lambda () (e5))))",
  ],
  [
    'a macro function that is interpreted',
    `(setf (macro-function 'e6) ${INTERPRETED("(lambda (f e) f e '(delete-file @))")})`,
    '(e6)',
  ],
  [
    'an effective method',
    `(progn (defclass e7 (standard-generic-function) () (:metaclass sb-mop:funcallable-standard-class))
            (defmethod sb-mop:compute-effective-method ((g e7) c m) (list 'list '(delete-file @) (call-next-method)))
            (defgeneric e7-g (x) (:generic-function-class e7)))`,
    '(progn (defmethod e7-g ((x integer)) x) (e7-g 1))',
  ],
  [
    'the lambda expression of a method',
    `(progn (defclass e8 (standard-generic-function) () (:metaclass sb-mop:funcallable-standard-class))
            (defmethod sb-mop:make-method-lambda ((g e8) m l e)
              (multiple-value-bind (l initargs) (call-next-method)
                (values (list (first l) (second l) '(delete-file @) (cons 'progn (remove 'declare (cddr l) :key (lambda (x) (and (consp x) (first x)))))) initargs)))
            (defgeneric e8-g (x) (:generic-function-class e8)))`,
    '(progn (defmethod e8-g ((x integer)) 1) (e8-g 1))',
  ],
];

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
    `(push ${INTERPRETED('(lambda (name) (delete-file @) (provide name))')} sb-ext:*module-provider-functions*)`,
    '(require "i11")',
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

describe("expansions of an agent's macro for the person", () => {
  it.each(complete(EXPANSIONS))('The person is asked, and told whose it is, in an expansion by an agent: %s', waits);
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

describe("forms that an agent's expander returns", () => {
  it.each(complete(EXPANDERS))('A form that an expander of an agent returns waits for the person: %s', waits);
});

describe('macro functions of an agent', () => {
  it('A macro function of an agent is for its code the one that was set, whatever stands before it for the person', async () => {
    const code = `(defun e12 () 0)
      (let ((made (constantly '(+ 1 2))) (long (lambda (&rest r) r 4)) (own (lambda (f e) f e 5)))
        (loop for function in (list made long own)
              collect (eq function (setf (macro-function 'e13) function))
              collect (eq function (macro-function 'e13))
              collect (eq function (setf (compiler-macro-function 'e12) function))
              collect (eq function (compiler-macro-function 'e12))
              collect (eval '(e13))))`;
    expect((await image.evaluate(code, AGENT)).values?.[0]?.text).toBe('(T T T T 3 T T T T 4 T T T T 5)');
  });
});

describe('interpreted code of an agent', () => {
  it.each(complete(KEPT_INTERPRETED))('The person is asked when an agent had interpreted what they call: %s', waits);

  it('A function that an agent had interpreted is the interpreted function that it is in plain SBCL', async () => {
    await agent(INTERPRETED('(defun i20 (a &optional b) (list a b))'));
    expect(
      await image.value("(list (typep #'i20 'compiled-function) (second (function-lambda-expression #'i20)) (i20 1))"),
    ).toBe('(NIL (A &OPTIONAL B) (1 NIL))');
  });

  it("A function that an agent had interpreted is reviewed as any definition, and runs as the person's own then", async () => {
    await agent(INTERPRETED('(defun i21 () (delete-file @))'));
    await person('(i21)');
    await image.ask('review-definitions', { events: asked[0]!.definedBy!.events, reviewed: true });
    await person('(i21)');
    expect([asked.length, existsSync(file)]).toEqual([1, false]);
  });
});

/** Data of the agent that functions of others evaluate, and whose the card says it is. */
const DATA: readonly (readonly [what: string, define: string, call: string, undo: string, author: string])[] = [
  [
    'a form in the registry of ASDF',
    "(push '(progn (delete-file @) nil) asdf:*central-registry*)",
    '(asdf:find-system "no-such-system" nil)',
    '(pop asdf:*central-registry*)',
    'client:tester',
  ],
  [
    'a function that UIOP made of a list',
    "(defparameter *j2* (uiop:ensure-function '(delete-file @)))",
    '(funcall *j2*)',
    '',
    'client:tester',
  ],
  [
    'a function that UIOP made of a list, under a name',
    "(setf (fdefinition 'j3) (uiop:ensure-function '(delete-file @)))",
    '(j3)',
    '',
    'client:tester',
  ],
  [
    'a function that UIOP made of a text',
    `(defparameter *j4* (uiop:ensure-function (format nil "(lambda () (delete-file ~S))" @)))`,
    '(funcall *j4*)',
    '',
    'client:tester',
  ],
  [
    'a funcallable object',
    `(progn (defclass j5 () () (:metaclass sb-mop:funcallable-standard-class))
            (defparameter *j5* (make-instance 'j5))
            (sb-mop:set-funcallable-instance-function *j5* (uiop:ensure-function '(delete-file @))))`,
    '(funcall *j5*)',
    '',
    'client:tester',
  ],
  [
    'an initial value that UIOP made',
    `(sb-mop:ensure-class 'j6 :direct-superclasses '(standard-object)
       :direct-slots (list (list :name 'a :initform '(f) :initfunction (uiop:ensure-function '(delete-file @)))))`,
    "(make-instance 'j6)",
    '',
    'client:tester',
  ],
  [
    'a macro function that UIOP made',
    "(setf (macro-function 'j7) (uiop:ensure-function (list 'lisp-workbench-no-such-function)) (macro-function 'j7) (uiop:ensure-function '(lambda (f e) f e '(delete-file @))))",
    '(j7)',
    '',
    'client:tester',
  ],
  [
    'a hook of UIOP that is a list',
    "(uiop:register-clear-configuration-hook '(uiop:delete-file-if-exists @))",
    '(uiop:clear-configuration)',
    '(pop uiop:*clear-configuration-hook*)',
    'client:tester',
  ],
  [
    'a closure of a library over a function of the agent',
    '(defparameter *j9* (complement (lambda () (delete-file @))))',
    '(funcall *j9*)',
    '',
    'client:tester',
  ],
  [
    'what is put around the compiler for a system',
    `(asdf:defsystem "j10" :pathname "#/" :components ((:file "j10"))
       :around-compile (lambda (compile) (delete-file @) (funcall compile)))`,
    '(asdf:load-system "j10")',
    '',
    'client:unknown',
  ],
  [
    'a function in the translations of file names',
    `(asdf:initialize-output-translations
       '(:output-translations (t (:function (lambda (path directory) directory (delete-file @) path))) :ignore-inherited-configuration))`,
    '(asdf:apply-output-translations "/tmp/x.fasl")',
    '(asdf:initialize-output-translations nil)',
    'client:tester',
  ],
  [
    'the same once the person has ASDF look anew',
    `(setf asdf:*output-translations-parameter*
       '(:output-translations (t (:function (lambda (path directory) directory (delete-file @) path))) :ignore-inherited-configuration))`,
    '(progn (asdf:clear-output-translations) (asdf:apply-output-translations "/tmp/x.fasl"))',
    '(asdf:initialize-output-translations nil)',
    'client:unknown',
  ],
  [
    'a compiled file to which the agent led ASDF',
    `(let* ((tmp (sb-ext:native-namestring (lisp-workbench:temporary-directory))) (source (concatenate 'string tmp "led.lisp")))
       (asdf:initialize-output-translations (list :output-translations (list t (list tmp)) :ignore-inherited-configuration))
       (with-open-file (s source :direction :output :if-exists :supersede) (print '(delete-file @) s))
       (let ((output (asdf:apply-output-translations "#/j13.fasl")))
         (ensure-directories-exist output)
         (compile-file source :output-file output)))`,
    '(asdf:load-system "j13")',
    '(asdf:initialize-output-translations nil)',
    'client:unknown',
  ],
  [
    'a system in the temporary folder to which the agent led ASDF',
    `(let ((tmp (lisp-workbench:temporary-directory)))
       (with-open-file (s (merge-pathnames "j14.asd" tmp) :direction :output) (write-string "(defsystem \\"j14\\" :components ((:file \\"j14-part\\")))" s))
       (with-open-file (s (merge-pathnames "j14-part.lisp" tmp) :direction :output) (print '(delete-file @) s))
       (push tmp asdf:*central-registry*))`,
    '(asdf:load-system "j14")',
    '(pop asdf:*central-registry*)',
    'client:unknown',
  ],
];

describe('data of an agent that functions of others evaluate', () => {
  beforeAll(async () => {
    for (const name of ['j10', 'j13'])
      await writeFile(path.join(image.directory, `${name}.lisp`), `(defun ${name} () 1)`);
    await writeFile(path.join(image.directory, 'j13.asd'), '(defsystem "j13" :components ((:file "j13")))');
  });

  it.each(DATA)('The person is asked about data of an agent in use: %s', async (_what, define, call, undo, author) => {
    await agent(define.replaceAll('#', image.directory));
    await person(call);
    if (undo !== '') await person(undo);
    expect(asked.map(({ actor, operator, definedBy }) => [actor, operator, definedBy?.actor])).toEqual([
      ['person', 'DELETE-FILE', author],
    ]);
    expect(existsSync(file)).toBe(true);
  });

  it('Data of an agent leaves what the person has put around the compiler to their system as it was', async () => {
    await writeFile(path.join(image.directory, 'j20.lisp'), `(eval-when (:compile-toplevel) (delete-file "${file}"))`);
    await writeFile(
      path.join(image.directory, 'j20.asd'),
      '(defsystem "j20" :around-compile "(lambda (compile) (let ((*print-base* 8)) (funcall compile)))" :components ((:file "j20")))',
    );
    await person('(asdf:load-system "j20")');
    expect([asked.length, existsSync(file)]).toEqual([0, false]);
  });

  it('A print function of an agent is in force for the agent alone', async () => {
    await agent("(set-pprint-dispatch '(cons (eql :j21)) (lambda (s form) (delete-file @) (prin1 form s)) 1)");
    expect(await image.value("(let ((*print-pretty* t)) (prin1-to-string '(:j21 1)))")).toBe('"(:J21 1)"');
    expect(asked).toEqual([]);
  });
});

describe('grant for a system', () => {
  const method = `(defmethod asdf:perform :before ((o asdf:load-op) (c asdf:cl-source-file))
    (when (equal "k1" (asdf:component-name c)) (ignore-errors (sb-posix:unlink @))))`;

  it.each([
    ['a method of the agent', method],
    [
      "a method of the agent made where ASDF's variables say that a system is loaded",
      `(let ((asdf/session:*asdf-session* (make-instance 'asdf/session:session)) (*load-truename* #p"/usr/share/common-lisp/k1.lisp"))
         (eval '${method}))`,
    ],
  ])('A grant for a system does not cover what %s does while that system is loaded', async (_what, define) => {
    await writeFile(path.join(image.directory, 'k1.lisp'), `(delete-file "${file}")`);
    await writeFile(path.join(image.directory, 'k1.asd'), '(defsystem "k1" :components ((:file "k1")))');
    await agent(define);
    await person('(asdf:clear-system "k1")');
    await image.evaluate('(asdf:load-system "k1")', AGENT);
    await person(
      "(remove-method #'asdf:perform (find-method #'asdf:perform '(:before) (list (find-class 'asdf:load-op) (find-class 'asdf:cl-source-file))))",
    );
    expect(asked.map(({ operator, system, systemFile }) => [operator, system, systemFile !== null])).toEqual([
      ['UNLINK', null, false],
      ['DELETE-FILE', 'k1', true],
    ]);
  });

  it('A grant for a system is not had by saying what ASDF is at', async () => {
    expect(await image.value('(find-symbol "*COMPONENT*" "LISP-WORKBENCH/SYSTEMS")', AGENT)).toBe('NIL');
  });
});

describe('UIOP defined anew, as when ASDF upgrades itself', () => {
  const again = '(load (merge-pathnames "contrib/uiop.fasl" (sb-int:sbcl-homedir-pathname)))';

  it("UIOP defined anew keeps the guard on what it makes of an agent's data, and writes where agents may", async () => {
    await person(again);
    const folders =
      '(equal (uiop:native-namestring (uiop:temporary-directory)) (uiop:native-namestring (lisp-workbench:temporary-directory)))';
    expect(await image.value(folders, AGENT)).toBe('T');
    await waits('', "(defparameter *k2* (uiop:ensure-function '(delete-file @)))", '(funcall *k2*)', '');
  });
});

async function waits(_what: string, define: string, call: string, undo: string) {
  await agent(define);
  await person(call);
  if (undo !== '') await person(undo);
  expect(asked.map(({ actor, operator, definedBy }) => [actor, operator, definedBy?.actor])).toEqual([
    ['person', 'DELETE-FILE', 'client:tester'],
  ]);
  expect(existsSync(file)).toBe(true);
}
