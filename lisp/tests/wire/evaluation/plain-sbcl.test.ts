/**
 * Evaluated code behaves as in plain SBCL: each form has the same value in a plain process and in an image, for the person and for a
 * client.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Effect } from '#contract/decisions/effect.ts';
import { decideAll } from '../effects.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';

const BROKEN =
  '(progn (with-open-file (s "broken.lisp" :direction :output :if-exists :supersede) (write-string "(defun broken-f (x) (+ x undefined-zz)) (defun broken-g () (car 3))" s)) (list (multiple-value-bind (fasl warnings failure) (compile-file "broken.lisp" :output-file "broken-out.fasl") (list (and fasl t) warnings failure)) (with-output-to-string (*error-output*) (compile-file "broken.lisp" :output-file "broken-out.fasl"))))';

/**
 * Returns a form that calls OPEN with all combinations of its options, on an existing or a missing file. For each combination, the form
 * returns the name of the opened file or the condition, and the first line of the file.
 */
const OPENINGS = (direction: string, there: string): string => `
  (let ((name "opened.txt") (results '()))
    (flet ((note (&rest what)
             (when (probe-file name) (delete-file name))
             (when ${there} (with-open-file (s name :direction :output) (write-string "before" s)))
             (push (append what
                           (list (handler-case
                                     (let ((s (apply #'open (if (member :newest what) (make-pathname :name "opened" :type "txt" :version :newest) name)
                                                     :direction ${direction} (remove :newest what))))
                                       (and s (unwind-protect (file-namestring (pathname (progn (write-string "x" s) s))) (close s))))
                                   (error (c) (list (type-of c) (let ((text (princ-to-string c))) (subseq text 0 (min 12 (length text)))))))
                                 (and (probe-file name) (with-open-file (s name) (read-line s nil)))
                                 (length (directory "opened*"))))
                   results)
             (mapc #'delete-file (directory "opened*"))))
      (dolist (exists '(() (:if-exists nil) (:if-exists :error) (:if-exists :new-version) (:if-exists :supersede) (:if-exists :overwrite)
                        (:if-exists :append) (:if-exists :rename) (:if-exists :rename-and-delete)))
        (dolist (missing '(() (:if-does-not-exist nil) (:if-does-not-exist :error) (:if-does-not-exist :create)))
          ;; SBCL's own OPEN signals that NIL is no name.
          (unless (and (search "RENAME" (princ-to-string exists)) (equal missing '(:if-does-not-exist nil)) (not ${there}))
            (apply #'note (append exists missing))
            (apply #'note :newest (append exists missing))))))
    (text-of (reverse results)))`;

const LOGICAL_NAMES = `
  (progn
    (setf (logical-pathname-translations "OPENED") (list (list "**;*.*.*" (merge-pathnames "**/*.*" (truename ".")))))
    (let ((s (open "OPENED:A-FILE.TXT" :direction :output :if-exists :supersede)))
      (prog1 (text-of (list (pathname s) (logical-pathname s) (file-namestring (truename s))
                            (subseq (multiple-value-list (rename-file "OPENED:A-FILE.TXT" "OPENED:B-FILE.TXT")) 0 1)
                            (subseq (multiple-value-list (rename-file "OPENED:B-FILE.TXT" "OTHER")) 0 1)
                            (mapcar #'file-namestring (directory "*-file.txt")) (mapcar #'file-namestring (directory "other.txt"))))
             (close s)
             (mapc #'delete-file (directory "other*")))))`;

const OPENED = 'files that are opened, once the person said so';
const ARGUMENTS = 'errors of arguments';

/** The form that returns SBCL's information about the function NAME. */
const TOLD =
  "(documentation NAME 'function) (sb-introspect:function-lambda-list NAME) (handler-case (sb-introspect:function-type NAME) (error () :none)) (ignore-errors (let ((place (first (sb-introspect:find-definition-sources-by-name NAME :function)))) (list (sb-introspect:definition-source-pathname place) (sb-introspect:definition-source-form-path place)))) (ignore-errors (sb-kernel:%fun-name (fdefinition NAME))) (ignore-errors (documentation (fdefinition NAME) t)) (ignore-errors (rest (multiple-value-list (function-lambda-expression (fdefinition NAME)))))";

