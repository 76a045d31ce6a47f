/**
 * The guard uses the author of code: when the person calls code that an agent defined, the guard asks until they have reviewed the code.
 */
import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT, mark } from '../effects.fixture.ts';
import { guardedImage } from '../guarded-image.fixture.ts';

const { image, file, asked, agent, person } = await guardedImage();

/** The code that the agent evaluates, the code that the person evaluates next, and the code that removes the definitions again. */
const WAYS: [string, string, string, string][] = [
  ['a function', '(defun f1 () (delete-file @))', '(f1)', ''],
  ['a function with optional arguments', '(defun f2 (&optional (x (delete-file @)) &key y) (list x y))', '(f2)', ''],
  ['a function that it redefined', '(defun f3 (x) (print x) (delete-file @) x)', '(f3 1)', ''],
  ['a closure', '(defparameter *c* (let ((n 1)) (lambda () (incf n) (delete-file @))))', '(funcall *c*)', ''],
  [
    'a function behind another',
    '(defun f4 () (delete-file @)) (defun f5 () (f4))',
    '(mapcar (lambda (x) x (f5)) (list 1))',
    '',
  ],
  [
    'a function object that the person gives a name',
    '(defun f6 () (delete-file @))',
    "(progn (setf (fdefinition 'mine) #'f6) (mine))",
    '',
  ],
  [
    'a local function',
    '(defun f7 () (labels ((inner (n) (if (zerop n) (delete-file @) (inner (1- n))))) (inner 3)))',
    '(f7)',
    '',
  ],
  ['a setf function', '(defun (setf f8) (new) (delete-file @) new)', '(setf (f8) 1)', ''],
  ['a setf expander', '(define-setf-expander f9 () (delete-file @) (values nil nil nil nil nil))', '(setf (f9) 1)', ''],
  [
    'a print method',
    '(defclass k1 () ()) (defmethod print-object ((k k1) s) (delete-file @))',
    "(print (make-instance 'k1))",
    '',
  ],
  ['a compiler macro', '(define-compiler-macro g6 (x) (delete-file @) x)', '(defun h6 () (g6 1))', ''],
  [
    'a method before what others define',
    '(defmethod initialize-instance :before ((o standard-object) &key) (when (string= "K7" (class-name (class-of o))) (delete-file @)))',
    "(progn (defclass k7 () ()) (make-instance 'k7))",
    "(remove-method #'initialize-instance (find-method #'initialize-instance '(:before) (list (find-class 'standard-object))))",
  ],
  [
    'a method around',
    '(defgeneric g7 (x)) (defmethod g7 :around ((x integer)) (delete-file @)) (defmethod g7 ((x integer)) x)',
    '(g7 1)',
    '',
  ],
  ['a macro', '(defmacro m7 () (delete-file @) 1)', '(m7)', ''],
  [
    'an encapsulation',
    "(sb-ext:without-package-locks (sb-int:encapsulate 'nstring-capitalize 'mine (lambda (f &rest more) (delete-file @) (apply f more))))",
    '(locally (declare (notinline nstring-capitalize)) (nstring-capitalize (make-string 1)))',
    "(sb-ext:without-package-locks (sb-int:unencapsulate 'nstring-capitalize 'mine))",
  ],
  [
    'a module provider',
    '(defparameter *d11* (lambda (name) (delete-file @) (provide name)))',
    '(progn (push *d11* sb-ext:*module-provider-functions*) (require "d11"))',
    '(pop sb-ext:*module-provider-functions*)',
  ],
  ['the body of a type', '(deftype t16 () (delete-file @) t)', "(typep 1 't16)", ''],
  [
    'a method of ASDF',
    '(defmethod asdf:operate :before ((o asdf:load-op) c &key) (delete-file @))',
    '(asdf:load-system "uiop")',
    "(remove-method #'asdf:operate (find-method #'asdf:operate '(:before) (list (find-class 'asdf:load-op) t)))",
  ],
  [
    'a stream',
    `(progn (defclass s18 (sb-gray:fundamental-character-output-stream) ())
            (defmethod sb-gray:stream-write-char ((s s18) c) (delete-file @) c)
            (defmethod sb-gray:stream-line-column ((s s18)) 0)
            (defvar *s18* (make-instance 's18)))`,
    '(write-char #\\a *s18*)',
    '',
  ],
  ['an initial value of a slot', '(defclass k19 () ((a :initform (delete-file @))))', "(make-instance 'k19)", ''],
  ['an initial value of a structure', '(defstruct k20 (a (delete-file @)))', '(make-k20)', ''],
  [
    'the report of a condition',
    '(define-condition c21 (error) () (:report (lambda (c s) c s (delete-file @))))',
    "(princ-to-string (make-condition 'c21))",
    '',
  ],
  [
    'a thread that its code makes',
    '(defun f22 () (sb-thread:join-thread (sb-thread:make-thread (lambda () (delete-file @)))))',
    '(f22)',
    '',
  ],
  [
    'a timer that its code makes',
    '(defun f23 () (let ((s (sb-thread:make-semaphore))) (sb-ext:schedule-timer (sb-ext:make-timer (lambda () (unwind-protect (delete-file @) (sb-thread:signal-semaphore s))) :thread t) 0.01) (sb-thread:wait-on-semaphore s)))',
    '(f23)',
    '',
  ],
  ['code that its code evaluates', "(defun f24 () (funcall (compile nil '(lambda () (delete-file @)))))", '(f24)', ''],
  ['the expansion of a macro', "(defmacro m8 () '(delete-file @))", '(m8)', ''],
  [
    'the expansion of a macro within a function',
    "(defmacro m9 (&body body) (append '(progn) body '((delete-file @))))",
    '(progn (defun h9 () (m9 1 2)) (h9))',
    '',
  ],
  [
    'what a macro defines at the top level',
    '(defmacro m10 (name) `(progn (defmacro ,name () 1) (defparameter *p10* (list (delete-file @) (,name)))))',
    '(m10 n10)',
    '',
  ],
  ['a place that a macro expands to', "(defmacro m11 () '(car (list (delete-file @))))", '(setf (m11) 1)', ''],
  [
    'the expansion of a compiler macro',
    '(defun g12 (x) x) (define-compiler-macro g12 (x) `(progn (delete-file @) ,x))',
    "(funcall (compile nil '(lambda () (g12 1))))",
    '',
  ],
  [
    'the forms of a setf expander',
    "(define-setf-expander s31 () (values '(v) '((delete-file @)) '(s) '(list v s) 31))",
    '(setf (s31) 1)',
    '',
  ],
  [
    'the storing form of a setf expander',
    "(define-setf-expander s32 () (values nil nil '(s) '(progn (delete-file @) s) 32))",
    '(setf (s32) 1)',
    '',
  ],
  [
    'the storing form of DEFSETF',
    '(defsetf s33 (x) (new) `(progn (list ,x) (delete-file @) ,new))',
    '(setf (s33 1) 2)',
    '',
  ],
  [
    'what a method combination puts around methods',
    '(define-method-combination c34 () ((methods *)) `(list (delete-file @) (call-method ,(first methods))))',
    '(progn (defgeneric g34 (x) (:method-combination c34)) (defmethod g34 ((x integer)) x) (g34 1))',
    '',
  ],
  ['the expansion of a symbol macro', '(define-symbol-macro s13 (delete-file @))', 's13', ''],
  [
    'the expansion of a symbol macro within a function',
    '(define-symbol-macro s14 (delete-file @))',
    '(progn (defun h14 () (list s14)) (h14))',
    '',
  ],
  ['a symbol macro as a place', '(define-symbol-macro s15 (car (list (delete-file @))))', '(setf s15 1)', ''],
  [
    'a function that it declared inline',
    '(declaim (inline f25)) (defun f25 () (delete-file @))',
    '(progn (defun h25 () (f25)) (h25))',
    '',
  ],
  [
    'code that is interpreted',
    "(let ((sb-ext:*evaluator-mode* :interpret)) (eval '(defun f27 () (delete-file @))))",
    '(f27)',
    '',
  ],
  [
    'a hook on macro expansion',
    '(setf (symbol-plist (quote hook)) (list 1 (lambda (f form env) (delete-file @) (funcall f form env))))',
    "(let ((*macroexpand-hook* (get 'hook 1))) (macroexpand-1 '(when 1 2)))",
    '',
  ],
];

