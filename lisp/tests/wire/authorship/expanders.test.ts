/** Forms returned by an agent's expanders, for every kind of expander and every purpose. The agent is the author of these forms. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AGENT } from '../effects.fixture.ts';
import { guardedImage, type Way } from '../guarded-image.fixture.ts';

const { image, file, waits } = await guardedImage();

const INTERPRETED = (code: string) => `(let ((sb-ext:*evaluator-mode* :interpret)) (eval '${code}))`;

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

describe("forms that an agent's expander returns", () => {
  it.for(EXPANDERS)('A form that an expander of an agent returns waits for the person: %s', async (way) => {
    await waits(way);
    expect(existsSync(file)).toBe(true);
  });
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