/** Forms that do or could make the compiler print remarks. */
const REMARKS_ON = [
  '(defun r1 (x) (+ x 1))',
  '(declaim (inline r2)) (defun r2 (x) (+ x 1)) (defun r3 (y) (r2 y))',
  '(defun r4 (x) (let ((y 1)) x))',
  '(defun r5 (x) (undefined-r5 x) (setq undefined-r5 1))',
  '(defun r6 () (car 3))',
  '(defmacro r7 (x) `(if ,x 1 2)) (defun r8 () (r7 nil))',
  '(defun r9 (x) (error "no ~A" x) (print x))',
  '(declaim (ftype (function (t) nil) r10)) (defun r10 (x) (error "x ~a" x)) (defun r11 (x) (r10 x) 1)',
  '(defclass r12 () ((x :initarg :x))) (defmethod r13 ((x r12) &optional y) (declare (ignorable y)) (slot-value x (quote x)))',
  '(defstruct r14 (x 0 :type fixnum)) (defun r15 (s) (declare (type r14 s)) (r14-x s))',
  '(defun r16 (x) (delete-file x 1) (open) (load x :no-such-key 1))',
  '(define-compiler-macro r17 (x) `(list ,x)) (defun r17 (x) (list x)) (defun r18 () (r17 1))',
  '(defun r19 (x) (flet ((g (y) (* x y))) (declare (inline g)) (list (g 1) (g 2))))',
];

/**
 * Functions that both processes define. They return the compiler's remarks, and how many words each call of the functions in
 * `closures.lisp` allocates.
 */
const HELPERS = `
(defun text-of (object) (write-to-string object :pretty nil :circle nil))
(defun forms-of (text) (with-input-from-string (s text) (loop for form = (read s nil s) until (eq form s) collect form)))
(defun remarks (function)
  (let ((seen '()))
    (flet ((note (c) (push (list (type-of c) (substitute #\\; #\\Newline (let ((*print-right-margin* 10000)) (princ-to-string c)))) seen)))
      (handler-bind ((sb-ext:compiler-note #'note) (warning #'note))
        (let ((*error-output* (make-broadcast-stream)) (*standard-output* (make-broadcast-stream))) (funcall function))))
    (remove-if (lambda (each) (search "REDEFINITION" (symbol-name (first each)))) (reverse seen))))
(defun compile-of-text (text)
  (with-open-file (s "remarks.lisp" :direction :output :if-exists :supersede) (write-string text s))
  (load (compile-file "remarks.lisp" :output-file "remarks-out.fasl"))
  (mapc (lambda (form) (funcall (compile nil (list 'lambda '() form)))) (forms-of text)))
(defun words (function)
  (dotimes (i 100) (funcall function 5))
  (let ((before (sb-ext:get-bytes-consed)))
    (dotimes (i 20000) (funcall function 5))
    (round (/ (- (sb-ext:get-bytes-consed) before) 20000) sb-vm:n-word-bytes)))
`;

const CLOSURES = `
(defun down (f) (declare (function f)) (funcall f 1)) (declaim (notinline down))
(declaim (inline each)) (defun each (f l) (declare (dynamic-extent f) (function f)) (dolist (x l) (funcall f x)))
(defun c1 (x) (flet ((g (y) (+ x y))) (declare (dynamic-extent #'g)) (down #'g)))
(defun c2 (x) (let ((n 0)) (flet ((g (y) (incf n (+ x y)))) (declare (dynamic-extent #'g)) (down #'g) n)))
(defun c3 (x) (labels ((g (y) (if (zerop y) x (g (1- y))))) (declare (dynamic-extent #'g)) (down #'g)))
(defun c4 (x) (let ((f (lambda (y) (+ x y)))) (declare (dynamic-extent f)) (down f)))
(defun c5 (x &key (k 1)) (flet ((g (y &optional (z 2)) (+ k x y z))) (declare (dynamic-extent #'g)) (down #'g)))
(defun c6 (x) (let ((n 0)) (flet ((g (y) (incf n (+ x y)))) (declare (dynamic-extent #'g)) (each #'g '(1 2)) (down #'g) n)))
(defun c7 (x) (flet ((g (y) (flet ((h (z) (+ x y z))) (declare (dynamic-extent #'h)) (down #'h)))) (declare (dynamic-extent #'g)) (down #'g)))
(defun c8 (x) (handler-case (down (lambda (y) (+ x y))) (error () 1)))
(defun c9 (x) (down (lambda (y) (+ x y))))
(defun c10 (x &rest more) (declare (dynamic-extent more)) (+ x (length more)))
(defun c11 (x) (block b (flet ((g (y) (return-from b (+ x y)))) (declare (dynamic-extent #'g)) (down #'g))))
(defun words-of-all () (mapcar #'words '(c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11)))
`;

