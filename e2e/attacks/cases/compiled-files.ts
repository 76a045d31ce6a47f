/**
 * Attacks by an agent's source files and compiled files that were written without an approval. They vary in what the files define, where
 * the files are, and who loads them.
 */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EffectAttack, Place, Step } from '../attack.ts';

/** Returns a Lisp string literal for a text. */
const text = (value: string): string => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

const OWN = '(lisp-workbench:temporary-directory)';

/** Returns Lisp code that writes a text to a file. */
const put = (file: string, content: string): string =>
  `(with-open-file (s ${file} :direction :output :if-exists :supersede) (write-string ${text(content)} s))`;

/** Returns Lisp code that copies octets into the image's temporary folder, where no approval is needed. */
const copy = (from: string, to: string): string =>
  `(let ((octets (with-open-file (in ${text(from)} :element-type '(unsigned-byte 8))
                   (let ((all (make-array (file-length in) :element-type '(unsigned-byte 8)))) (read-sequence all in) all))))
     (with-open-file (out (merge-pathnames ${text(to)} ${OWN}) :direction :output :if-exists :supersede :element-type '(unsigned-byte 8))
       (write-sequence octets out)))`;

/** Returns the path of a folder named like another image's temporary folder, with these six letters in its name. */
const foreignFolder = (letters: string): string => path.join(tmpdir(), `lisp-workbench-${process.pid}-${letters}`);

/** Writes a source, compiles it outside the image, and deletes the source. */
async function compiledElsewhere({ at, elsewhere }: Place, source: string): Promise<void> {
  await writeFile(at('made.lisp'), source);
  await elsewhere(`(compile-file ${text(at('made.lisp'))})`);
  await rm(at('made.lisp'));
}

/** `define` is the content of the compiled file, with `@` for the effect; `call` is the code that the person then runs. */
const KINDS: readonly (readonly [trick: string, define: string, call: string])[] = [
  ['a function', '(defun made () @)', '(made)'],
  ['a method', '(defgeneric made (x)) (defmethod made ((x integer)) @)', '(made 1)'],
  ['a closure in a variable', '(defvar *made* (let ((n 1)) (lambda () (incf n) @)))', '(funcall *made*)'],
  ['the initial value of a slot', '(defclass made () ((a :initform @)))', "(make-instance 'made)"],
  ['the initial value of a structure', '(defstruct made (a @))', '(make-made)'],
  ['a type', "(deftype made () (progn @ 'integer))", "(typep 1 'made)"],
  ['an expander of places', '(define-setf-expander made () @)', '(setf (made) 1)'],
  [
    'a print method',
    '(defclass made () ()) (defmethod print-object ((x made) s) @)',
    "(princ-to-string (make-instance 'made))",
  ],
  [
    'the report of a condition',
    '(define-condition made (error) () (:report (lambda (c s) c s @)))',
    "(princ-to-string (make-condition 'made))",
  ],
  [
    'a combination of methods',
    '(define-method-combination made () ((all *)) (progn all @)) (defgeneric made-g () (:method-combination made)) (defmethod made-g () 1)',
    '(made-g)',
  ],
  [
    'a compiler macro',
    '(defun made (x) x) (define-compiler-macro made (x) @ x)',
    "(funcall (compile nil '(lambda () (made 1))))",
  ],
  ['a symbol macro', '(define-symbol-macro made @)', 'made'],
  ['a top-level form', '@', '1'],
];

const ELSEWHERE = '#p"/usr/share/common-lisp/x.lisp"';

/** Forms with which a file claims a false identity before it defines anything. */
const LIES: readonly (readonly [trick: string, lie: string])[] = [
  ['sets *load-truename* to nothing', '(setq *load-truename* nil)'],
  ['says that it is another file', `(setq *load-truename* ${ELSEWHERE} *load-pathname* ${ELSEWHERE})`],
];

