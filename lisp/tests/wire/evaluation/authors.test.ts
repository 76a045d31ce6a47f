/** The guard follows the author: what an agent defined is asked for when the person calls it, until they have reviewed it. */
import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
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
    '(push (lambda (name) (delete-file @) (provide name)) sb-ext:*module-provider-functions*)',
    '(require "d11")',
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
});

/** Files of one definition each, and what the person calls of it. */
const IN_FILES: [string, string, string][] = [
  ['a function', '(defun cf1 () (delete-file @))', '(cf1)'],
  [
    'a function with optional arguments',
    '(defun cf2 (&optional (x (delete-file @)) &key y &allow-other-keys) (list x y))',
    '(cf2)',
  ],
  ['a function with a rest argument', '(defun cf3 (a &rest more) (delete-file @) (list* a more))', '(cf3 1 2 3)'],
  ['a function whose last call it is', '(defun cf4 () (sb-posix:unlink @))', '(cf4)'],
  ['a method', '(defmethod cf5 ((x integer)) (delete-file @))', '(cf5 1)'],
  ['a setf function', '(defun (setf cf6) (new) (delete-file @) new)', '(setf (cf6) 1)'],
  ['a closure', '(defvar *cf7* (let ((n 1)) (lambda () (incf n) (delete-file @))))', '(funcall *cf7*)'],
  ['an initial value of a structure', '(defstruct cf8 (a (delete-file @)))', '(make-cf8)'],
  ['an initial value of a slot', '(defclass cf9 () ((a :initform (delete-file @))))', "(make-instance 'cf9)"],
  ['the expansion of a macro', "(defmacro cf10 () '(delete-file @))", '(cf10)'],
  ['a function that it declared inline', '(declaim (inline cf11)) (defun cf11 () (delete-file @))', '(list (cf11))'],
  ['a storing form', '(defsetf cf13 () (new) `(progn (delete-file @) ,new))', '(setf (cf13) 1)'],
  ['a symbol macro', '(define-symbol-macro cf12 (delete-file @))', 'cf12'],
  ['a macro that takes itself away', "(defmacro cf14 () (fmakunbound 'cf14) '(delete-file @))", '(cf14)'],
  [
    'the default of a structure that the person includes',
    '(defstruct (cf15 (:constructor nil)) (a (delete-file @)))',
    "(progn (defstruct (mine (:include cf15))) (funcall 'make-mine))",
  ],
  [
    'the operator of a short method combination',
    '(define-method-combination cf16 :operator delete-file) (defgeneric cf16-g (x) (:method-combination cf16)) (defmethod cf16-g cf16 ((x integer)) @)',
    '(cf16-g 1)',
  ],
  ['the operator of a short storing form', '(defsetf cf17 sb-posix:rename)', '(setf (cf17 @) "/nowhere")'],
];

/** How an agent brings compiled code into the image. */
const BRINGING: Record<string, (text: string) => Promise<unknown>> = {
  'a file of the project that it loads with its tool': async (text) => {
    const source = path.join(image.directory, 'brought.lisp');
    await writeFile(source, text);
    return image.run('compile-file', { file: source, load: true, externalFormat: null, output: null, ...AGENT });
  },
  'a text that it has compiled': (text) =>
    image.run('compile-text', { text, source: null, policy: null, package: null, load: true, ...AGENT }),
  'a file in the temporary folder that its code compiles and loads': (text) =>
    image.evaluate(
      `(let ((file (merge-pathnames "own.lisp" (lisp-workbench:temporary-directory))))
         (with-open-file (s file :direction :output :if-exists :supersede) (write-string ${JSON.stringify(text)} s))
         (load (compile-file file)))`,
      AGENT,
    ),
  'a system in the temporary folder that ASDF loads': (text) =>
    image.evaluate(
      `(flet ((put (name text)
                (with-open-file (s (merge-pathnames name (lisp-workbench:temporary-directory))
                                   :direction :output :if-exists :supersede)
                  (write-string text s))))
         (put "own-system.asd" ${JSON.stringify('(defsystem "own-system" :components ((:file "part")))')})
         (put "part.lisp" ${JSON.stringify(text)})
         (asdf:clear-system "own-system")
         (asdf:load-asd (merge-pathnames "own-system.asd" (lisp-workbench:temporary-directory)))
         (asdf:load-system "own-system" :force t))`,
      AGENT,
    ),
};

