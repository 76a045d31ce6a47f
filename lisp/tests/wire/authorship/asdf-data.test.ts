/** An agent's data that ASDF, UIOP and other libraries evaluate. The agent remains the author of the code in it. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AGENT } from '../effects.fixture.ts';
import { guardedImage } from '../guarded-image.fixture.ts';

const { image, file, asked, agent, person, waits } = await guardedImage();

/** An agent's data that library functions evaluate, with the author that the card must name. */
const DATA: readonly (readonly [what: string, define: string, call: string, undo: string, author: string])[] = [
  [
    'a form in the registry of ASDF',
    "(defparameter *j1* '(progn (delete-file @) nil))",
    '(progn (push *j1* asdf:*central-registry*) (asdf:find-system "no-such-system" nil))',
    '(pop asdf:*central-registry*)',
    'client:unknown',
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
    `(defparameter *j11*
       '(:output-translations (t (:function (lambda (path directory) directory (delete-file @) path))) :ignore-inherited-configuration))`,
    '(progn (asdf:initialize-output-translations *j11*) (asdf:apply-output-translations "/tmp/x.fasl"))',
    '(asdf:initialize-output-translations nil)',
    'client:unknown',
  ],
  [
    'the same once the person has ASDF look anew',
    `(defparameter *j12*
       '(:output-translations (t (:function (lambda (path directory) directory (delete-file @) path))) :ignore-inherited-configuration))`,
    '(progn (setf asdf:*output-translations-parameter* *j12*) (asdf:clear-output-translations) (asdf:apply-output-translations "/tmp/x.fasl"))',
    '(asdf:initialize-output-translations nil)',
    'client:unknown',
  ],
  [
    'a compiled file to which the agent led ASDF',
    `(let* ((tmp (sb-ext:native-namestring (lisp-workbench:temporary-directory))) (source (concatenate 'string tmp "led.lisp")))
       (defparameter *j13* (list :output-translations (list t (list tmp)) :ignore-inherited-configuration))
       (asdf:initialize-output-translations *j13*)
       (with-open-file (s source :direction :output :if-exists :supersede) (print '(delete-file @) s))
       (let ((output (asdf:apply-output-translations "#/j13.fasl")))
         (ensure-directories-exist output)
         (asdf:clear-output-translations)
         (uiop:copy-file (compile-file source) output)))`, // copies the file, because ASDF would treat the compiler's direct output there as outdated
    '(progn (asdf:initialize-output-translations *j13*) (asdf:load-system "j13"))',
    '(asdf:initialize-output-translations nil)',
    'client:unknown',
  ],
  [
    'a system in the temporary folder to which the agent led ASDF',
    `(let ((tmp (lisp-workbench:temporary-directory)))
       (with-open-file (s (merge-pathnames "j14.asd" tmp) :direction :output) (write-string "(defsystem \\"j14\\" :components ((:file \\"j14-part\\")))" s))
       (with-open-file (s (merge-pathnames "j14-part.lisp" tmp) :direction :output) (print '(delete-file @) s))
       (defparameter *j14* tmp))`,
    '(progn (push *j14* asdf:*central-registry*) (asdf:load-system "j14"))',
    '(pop asdf:*central-registry*)',
    'client:unknown',
  ],
];

describe('data of an agent that the person takes over, and functions of others evaluate', () => {
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
    await waits(['', "(defparameter *k2* (uiop:ensure-function '(delete-file @)))", '(funcall *k2*)']);
    expect(existsSync(file)).toBe(true);
  });
});