/** Forms whose values are printed identically in each process. */
const FORMS: Record<string, readonly string[]> = {
  'the verdict of the compiler': [
    `(rest (multiple-value-list (compile nil '(lambda (x) (+ x "a")))))`,
    `(rest (multiple-value-list (compile nil '(lambda (x) (undefd-function x)))))`,
    `(rest (multiple-value-list (compile nil '(lambda (x) x))))`,
    `(rest (multiple-value-list (compile 'named-by-compile '(lambda () (car 3)))))`,
    `(with-output-to-string (*error-output*) (compile nil '(lambda (x) (+ x "a"))))`,
    `(with-output-to-string (*error-output*) (fmakunbound 'in-unit) (with-compilation-unit () (eval '(defun in-unit () (car 3)))))`,
    `(let ((seen 0)) (handler-bind ((warning (lambda (c) (declare (ignore c)) (incf seen)))) (compile nil '(lambda () (car 3)))) seen)`,
    BROKEN,
  ],
  'operations on constant lists, which SBCL folds into one shared list where space counts [issue 35.4]': [
    'union',
    'intersection',
    'set-difference',
    'set-exclusive-or',
  ].map(
    (name) =>
      `(let ((f (compile nil '(lambda () (declare (optimize (speed 3) (safety 0) (space 0) (compilation-speed 0) (debug 0))) (${name} '(a b c) '(b d e f)))))) (list (funcall f) (eq (funcall f) (funcall f))))`,
  ),
  'warnings that the code captures by their stream': [
    '(with-output-to-string (*error-output*) (warn "Foo!"))',
    `(with-output-to-string (*error-output*) (warn 'style-warning))`,
    '(let ((*error-output* (make-broadcast-stream))) (warn "Foo!"))',
    '(let* ((s (make-string-output-stream)) (*error-output* s)) (handler-bind ((warning (function muffle-warning))) (warn "x")) (get-output-stream-string s))',
  ],
  streams: [
    '(mapcar (function stream-element-type) (list *standard-input* *standard-output* *error-output* *trace-output* *debug-io* *query-io* *terminal-io*))',
    '(mapcar (lambda (s) (let ((f (stream-external-format s))) (if (consp f) (first f) f))) (list *standard-output* *error-output*))',
    '(mapcar (lambda (s) (list (and (input-stream-p s) t) (and (output-stream-p s) t) (and (open-stream-p s) t))) (list *standard-output* *error-output* *debug-io* *query-io* *terminal-io*))',
    '(stream-element-type (make-concatenated-stream *standard-input*))',
    '(stream-element-type (make-broadcast-stream *standard-output*))',
    '(stream-element-type (make-echo-stream *standard-input* *standard-output*))',
    `(sb-ext:process-exit-code (sb-ext:run-program "/bin/sh" '("-c" "echo hi") :output (make-broadcast-stream (make-string-output-stream) *debug-io*)))`,
    '(progn (fresh-line) (list (progn (princ "ab") (sb-kernel:charpos *standard-output*)) (progn (terpri) (fresh-line))))',
  ],
  'what is told of functions': [
    ...[
      'open',
      'load',
      'delete-file',
      'compile',
      'compile-file',
      'rename-file',
      'require',
      'delete-package',
      'macro-function',
      'sb-ext:run-program',
      'sb-ext:exit',
      'sb-ext:make-timer',
      'sb-ext:schedule-timer',
      'sb-ext:save-lisp-and-die',
      'sb-thread:make-thread',
      'sb-thread:interrupt-thread',
      'sb-sys:make-fd-stream',
      '(setf macro-function)',
      '(setf sb-ext:gc-logfile)',
      'load-time-value',
      'function',
    ].map(
      (name) =>
        `(with-standard-io-syntax (let ((*print-readably* nil)) (prin1-to-string (list ${TOLD.replaceAll('NAME', `'${name}`)}))))`,
    ),
    ...['cl', 'sb-ext', 'sb-thread'].map(
      (name) =>
        `(let ((all '())) (do-external-symbols (name '${name}) (when (and (fboundp name) (not (typep (ignore-errors (fdefinition name)) 'generic-function))) (push (list name ${TOLD.replaceAll('NAME', 'name')}) all))) (sxhash (with-standard-io-syntax (let ((*print-readably* nil)) (prin1-to-string (sort all (function string<) :key (function first)))))))`,
    ),
    '(format nil "~{~A~}" (mapcar (lambda (name) (with-output-to-string (out) (let ((*print-right-margin* 1000)) (describe name out)))) \'(open sb-ext:run-program delete-file)))',
  ],
  'the source of what files define': [
    '(load "plist.lisp")',
    '(load (compile-file "plist.lisp" :output-file "plist-out.fasl"))',
  ].flatMap((loading) =>
    ['', ':source-plist (list :mine 1)', ':source-namestring "mine.lisp"'].map(
      (more) =>
        `(progn (with-open-file (s "plist.lisp" :direction :output :if-exists :supersede) (write-string "(defun of-plist () 1)" s)) (with-compilation-unit (${more}) ${loading}) (let ((place (sb-introspect:find-definition-source (fdefinition 'of-plist)))) (list (sb-introspect:definition-source-plist place) (let ((path (sb-introspect:definition-source-pathname place))) (and path (file-namestring path))))))`,
    ),
  ),
  [OPENED]: [
    OPENINGS(':output', 't'),
    OPENINGS(':output', 'nil'),
    OPENINGS(':io', 't'),
    OPENINGS(':io', 'nil'),
    LOGICAL_NAMES,
  ],
  'files that are not opened': [
    '(open "helpers.lisp" :direction :output :if-exists nil)',
    '(open "no-such-file" :direction :output :if-does-not-exist nil)',
    '(progn (open "no-such-file-2" :direction :output :if-does-not-exist nil :if-exists :append) (probe-file "no-such-file-2"))',
  ],
  'octets on the standard streams': [
    '(list (read-byte *standard-input* nil :end) (read-byte *terminal-io* nil :end))',
    '(handler-case (read-byte *standard-input*) (error (c) (type-of c)))',
    '(let ((octets (make-array 3 :element-type (quote (unsigned-byte 8))))) (read-sequence octets *standard-input*))',
    '(list (write-byte 65 *standard-output*) (write-byte 10 *error-output*))',
    '(length (write-sequence (sb-ext:string-to-octets "hey" :external-format :utf-8) *standard-output*))',
  ],
  'symbol macros': [
    `(progn (eval '(define-symbol-macro told-here (car (list 1 2)))) (multiple-value-list (macroexpand-1 'told-here)))`,
    "(progn (eval '(define-symbol-macro told-here (car (list 1 2)))) (multiple-value-list (macroexpand 'told-here)))",
    "(progn (eval '(define-symbol-macro told-here (car (list 1 2)))) (mapcar (function first) (cdddr (multiple-value-list (get-setf-expansion 'told-here)))))",
    "(progn (eval '(define-symbol-macro told-there (list 3))) (eval '(defmacro quoting (&environment e) (list 'quote (list (macroexpand-1 'told-there e) (macroexpand 'told-there e))))) (text-of (eval '(quoting))))",
    `(progn (with-open-file (s "symbol-macro.lisp" :direction :output :if-exists :supersede) (write-string "(define-symbol-macro in-file (list 3)) (defmacro quoting-2 (&environment e) (list 'quote (list (macroexpand-1 'in-file e) (macroexpand 'in-file e)))) (defun quoted () (list (quoting-2) in-file))" s)) (load "symbol-macro.lisp") (load (compile-file "symbol-macro.lisp" :output-file "symbol-macro-out.fasl")) (text-of (funcall 'quoted)))`,
  ],
  'memory that is used': [
    `(progn (load "closures.lisp") (words-of-all))`,
    `(progn (load (compile-file "closures.lisp" :output-file "closures-out.fasl")) (words-of-all))`,
  ],
  'remarks of the compiler': REMARKS_ON.flatMap((text) => [
    `(text-of (remarks (lambda () (mapc (function eval) (forms-of ${JSON.stringify(text)})))))`,
    `(let ((s "(declaim (optimize (speed 3)))")) (mapc (function eval) (forms-of s)) (unwind-protect (text-of (remarks (lambda () (compile-of-text ${JSON.stringify(text)})))) (proclaim '(optimize (speed 1)))))`,
  ]),
  'variables in new threads': [
    ...[
      '*print-base* 2',
      '*read-default-float-format* (quote double-float)',
      '*default-pathname-defaults* #p"/tmp/"',
      '*print-length* 3',
      '*print-case* :downcase',
      '*debugger-hook* (quote list)',
      '*gensym-counter* 77',
    ].flatMap((setting) => {
      const name = setting.split(' ')[0]!;
      const told = `(list (sb-thread:join-thread (sb-thread:make-thread (lambda () (let ((value ${name})) (with-standard-io-syntax (prin1-to-string value)))))) (let ((${name} ${name})) (sb-thread:join-thread (sb-thread:make-thread (lambda () (sb-thread:join-thread (sb-thread:make-thread (lambda () (let ((value ${name})) (with-standard-io-syntax (prin1-to-string value)))))))))))`;
      return [
        `(let ((before ${name})) (setf ${setting}) (unwind-protect (eval '${told}) (setf ${name} before)))`,
        `(let* ((before ${name}) (${name} ${setting.slice(name.length)})) (declare (ignorable before)) (equal (prin1-to-string before) (sb-thread:join-thread (sb-thread:make-thread (lambda () (let ((value ${name})) (with-standard-io-syntax (prin1-to-string value))))))))`,
      ];
    }),
    '(progn (setf *random-state* (sb-ext:seed-random-state 7)) (sb-thread:join-thread (sb-thread:make-thread (lambda () (random 1000000)))))',
    `(let ((mine (make-string-output-stream)) (before *standard-output*)) (setf *standard-output* mine) (unwind-protect (sb-thread:join-thread (sb-thread:make-thread (lambda () (princ "seen")))) (setf *standard-output* before)) (get-output-stream-string mine))`,
    `(let ((*standard-output* (make-string-output-stream))) (sb-thread:join-thread (sb-thread:make-thread (lambda () (princ "")))) (get-output-stream-string *standard-output*))`,
  ],
  'the streams of questions': [
    '(with-output-to-string (out) (let ((*terminal-io* (make-two-way-stream (make-string-input-stream "y") out))) (princ (y-or-n-p "Sure?") out)))',
    '(let ((*query-io* (make-two-way-stream (make-string-input-stream "yes") (make-broadcast-stream)))) (yes-or-no-p "Sure?"))',
    '(handler-case (y-or-n-p) (end-of-file () :end-of-file))',
    '(handler-case (read *terminal-io*) (end-of-file () :end-of-file))',
    '(read-line *query-io* nil :end)',
    '(with-output-to-string (*terminal-io*) (princ 1 *debug-io*) (princ 2 *query-io*))',
  ],
  [ARGUMENTS]: [
    '(make-package)',
    '(make-package 1 2 3)',
    `(fmakunbound '(setf . foo))`,
    '(fmakunbound)',
    '(fmakunbound 1)',
    '(makunbound 1)',
    '(makunbound)',
    '(unintern)',
    '(unintern 1)',
    `(unintern 'a 17)`,
    '(delete-package)',
    '(delete-package 17)',
    '(remove-method)',
    '(remove-method 1 2)',
    '(sb-thread:make-thread)',
    '(sb-thread:interrupt-thread)',
    '(compile)',
    '(compile-file)',
    '(load)',
    '(sb-ext:make-timer)',
    '(open)',
    '(open "x" 2 3)',
    '(delete-file)',
    '(delete-file 17)',
    '(rename-file "a")',
    '(sb-ext:run-program)',
    '(sb-ext:run-program "/bin/true")',
    '(ensure-directories-exist)',
    '(sb-posix:unlink)',
    '(sb-ext:exit :no-such-key 1)',
  ].map(
    (form) =>
      `(handler-case ${form} (program-error () :program) (type-error (c) (list :type (type-error-datum c))) (error (c) (type-of c)))`,
  ),
};

