/**
 * Compares an image with the engine to plain SBCL of the same version. Only the differences listed here are allowed, each with its reason.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';

/** Writes a line for each item of the image's state that code can see: name, tab, value. Shortens values that differ in each process. */
const STATE = String.raw`
(defun state-text (value)
  (with-standard-io-syntax
    (let* ((*print-readably* nil) (*print-circle* t) (*print-length* 60) (*print-level* 5)
           (text (substitute #\Space #\Newline (handler-case (prin1-to-string value) (error () "unprintable")))))
      (loop for start = (search "{" text) while start
            do (setf text (concatenate 'string (subseq text 0 start) "_" (subseq text (1+ (or (position #\} text :start start) start))))))
      text)))
(defun own-package-p (package) (search "LISP-WORKBENCH" (package-name package)))
(defun compared-package-p (package)
  (let ((name (package-name package)))
    (or (member name '("COMMON-LISP" "SB-EXT" "SB-DEBUG" "SB-ALIEN" "SB-PRETTY" "SB-GRAY" "SB-SYS" "SB-THREAD") :test #'string=)
        (eql 0 (search "ASDF/" name))
        (eql 0 (search "UIOP/" name)))))
(defun state-variables ()
  (let ((found (list 'sb-c::*policy* 'sb-c::*policy-min* 'sb-c::*policy-max* 'sb-c::*macro-policy* 'sb-c::*handled-conditions* 'sb-c::*disabled-package-locks*)))
    (dolist (package (list-all-packages) found)
      (when (compared-package-p package)
        (do-symbols (symbol package)
          (when (and (eq package (symbol-package symbol)) (eq :special (sb-int:info :variable :kind symbol)))
            (pushnew symbol found)))))))
(defun print-state (file)
  (with-open-file (out file :direction :output :if-exists :supersede)
    (flet ((line (name value) (format out "~A~C~A~%" name #\Tab (state-text value))))
      (dolist (symbol (state-variables))
        (line (format nil "variable ~A" (state-text symbol)) (if (boundp symbol) (symbol-value symbol) :unbound)))
      (line "compiler policy restrictions" (sb-ext:restrict-compiler-policy))
      (line "compiler policy" (with-output-to-string (*standard-output*) (sb-ext:describe-compiler-policy)))
      (line "floating point modes" (sb-int:get-floating-point-modes))
      (line "proclaimed declarations" (sort (let ((names '())) (do-all-symbols (s names) (when (sb-int:info :declaration :known s) (pushnew (state-text s) names)))) #'string<))
      (dolist (package (remove-if #'own-package-p (list-all-packages)))
        (line (format nil "package ~A" (package-name package))
              (list (sort (copy-list (package-nicknames package)) #'string<)
                    (mapcar #'package-name (package-use-list package))
                    (sb-ext:package-locked-p package)
                    (sb-ext:package-local-nicknames package))))
      (dolist (readtable (list *readtable* (copy-readtable nil)))
        (dotimes (code 256)
          (let ((character (code-char code)))
            (multiple-value-bind (function terminating) (get-macro-character character readtable)
              (line (format nil "readtable ~:[standard~;current~] ~D" (eq readtable *readtable*) code)
                    (list function terminating
                          (ignore-errors (get-dispatch-macro-character #\# character readtable)))))))
        (line (format nil "readtable ~:[standard~;current~] case" (eq readtable *readtable*)) (readtable-case readtable)))
      (dolist (form '((let ((x 1) (y 2)) (list x y)) (defun f (x) (if x 1 2)) (cond (a b) (t c)) '#'quoted (loop for x in y collect x) #(1 2) "text"
                      #c(1 2) (make-hash-table) (asdf:find-system "asdf")))
        (line (format nil "printed prettily ~A" (state-text form))
              (list (multiple-value-list (pprint-dispatch form)) (let ((*print-pretty* t) (*print-right-margin* 20)) (prin1-to-string form)))))
      (dolist (gf '(print-object make-load-form describe-object initialize-instance shared-initialize reinitialize-instance make-instance documentation
                    change-class update-instance-for-redefined-class asdf:perform asdf:operate asdf:output-files asdf:input-files asdf:component-depends-on))
        (line (format nil "methods of ~A" (state-text gf))
              (length (remove-if (lambda (method)
                                   (some (lambda (each) (and (typep each 'class) (symbolp (class-name each)) (symbol-package (class-name each))
                                                             (own-package-p (symbol-package (class-name each)))))
                                         (sb-mop:method-specializers method)))
                                 (sb-mop:generic-function-methods (fdefinition gf))))))
      (dolist (symbol '(print-object make-load-form list append))
        (line (format nil "documentation of ~A" symbol) (documentation symbol 'function)))
      (line "logical hosts" sb-impl::*logical-hosts*)
      (line "symbols of CL-USER" (let ((names '())) (do-symbols (s :cl-user) (when (eq (symbol-package s) (find-package :cl-user)) (push (symbol-name s) names)))
                                   (remove-if (lambda (name) (search "STATE" name)) (sort names #'string<))))
      (line "global evaluator mode" sb-ext:*evaluator-mode*)
      (line "generations" (loop for generation below 6
                                collect (list (sb-ext:generation-number-of-gcs-before-promotion generation)
                                              (sb-ext:generation-bytes-consed-between-gcs generation)))))))
`;
/** The intended differences, each with its reason. */
const MEANT: Readonly<Record<string, string>> = {
  ...reason('the streams of an evaluation go to its reply and to the person', [
    '*STANDARD-INPUT*',
    '*STANDARD-OUTPUT*',
    '*ERROR-OUTPUT*',
    '*TRACE-OUTPUT*',
    '*QUERY-IO*',
    '*DEBUG-IO*',
    '*TERMINAL-IO*',
  ]),
  ...reason('errors that nobody handles, steps and ED go to the workbench', [
    '*DEBUGGER-HOOK*',
    '*INVOKE-DEBUGGER-HOOK*',
    '*STEPPER-HOOK*',
    '*ED-FUNCTIONS*',
  ]),
  ...reason('evaluations run in a thread of their own', ['SB-THREAD:*CURRENT-THREAD*', 'SB-THREAD::*SESSION*', '-']),
  ...reason('an image ends within two seconds', ['*EXIT-TIMEOUT*']),
  ...reason('each image draws other numbers: copies of one would all draw the same', ['*RANDOM-STATE*']),
  ...reason('a number or an address that differs in every process', ['SB-SYS:*RUNTIME-DLHANDLE*', '*GENSYM-COUNTER*']),
  ...reason('systems of a trusted project are found without registration', [
    'ASDF/SYSTEM-REGISTRY:*CENTRAL-REGISTRY*',
    'ASDF/SYSTEM-REGISTRY:*SYSTEM-DEFINITION-SEARCH-FUNCTIONS*',
  ]),
  ...reason('the contributed modules that the engine uses are loaded', [
    '*MODULES*',
    'ASDF/SYSTEM-REGISTRY:*REGISTERED-SYSTEMS*',
    'ASDF/PACKAGE-INFERRED-SYSTEM:*PACKAGE-INFERRED-SYSTEMS*',
  ]),
  ...Object.fromEntries(
    [
      'SB-CLTL2',
      'SB-POSIX',
      'SB-INTROSPECT',
      'SB-SPROF',
      'SB-ROTATE-BYTE',
      'SB-MD5',
      'SB-COVER',
      'SB-BSD-SOCKETS',
      'SB-BSD-SOCKETS-INTERNAL',
    ].map((name) => [`package ${name}`, 'the contributed modules that the engine uses are loaded']),
  ),
  ...Object.fromEntries(
    ['PRINT-OBJECT', 'SHARED-INITIALIZE'].map((name) => [`methods of ${name}`, 'those of the contributed modules']),
  ),
};

