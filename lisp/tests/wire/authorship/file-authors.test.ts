/** The guard uses the author of compiled files: it asks about code that an agent compiled, no matter where the code is loaded from. */
import { existsSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AGENT, mark } from '../effects.fixture.ts';
import { guardedImage } from '../guarded-image.fixture.ts';

const { image, file, asked, agent, person } = await guardedImage();

/** Files with one definition each, and the person's call of the definition. */
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

/** Returns a Lisp string literal for a text. Quotes and backslashes are escaped. */
const lispString = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** The methods by which an agent can bring compiled code into the image. */
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
         (with-open-file (s file :direction :output :if-exists :supersede) (write-string ${lispString(text)} s))
         (load (compile-file file)))`,
      AGENT,
    ),
  'a system in the temporary folder that ASDF loads': (text) =>
    image.evaluate(
      `(flet ((put (name text)
                (with-open-file (s (merge-pathnames name (lisp-workbench:temporary-directory))
                                   :direction :output :if-exists :supersede)
                  (write-string text s))))
         (put "own-system.asd" ${lispString('(defsystem "own-system" :components ((:file "part")))')})
         (put "part.lisp" ${lispString(text)})
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

  it.each(Object.keys(BRINGING))(
    'A backtrace has no garbage for parameters of compiled code of an agent that got no argument, from %s',
    async (way) => {
      await BRINGING[way]!('(defun cl1 (a &optional (b (error "none")) (c 2) (d 3)) (list a b c d))');
      const { condition } = await person('(cl1 1)');
      const calls = condition!.frames.map(({ call }) => call).filter((call) => call.startsWith('(CL1'));
      expect(calls).not.toEqual([]);
      expect(calls.filter((call) => !/^\(CL1( 1| NIL| #<unused argument>)*\)$/.test(call))).toEqual([]);
    },
  );

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
    await mark(image, asked[0]!.definedBy!.events);
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
    // A file from another version of the engine requests its test with other arguments.
    const asking = `(load-time-value (funcall (find-symbol "TEST-OF-LOADED-CODE" "LISP-WORKBENCH/EVALUATION") nil))`;
    const source = path.join(image.directory, 'older.lisp');
    await writeFile(source, `(defun older () (if (car ${asking}) :tested (delete-file "${file}")))`);
    await image.value(`(compile-file "${source}")`);
    const load = `(progn (load "${path.join(image.directory, 'older.fasl')}") (fboundp 'older))`;
    expect((await image.evaluate(load, AGENT)).status).toBe('ok');
    await person('(older)');
    expect([asked.length, existsSync(file)]).toEqual([0, false]);
  });

  it('A file that an agent had compiled is loaded by the person, and by plain SBCL, as any compiled file, but for one that lies where it could write unasked', async () => {
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
    await copyFile(JSON.parse(fasl) as string, path.join(image.directory, 'shared.fasl'));
    expect(await image.value(`(progn (load "${image.directory}/shared.fasl") (shared 1 2))`)).toBe('(1 2)');
    expect([asked.length, existsSync(file)]).toEqual([0, false]);
    await writeFile(file, 'kept');
    await person(`(progn (load ${fasl}) (shared 1 2))`);
    expect([asked.length, existsSync(file)]).toEqual([1, true]);
  });

  it('A compiled file that the person loaded has the guard when an agent loads it after that', async () => {
    const source = path.join(image.directory, 'twice.lisp');
    await writeFile(source, `(defun twice () (delete-file "${file}"))`);
    const fasl = '(merge-pathnames "twice.fasl" (lisp-workbench:temporary-directory))';
    await image.evaluate(`(compile-file "${source}" :output-file ${fasl})`, AGENT);
    const before = asked.length;
    await image.value(`(progn (load ${fasl}) t)`);
    await image.evaluate(`(load ${fasl})`, AGENT);
    await person('(twice)');
    expect(asked.slice(before).map(({ actor, operator }) => [actor, operator])).toContainEqual([
      'person',
      'DELETE-FILE',
    ]);
    expect(existsSync(file)).toBe(true);
  });
});