describe('definitions of an agent called by the person', () => {
  it.each(WAYS)('The person is asked when an agent made what they call: %s', async (_what, define, call, undo) => {
    await person('(defun f3 (x) x)');
    await agent(define);
    await person(call);
    if (undo !== '') await person(undo);
    expect(asked.map(({ actor, operator, definedBy }) => [actor, operator, definedBy?.actor])).toEqual([
      ['person', 'DELETE-FILE', 'client:tester'],
    ]);
    expect(existsSync(file)).toBe(true);
  });

  it('A backtrace has no garbage for parameters of a function of an agent that got no argument', async () => {
    await agent('(defun f40 (a &optional (b (error "none")) (c 2) (d 3)) (list a b c d))');
    const { condition } = await person('(f40 1)');
    const calls = condition!.frames.map(({ call }) => call).filter((call) => call.startsWith('(F40'));
    expect(calls).not.toEqual([]);
    expect(calls.filter((call) => !/^\(F40( 1| NIL| #<unused argument>)*\)$/.test(call))).toEqual([]);
  });
});

describe('code of the person', () => {
  it('A definition that the person has reviewed runs as their own, until the agent changes it', async () => {
    await agent('(defun total () (delete-file @)) (defun other () (delete-file @))');
    await person('(total)');
    const { definedBy } = asked[0]!;
    expect(definedBy).toMatchObject({ actor: 'client:tester', names: ['TOTAL'] });
    await mark(image, definedBy!.events);
    await person('(other)');
    expect([asked.length, existsSync(file)]).toEqual([2, true]);
    await person('(total)');
    expect([asked.length, existsSync(file)]).toEqual([2, false]);
    await writeFile(file, 'kept');
    await mark(image, definedBy!.events, false);
    await person('(total)');
    expect([asked.length, existsSync(file)]).toEqual([3, true]);
    await mark(image, definedBy!.events);
    await agent('(defun total () (print 1) (delete-file @))');
    await person('(total)');
    expect([asked.length, existsSync(file)]).toEqual([4, true]);
  });

  it('The person is asked for none of their own definitions, nor for their own functions that an agent calls first', async () => {
    await person('(defgeneric own (x)) (defmethod own ((x integer)) (delete-file @)) (defun mine () (own 1))');
    await image.evaluate('(mine)', AGENT);
    expect(asked.map(({ definedBy }) => definedBy)).toEqual([null]);
    await agent('(defun total () 1)');
    await person('(defun total () (own 1))');
    await person('(total)');
    expect([asked.length, existsSync(file)]).toEqual([1, false]);
  });

  it('The person is asked for what they debug as well, with its locals kept', async () => {
    await agent('(defun looked (x) (print x) (delete-file @) x)');
    await person('(looked 1)');
    await image.run('debug-function', { function: 'looked', set: true });
    await person('(looked 1)');
    await image.run('debug-function', { function: 'looked', set: false });
    expect(asked.map(({ definedBy }) => definedBy?.actor)).toEqual(['client:tester', 'client:tester']);
  });

  it("The person's files are made where they work, wherever the agent moved its defaults", async () => {
    await agent('(setf *default-pathname-defaults* (pathname "/tmp/elsewhere/"))');
    await person('(with-open-file (s "d15.txt" :direction :output) (print 1 s))');
    expect((await stat(path.join(image.directory, 'd15.txt'))).isFile()).toBe(true);
  });
});

describe('definitions of an agent called by itself', () => {
  it('A definition that an agent calls itself is asked for as before, without another author', async () => {
    await agent('(defun f30 () (delete-file @))');
    await image.evaluate('(f30)', AGENT);
    expect(asked.map(({ actor, definedBy }) => [actor, definedBy])).toEqual([['client:tester', null]]);
  });

  it('A function that an agent defined is the function that it was given, with tail calls as deep as in plain SBCL', async () => {
    expect(
      await image.value(
        `(progn (defun ev (n) (declare (fixnum n) (optimize (debug 1))) (if (= n 0) t (od (1- n))))
                (defun od (n) (declare (fixnum n) (optimize (debug 1))) (if (= n 0) nil (ev (1- n))))
                (let ((f (lambda () 1))) (setf (fdefinition 'same) f) (list (ev 3000000) (eq f (fdefinition 'same)))))`,
        AGENT,
      ),
    ).toBe('(T T)');
    expect(await image.value('(ev 3000000)')).toBe('T');
  });
});