function reason(why: string, variables: readonly string[]): Record<string, string> {
  return Object.fromEntries(variables.map((name) => [`variable ${name}`, why]));
}

let image: TestImage;
let differing: Map<string, [plain: string | undefined, image: string | undefined]>;

beforeAll(async () => {
  image = await openTestImage();
  writeFileSync(path.join(image.directory, 'state.lisp'), STATE);
  const plain = spawnSync(
    (await findSbcl(null, process.env)).path,
    [
      '--noinform',
      '--no-sysinit',
      '--no-userinit',
      '--non-interactive',
      '--eval',
      '(require :asdf)',
      '--load',
      'state.lisp',
      '--eval',
      '(print-state "plain.txt")',
    ],
    { cwd: image.directory, input: '', encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } },
  );
  if (plain.status !== 0) throw new Error(plain.stderr);
  await image.value('(progn (load "state.lisp") (print-state "image.txt"))');
  const [there, here] = [stateIn('plain.txt'), stateIn('image.txt')];
  differing = new Map();
  for (const name of new Set([...there.keys(), ...here.keys()]))
    if (there.get(name) !== here.get(name)) differing.set(name, [there.get(name), here.get(name)]);
}, 120_000);

afterAll(() => image.close());

function stateIn(name: string): Map<string, string> {
  const lines = readFileSync(path.join(image.directory, name), 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => line.split('\t') as [string, string]));
}

/** Differences that do not exist in newer SBCLs. */
const OLDER = new Set(['variable SB-SYS:*RUNTIME-DLHANDLE*', 'package SB-ROTATE-BYTE']);

describe('image with the engine, compared with plain SBCL', () => {
  it('Loading the engine changes nothing that code can see of the image but what is listed with its reason [issue 35.4]', () => {
    const others = [...differing].filter(([name]) => !Object.hasOwn(MEANT, name));
    expect(Object.fromEntries(others)).toEqual({});
  });

  it('Each difference that is listed is one [issue 35.4]', () => {
    expect(Object.keys(MEANT).filter((name) => !differing.has(name) && !OLDER.has(name))).toEqual([]);
  });
});

describe('contributed modules that code requires', () => {
  const RESTRICTIONS = '(sb-ext:restrict-compiler-policy)';
  const inPlain = async () => (await image.value(`(prin1-to-string ${RESTRICTIONS})`)).replaceAll('"', '');

  it.each(['(require :sb-md5)', '(asdf:load-system "sb-md5" :force t)'])(
    'A contributed module that code loads leaves the policy of the compiler as it was: %s [issue 35.4]',
    async (load) => {
      // Restores the state of an image that has never loaded these modules.
      await image.value(
        '(setf *modules* (set-difference *modules* (list "SB-MD5" "SB-COVER") :test (function string=)))',
      );
      await image.value(load);
      expect(await inPlain()).toBe('NIL');
    },
  );

  it('A restriction of the compiler that the person made lasts when a contributed module is required [issue 35.4]', async () => {
    await image.value("(sb-ext:restrict-compiler-policy 'debug 2)");
    await image.value('(setf *modules* (remove "SB-MD5" *modules* :test (function string=)))');
    await image.value('(require :sb-md5)');
    expect(await inPlain()).toBe('((DEBUG . 2))');
    await image.value("(sb-ext:restrict-compiler-policy 'debug 0)");
  });
});