/** Returns steps in which an agent compiles and loads a source file with a false identity while ASDF appears to be running. */
const asSystem = ({ effect }: Place, define: string, call: string): readonly Step[] => [
  {
    agent: `(progn
      ${put(
        `(merge-pathnames "lying.lisp" ${OWN})`,
        `(eval-when (:compile-toplevel) (setq *compile-file-truename* ${ELSEWHERE} *compile-file-pathname* ${ELSEWHERE}))
         (setq *load-truename* ${ELSEWHERE})
         ${define.replaceAll('@', effect)}`,
      )}
      (progv (list (find-symbol "*ASDF-SESSION*" "ASDF/SESSION")) (list t)
        (load (compile-file (merge-pathnames "lying.lisp" ${OWN})))))`,
  },
  { person: call },
];

export const compiledFiles: readonly EffectAttack[] = [
  ...KINDS.map(([trick, define, call]) => ({
    finding: 3,
    trick: `${trick} of a file that was compiled elsewhere`,
    steps: async (place: Place) => {
      await compiledElsewhere(place, define.replaceAll('@', place.effect));
      return [
        { agent: copy(place.at('made.fasl'), 'made.fasl') },
        { agent: `(load (merge-pathnames "made.fasl" ${OWN}))` },
        { person: call },
      ];
    },
  })),
  {
    finding: 3,
    trick: 'a stream of a file that was compiled elsewhere',
    steps: async (place) => {
      await compiledElsewhere(place, `(defgeneric made (x)) (defmethod made ((x integer)) ${place.effect})`);
      return [
        { agent: copy(place.at('made.fasl'), 'made.bin') },
        { agent: `(with-open-file (s (merge-pathnames "made.bin" ${OWN}) :element-type '(unsigned-byte 8)) (load s))` },
        { person: '(made 1)' },
      ];
    },
  },
  {
    finding: 3,
    trick: 'a compiled file that took the place of the compiler’s while it was written',
    steps: async (place) => {
      await compiledElsewhere(place, `(defclass made () ((a :initform ${place.effect})))`);
      const replacing = `(let ((own ${OWN})) (macrolet ((m () ${copy(place.at('made.fasl'), 'mine.fasl')} 1)) (m)))`;
      return [
        {
          agent: `(progn ${put(`(merge-pathnames "mine.lisp" ${OWN})`, replacing)} (load (compile-file (merge-pathnames "mine.lisp" ${OWN})))
                    ${copy(place.at('made.fasl'), 'mine.fasl')} (delete-file (merge-pathnames "mine.lisp" ${OWN}))
                    (load (merge-pathnames "mine.fasl" ${OWN})))`,
        },
        { person: "(make-instance 'made)" },
      ];
    },
  },
  {
    finding: 3,
    trick: 'two files compiled here, put together with one that was not',
    steps: async (place) => {
      await compiledElsewhere(place, `(deftype made () (progn ${place.effect} 'integer))`);
      return [
        { agent: copy(place.at('made.fasl'), 'made.fasl') },
        {
          agent: `(progn ${put(`(merge-pathnames "own.lisp" ${OWN})`, '(defun own () 1)')}
                    (uiop:combine-fasls (list (compile-file (merge-pathnames "own.lisp" ${OWN})) (merge-pathnames "made.fasl" ${OWN}))
                                        (merge-pathnames "both.fasl" ${OWN}))
                    (load (merge-pathnames "both.fasl" ${OWN})))`,
        },
        { person: "(typep 1 'made)" },
      ];
    },
  },
  ...LIES.map(([trick, lie]) => ({
    finding: 4,
    trick: `a function of a file compiled elsewhere that ${trick}`,
    steps: async (place: Place) => {
      await compiledElsewhere(place, `${lie} (defun made () ${place.effect})`);
      return [
        { agent: copy(place.at('made.fasl'), 'made.fasl') },
        { agent: `(load (merge-pathnames "made.fasl" ${OWN}))` },
        { person: '(made)' },
      ];
    },
  })),
  {
    finding: 4,
    trick: 'a file compiled here that lies about where it is as if ASDF loaded it',
    steps: (place) => asSystem(place, '(defgeneric made (x)) (defmethod made ((x integer)) @)', '(made 1)'),
  },
  {
    finding: 4,
    trick: 'a storing form in a file that lies about where it is as if ASDF loaded it',
    steps: (place) => asSystem(place, '(defun made-store (x) x @) (defsetf made made-store)', '(setf (made) 1)'),
  },
  {
    finding: 5,
    trick: 'a system in the temporary folder of another image',
    steps: async ({ effect }) => {
      const folder = foreignFolder('attack');
      return [
        {
          beside: async () => {
            await inFolder(folder, {
              'left.asd': '(defsystem "left" :components ((:file "a")))',
              'a.lisp': `(defun left () ${effect})`,
            });
          },
        },
        { person: `(progn (asdf:load-asd "${folder}/left.asd") (asdf:load-system "left") (left))` },
        { beside: () => rm(folder, { recursive: true }) },
      ];
    },
  },
  {
    finding: 5,
    trick: 'a file in the temporary folder of another image that the person loads',
    steps: async ({ effect }) => {
      const folder = foreignFolder('listed');
      return [
        { beside: () => inFolder(folder, { 'a.lisp': `(defun other () ${effect})` }) },
        { person: `(progn (load "${folder}/a.lisp") (other))` },
        { beside: () => rm(folder, { recursive: true }) },
      ];
    },
  },
  {
    finding: 5,
    trick: 'a file in the temporary folder that the person compiles',
    steps: ({ effect }) => [
      { agent: put(`(merge-pathnames "c.lisp" ${OWN})`, `(eval-when (:compile-toplevel) ${effect})`) },
      { person: `(let ((file (merge-pathnames "c.lisp" ${OWN}))) (compile-file file))` },
    ],
  },
  {
    finding: 5,
    trick: 'a link to the temporary folder in a system of the person',
    steps: async ({ at, effect }) => {
      const folder = foreignFolder('linked');
      await inFolder(folder, { 'b.lisp': `(defun linked () ${effect})` });
      await writeFile(at('linked.asd'), '(defsystem "linked" :components ((:file "b")))');
      return [
        { beside: async () => symlink(path.join(folder, 'b.lisp'), at('b.lisp')) },
        { person: `(progn (asdf:load-asd "${at('linked.asd')}") (asdf:load-system "linked") (linked))` },
        { beside: () => rm(folder, { recursive: true }) },
      ];
    },
  },
  {
    finding: 5,
    trick: 'a foreign compiled file to which translations that the person takes over lead their system',
    steps: async (place) => {
      const { at, effect } = place;
      await compiledElsewhere(place, `(defgeneric led (x)) (defmethod led ((x integer)) ${effect})`);
      await writeFile(at('led.asd'), '(defsystem "led" :components ((:file "led")))');
      await writeFile(at('led.lisp'), `(defgeneric led (x)) (defmethod led ((x integer)) (error "not this"))${effect}`);
      return [
        {
          agent: `(let ((own ${OWN}))
                    (defparameter *place* own)
                    (asdf:initialize-output-translations (list :output-translations (list t (list own)) :ignore-inherited-configuration))
                    (ensure-directories-exist (asdf:apply-output-translations "${at('led.fasl')}"))
                    ${copy(at('made.fasl'), 'x.fasl')}
                    (rename-file (merge-pathnames "x.fasl" own) (asdf:apply-output-translations "${at('led.fasl')}")))`,
        },
        {
          person:
            '(asdf:initialize-output-translations (list :output-translations (list t (list *place*)) :ignore-inherited-configuration))',
        },
        { person: `(progn (asdf:load-asd "${at('led.asd')}") (asdf:load-system "led") (led 1))` },
        { person: '(asdf:initialize-output-translations nil)' },
      ];
    },
  },
];

async function inFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
}