let image: TestImage;
let asked: Effect<'waiting'>[];
let plain: Map<string, string>;

beforeAll(async () => {
  image = await openTestImage();
  asked = decideAll(image, 'proceed');
  image.image.events.on('event', (event) => {
    if (event.event === 'input-requested')
      image.ask('input', { evaluation: event.evaluation, text: null }).catch(() => {}); // closed meanwhile
  });
  writeFileSync(path.join(image.directory, 'helpers.lisp'), HELPERS);
  writeFileSync(path.join(image.directory, 'closures.lisp'), CLOSURES);
  await image.value('(load "helpers.lisp")');
  plain = inPlainSbcl((await findSbcl(null, process.env)).path, Object.values(FORMS).flat(), image.directory);
});

afterAll(() => image.close());

/** Sorts the members of a union type, because their order differs between images of the newest SBCL. */
function inOneOrder(text = ''): string {
  return text.replaceAll(
    /\(OR ([A-Z -]+)\)/g,
    (_union, members: string) => `(OR ${members.split(' ').toSorted().join(' ')})`,
  );
}

for (const [subject, forms] of Object.entries(FORMS)) {
  describe(`evaluated code: ${subject}`, () => {
    for (const form of forms) {
      it.each([
        ['the person', false],
        ['a client', true],
      ])(`Evaluated code does the same as in plain SBCL for %s: ${form.slice(0, 120)}`, async (actor, client) => {
        // A client's calls with wrong arguments must have no effect outside the image. For all other forms, the client's effects are
        // allowed.
        const more = client
          ? { actor: 'codex', guard: [ARGUMENTS, OPENED, 'files that are not opened'].includes(subject) }
          : { interactive: true };
        const { values, condition } = await image.evaluate(form, { ...more, context: actor, valueLimit: 200_000 });
        expect(inOneOrder(condition?.message ?? values[0]?.text)).toBe(inOneOrder(plain.get(form)));
        expect(subject === OPENED && client ? [] : asked).toEqual([]);
        asked.length = 0;
      });
    }
  });
}

/** Returns the value of each form in one SBCL process without the engine. */
function inPlainSbcl(sbcl: string, forms: readonly string[], directory: string): Map<string, string> {
  const script = path.join(directory, 'forms.lisp');
  writeFileSync(script, forms.map((form) => `(let ((value ${form})) (format t "~&§~s¶~%" value))`).join('\n'));
  const options = ['--noinform', '--no-sysinit', '--no-userinit', '--disable-debugger'];
  const { stdout, stderr } = spawnSync(
    sbcl,
    [
      ...options,
      '--eval',
      '(progn (require :sb-posix) (require :sb-introspect))',
      '--load',
      'helpers.lisp',
      '--load',
      script,
    ],
    {
      input: '',
      cwd: directory,
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  );
  const values = stdout.split('§').slice(1);
  if (values.length !== forms.length) throw new Error(`${values.length} values for ${forms.length} forms: ${stderr}`);
  return new Map(forms.map((form, index) => [form, values[index]!.split('¶')[0]!]));
}