describe('compiled code of an agent called by the person', () => {
  const places = Object.keys(BRINGING).flatMap((way) => IN_FILES.map((each) => [...each, way] as const));

  it.each(places)('The person is asked when an agent compiled %s: %s, %s, from %s', async (_what, text, call, way) => {
    const before = asked.length;
    await BRINGING[way]!(text.replaceAll('@', `"${file}"`));
    expect(asked.length).toBe(before);
    await person(call);
    expect(asked.map(({ actor, operator, definedBy }) => [actor, operator, definedBy?.actor])).toEqual([
      ['person', expect.stringMatching(/DELETE-FILE|UNLINK|RENAME/), 'client:tester'],
    ]);
    expect(existsSync(file)).toBe(true);
  });

  it.each(Object.keys(BRINGING))('Compiled code of an agent checks arguments as it should, from %s', async (way) => {
    await BRINGING[way]!(
      `(defun ci1 (x) (declare (type (integer 0 9) x)) x)
       (declaim (ftype (function (symbol) list) ci2))
       (defun ci2 (x) (list x))
       (defun ci3 (x &optional (y 1)) (declare (type fixnum y)) (list x y))
       (defun ci4 (x &key (a 1) b) (declare (type fixnum a)) (list x a b))
       (defun ci5 (x &rest more) (list* x more))
       (defstruct ci6 (size 1 :type fixnum))
       (defmethod ci7 ((x integer) &key a) (list x a))
       (defun ci8 () (lambda (x) (declare (type string x)) x))`,
    );
    const counts =
      '(ci1) (ci1 1 2) (ci2) (ci3) (ci3 1 2 3) (ci4) (ci4 1 :c 2) (ci4 1 :a) (ci5) (ci7) (ci7 1 :b 2) (make-ci6 :length 1) (funcall (ci8))';
    const types = '(ci1 10) (ci2 1) (ci3 1 "a") (ci4 1 :a "a") (make-ci6 :size "a") (funcall (ci8) 1)';
    const caught = (forms: string): Promise<string> =>
      image.value(
        `(macrolet ((caught (&rest forms)
                      (list 'remove-duplicates
                            (cons 'list
                                  (loop for form in forms
                                        collect (list 'handler-case form
                                                      '(program-error () :program) '(type-error () :type)))))))
           (caught ${forms}))`,
      );
    expect([await caught(counts), await caught(types)]).toEqual(['(:PROGRAM)', '(:TYPE)']);
    expect(
      await image.value('(list (ci1 9) (ci2 :a) (ci3 1) (ci4 1 :b 2) (ci5 1 2) (ci7 1) (funcall (ci8) "a"))'),
    ).toBe('(9 (:A) (1 1) (1 1 2) (1 2) (1 NIL) "a")');
  });

  it.each([
    [
      'where its package calls another one by the name of the engine',
      `(progn
         (defpackage cj-other (:use :cl) (:export "TEST-OF-LOADED-CODE"))
         (defpackage cj-own (:use) (:local-nicknames ("LISP-WORKBENCH/EVALUATION" "CJ-OTHER")))
         (setf (fdefinition (find-symbol "TEST-OF-LOADED-CODE" "CJ-OTHER")) (lambda (&rest more) more (list nil)))
         (let ((source (merge-pathnames "cj.lisp" (lisp-workbench:temporary-directory))))
           (with-open-file (s source :direction :output :if-exists :supersede)
             (format s "(cl:in-package :cj-own) (cl:defun cl-user::cj () (cl:delete-file ~S))" @))
           (load (compile-file source))))`,
    ],
    [
      'that was changed after it was compiled',
      `(let* ((source (merge-pathnames "ck.lisp" (lisp-workbench:temporary-directory))) (octets '(unsigned-byte 8)))
         (with-open-file (s source :direction :output :if-exists :supersede) (format s "(defun cj () (delete-file ~S))" @))
         (let* ((fasl (compile-file source))
                (all (with-open-file (s fasl :element-type octets)
                       (let ((all (make-array (file-length s) :element-type octets))) (read-sequence all s) all)))
                (changed 0))
           (dolist (width '(1 4))
             (loop with name = (loop for char across "LISP-WORKBENCH/EVALUATION"
                                     append (cons (char-code char) (make-list (1- width) :initial-element 0)))
                   for at = (search name all)
                   while at do (setf (aref all at) 88) (incf changed)))
           (assert (plusp changed))
           (with-open-file (s fasl :direction :output :element-type octets :if-exists :supersede) (write-sequence all s))
           (load fasl)))`,
    ],
  ])('Compiled code of an agent waits for the person also from a file %s', async (_which, bring) => {
    await agent(`(fmakunbound 'cj) ${bring}`);
    await person('(cj)');
    expect(asked.map(({ actor, operator, definedBy }) => [actor, operator, definedBy?.actor])).toEqual([
      ['person', 'DELETE-FILE', 'client:tester'],
    ]);
    expect(existsSync(file)).toBe(true);
  });

  it('Compiled code of an agent keeps its lambda list and is known by what it calls', async () => {
    await BRINGING['a file of the project that it loads with its tool']!('(defun cg1 (a &key b) (list a b (cf1)))');
    expect(await image.value('(sb-introspect:function-lambda-list (quote cg1))')).toBe('(A &KEY B)');
    expect(await image.value("(and (find (quote cg1) (sb-introspect:who-calls 'cf1) :key #'first) t)")).toBe('T');
  });

  it('Compiled code of an agent is reviewed definition by definition', async () => {
    await BRINGING['a file of the project that it loads with its tool']!(
      `(defun ch1 () (delete-file "${file}")) (defun ch2 () (delete-file "${file}"))`,
    );
    await person('(ch1)');
    expect(asked[0]!.definedBy).toMatchObject({ names: ['CH1'] });
    await image.ask('review-definitions', { events: asked[0]!.definedBy!.events, reviewed: true });
    await person('(ch2)');
    expect([asked.length, existsSync(file)]).toEqual([2, true]);
    await person('(ch1)');
    expect([asked.length, existsSync(file)]).toEqual([2, false]);
  });

  it("A compiled system that stood where an agent cannot put it unasked is its authors' own", async () => {
    await writeFile(path.join(image.directory, 'theirs.asd'), '(defsystem "theirs" :components ((:file "part")))');
    await writeFile(path.join(image.directory, 'part.lisp'), `(defun theirs () (delete-file "${file}"))`);
    await image.evaluate(`(progn (asdf:load-asd "${image.directory}/theirs.asd") (asdf:load-system "theirs"))`, AGENT);
    await person('(theirs)');
    expect([asked.length, existsSync(file)]).toEqual([0, false]);
  });

  it('A file that another version of the engine compiled is loaded as one that was compiled elsewhere', async () => {
    // Such a file asks for its test with other arguments.
    const asking = `(load-time-value (funcall (find-symbol "TEST-OF-LOADED-CODE" "LISP-WORKBENCH/EVALUATION") nil))`;
    const source = path.join(image.directory, 'older.lisp');
    await writeFile(source, `(defun older () (if (car ${asking}) :tested (delete-file "${file}")))`);
    await image.value(`(compile-file "${source}")`);
    const load = `(progn (load "${path.join(image.directory, 'older.fasl')}") (fboundp 'older))`;
    expect((await image.evaluate(load, AGENT)).status).toBe('ok');
    await person('(older)');
    expect([asked.length, existsSync(file)]).toEqual([0, false]);
  });

  it('A file that an agent had compiled is loaded by the person, and by plain SBCL, as any compiled file', async () => {
    const source = path.join(image.directory, 'shared.lisp');
    await writeFile(source, `(defun shared (&optional (x 1) &rest more) (delete-file "${file}") (list* x more))`);
    await image.evaluate(
      `(compile-file "${source}" :output-file (merge-pathnames "shared.fasl" (lisp-workbench:temporary-directory)))`,
      AGENT,
    );
    const fasl = await image.value(
      '(sb-ext:native-namestring (merge-pathnames "shared.fasl" (lisp-workbench:temporary-directory)))',
    );
    const { stdout } = await promisify(execFile)('sbcl', [
      '--noinform',
      '--non-interactive',
      '--no-sysinit',
      '--no-userinit',
      '--load',
      JSON.parse(fasl) as string,
      '--eval',
      '(print (shared 1 2 3))',
    ]);
    expect([stdout.trim(), existsSync(file)]).toEqual(['(1 2 3)', false]);
    await writeFile(file, 'kept');
    expect(await image.value(`(progn (load ${fasl}) (shared 1 2))`)).toBe('(1 2)');
    expect([asked.length, existsSync(file)]).toEqual([0, false]);
  });
});

describe('code of the person', () => {
  it('A definition that the person has reviewed runs as their own, until the agent changes it', async () => {
    await agent('(defun total () (delete-file @)) (defun other () (delete-file @))');
    await person('(total)');
    const { definedBy } = asked[0]!;
    expect(definedBy).toMatchObject({ actor: 'client:tester', names: ['TOTAL'] });
    await image.ask('review-definitions', { events: definedBy!.events, reviewed: true });
    await person('(other)');
    expect([asked.length, existsSync(file)]).toEqual([2, true]);
    await person('(total)');
    expect([asked.length, existsSync(file)]).toEqual([2, false]);
    await writeFile(file, 'kept');
    await image.ask('review-definitions', { events: definedBy!.events, reviewed: false });
    await person('(total)');
    expect([asked.length, existsSync(file)]).toEqual([3, true]);
    await image.ask('review-definitions', { events: definedBy!.events, reviewed: true });
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
