/** Code that tries to break an image, with the expected answer. `interrupt` marks code that must be interrupted to end. */
import type { TestSession } from '../session.fixture.ts';

export interface Wedge {
  readonly what: string;
  readonly code: string;
  readonly answer: RegExp;
  readonly interrupt?: true;
}

const INTERRUPTED = /^(interrupted|LISP-WORKBENCH:IMAGE-LOST)/;

function endless(what: string, code: string): Wedge {
  return { what, code, answer: INTERRUPTED, interrupt: true };
}

function answered(what: string, code: string, answer: RegExp): Wedge {
  return { what, code, answer };
}

/** Code that is tried in every situation. All other code is tried only in a plain image. */
export const WEDGES: readonly Wedge[] = [
  endless('a loop', '(loop)'),
  endless('a loop that handles everything', '(loop (handler-case (loop) (serious-condition () nil)))'),
  endless('a loop around the abort restart', '(loop (with-simple-restart (abort "again") (loop)))'),
  endless('a clean-up form that loops', '(unwind-protect (loop) (loop (sleep 0.01)))'),
  endless('a loop without interrupts', '(sb-sys:without-interrupts (loop (sleep 0.01)))'),
  endless('a flood of output', '(loop (write-line "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"))'),
  endless('a sleep', '(sleep 1000)'),
  endless('a wait for a thread', '(sb-thread:join-thread (sb-thread:make-thread (lambda () (sleep 1000))))'),
  answered('endless recursion', '(labels ((f (n) (1+ (f n)))) (f 0))', /EXHAUSTED/),
  answered('a list that fills the heap', '(let ((l nil)) (loop (push (make-list 1000) l)))', /HEAP|IMAGE-LOST/),
  answered('an array too large', '(make-array (expt 10 12))', /HEAP-EXHAUSTED/),
  answered('exit', '(sb-ext:exit :code 7)', /exit code 7/),
  answered('exit without unwinding', '(sb-ext:exit :code 5 :abort t)', /exit code 5/),
  answered('its process killed', '(sb-posix:kill (sb-posix:getpid) 9)', /SIGKILL|The image ended/),
  answered('abort', '(abort)', /^ABORT/),
  answered('a throw to nowhere', "(throw 'nowhere 1)", /CONTROL-ERROR/),
  answered('a throw to the toplevel', "(throw 'sb-impl::toplevel-catcher t)", /ERROR|THREAD-ENDED/),
  answered('the end of its thread', '(sb-thread:abort-thread)', /THREAD-ENDED/),
  answered('a null pointer', '(sb-sys:sap-ref-8 (sb-sys:int-sap 0) 0)', /MEMORY-FAULT/),
  answered('an error', '(error "plain")', /SIMPLE-ERROR: plain/),
  answered('a break', '(break "here")', /here/),
  answered('hooks set to nil', '(setf *debugger-hook* nil sb-ext:*invoke-debugger-hook* nil) (error "x")', /: x/),
  answered(
    'a print method that loops',
    '(defclass slow () ()) (defmethod print-object ((o slow) s) (loop (sleep 0.01))) (make-instance (quote slow))',
    /too long/,
  ),
  answered(
    'a print method that signals',
    '(defclass bad () ()) (defmethod print-object ((o bad) s) (error "p")) (make-instance (quote bad))',
    /#<error/,
  ),
  answered('text that nobody can read', '#<unreadable>', /READER-ERROR/),
];

export const MORE_WEDGES: readonly Wedge[] = [
  endless('a loop without garbage collection', '(sb-sys:without-gcing (loop))'),
  endless('a bignum', '(expt 7 (expt 10 10))'),
  endless('a consing loop', '(loop (make-list 1000))'),
  endless('the compiler in a loop', '(loop (compile nil (quote (lambda (x) (let ((y x)) (list y y))))))'),
  endless(
    'a loop with safety 0',
    '(locally (declare (optimize (speed 3) (safety 0))) (let ((i 0)) (declare (fixnum i)) (loop (setf i (logand (1+ i) 255)))))',
  ),
  endless(
    'a dead lock',
    '(let ((m (sb-thread:make-mutex))) (sb-thread:with-mutex (m) (sb-thread:join-thread (sb-thread:make-thread (lambda () (sb-thread:with-mutex (m)))))))',
  ),
  endless(
    'a wait for a condition',
    '(let ((m (sb-thread:make-mutex)) (q (sb-thread:make-waitqueue))) (sb-thread:with-mutex (m) (sb-thread:condition-wait q m)))',
  ),
  endless('a process', '(sb-ext:run-program "/bin/sleep" (list "1000"))'),
  endless(
    'foreign code that sleeps',
    '(sb-alien:alien-funcall (sb-alien:extern-alien "sleep" (function sb-alien:int sb-alien:int)) 1000)',
  ),
  endless('a loop in a reader macro', '#.(loop)'),
  endless('a loop in a macro', '(macrolet ((m () (loop))) (m))'),
  endless(
    'a loop in a compiler macro',
    '(progn (defun cm-loop (x) x) (define-compiler-macro cm-loop (x) x (loop)) (funcall (compile nil (quote (lambda () (cm-loop 1))))))',
  ),
  endless('a handler that loops', '(handler-bind ((error (lambda (c) c (loop)))) (error "x"))'),
  endless('a flood of error output', '(loop (format *error-output* "yyyyyyyyyyyyyyyyyyyyyyyy~%"))'),
  endless('a flood of character output', '(loop (write-char #\\x))'),
  endless('a flood of warnings', '(loop (warn "again"))'),
  endless('a load of an endless stream', '(load (make-concatenated-stream (make-string-input-stream "(loop)")))'),
  answered(
    'recursion in a print method',
    '(defclass deep () ()) (defmethod print-object ((o deep) s) (print-object o s)) (make-instance (quote deep))',
    /#<error|EXHAUSTED|took too long/, // may take too long instead, because a tail call uses no stack
  ),
  answered(
    'a print method that floods',
    '(defclass flood () ()) (defmethod print-object ((o flood) s) (loop (write-string "xxxxxxxx" s))) (make-instance (quote flood))',
    /too long|xxxx/,
  ),
  answered(
    'a print method on everything',
    '(defmethod print-object :around ((o t) s) (error "no")) (list 1 (quote a))',
    /./,
  ),
  answered(
    'a condition whose report signals',
    '(define-condition rude (error) () (:report (lambda (c s) c s (error "in report")))) (error (quote rude))',
    /RUDE/,
  ),
  answered(
    'a condition whose report loops',
    '(define-condition slow-report (error) () (:report (lambda (c s) c s (loop (sleep 0.01))))) (error (quote slow-report))',
    /SLOW-REPORT/,
  ),
  answered(
    'a handler that errs',
    '(handler-bind ((error (lambda (c) c (error "in handler")))) (error "first"))',
    /in handler/,
  ),
  answered('an error without a message', '(error (make-condition (quote error)))', /^ERROR/),
  answered(
    'an error in a thread',
    '(sb-thread:join-thread (sb-thread:make-thread (lambda () (error "t"))) :default :gone)',
    /:GONE/,
  ),
  answered(
    'exit in a thread',
    '(sb-thread:join-thread (sb-thread:make-thread (lambda () (sb-ext:exit :code 9 :abort t))))',
    /exit code 9|IMAGE-LOST/,
  ),
  answered('exit while unwinding', '(unwind-protect (sb-ext:exit :code 3) (print 1))', /exit code 3/),
  answered(
    'exit with a thread that goes on',
    '(sb-thread:make-thread (lambda () (sleep 1000))) (sb-ext:exit :code 4)',
    /exit code 4/,
  ),
  answered(
    'the main thread ended',
    '(sb-thread:terminate-thread (sb-thread:main-thread)) (sleep 60)',
    /IMAGE-LOST|exit code/,
  ),
  answered('the wire closed', '(sb-posix:close 4) (sleep 60)', /IMAGE-LOST/),
  answered(
    'a stack exhausted while handling that',
    '(handler-bind ((storage-condition (lambda (c) c (labels ((f (n) (1+ (f n)))) (f 0))))) (labels ((f (n) (1+ (f n)))) (f 0)))',
    /EXHAUSTED|MEMORY-FAULT|IMAGE-LOST/,
  ),
  answered('the binding stack exhausted', '(labels ((f () (let ((*print-base* 10)) (f) 1))) (f))', /EXHAUSTED/),
  answered('a huge string', '(make-string (expt 10 11))', /HEAP-EXHAUSTED/),
  answered(
    'a hash table that grows without end',
    '(let ((h (make-hash-table))) (loop for i from 0 do (setf (gethash i h) (make-array 1000))))',
    /HEAP|IMAGE-LOST/,
  ),
  answered('a circular list', '(let ((l (list 1 2))) (setf (cdr (last l)) l) l)', /#1=/),
  answered('a very deep list', '(let ((l nil)) (dotimes (i 100000) (setf l (list l))) l)', /#/),
  answered('a very long list', '(make-list 1000000)', /\.\.\./),
  answered('standard output set to nothing', '(setf *standard-output* (make-broadcast-stream)) (print 1)', /1/),
  answered('standard output closed', '(close *standard-output*) (print 1)', /1/),
  answered('terminal input', '(read-char *terminal-io*)', /END-OF-FILE/),
  answered(
    'a package deleted under it',
    '(defpackage :doomed (:use :cl)) (in-package :doomed) (cl:delete-package :doomed) 1',
    /1|ERROR/,
  ),
  answered(
    'CL-USER renamed',
    '(rename-package :common-lisp-user :elsewhere) (rename-package :elsewhere :common-lisp-user (list :cl-user)) 1',
    /1/,
  ),
  answered(
    'a macroexpand hook that errs',
    '(setf *macroexpand-hook* (lambda (&rest r) r (error "hook"))) (when t 1)',
    /hook/,
  ),
  answered('breaking on every signal', "(setf *break-on-signals* t) (signal 'condition)", /./),
  answered('printing readably', '(setf *print-readably* t) (make-hash-table)', /HASH-TABLE/),
  answered('the reader without parentheses', '(set-macro-character #\\( (lambda (s c) s c (error "gone")))', /T/),
  answered('another read base', '(setf *read-base* 2) 11', /3/),
  answered('a read table case', '(setf (readtable-case *readtable*) :preserve)', /PRESERVE/),
  answered('an error while reading', '#.(error "reading")', /reading/),
  answered(
    'a standard function redefined',
    '(sb-ext:without-package-locks (defun cl:tenth (x) x (error "tenth")))',
    /TENTH/,
  ),
  answered(
    'EVAL redefined',
    '(sb-ext:without-package-locks (let ((old (function eval))) (setf (fdefinition (quote eval)) (lambda (f) (funcall old f))))) 1',
    /1/,
  ),
  answered(
    'FORMAT redefined',
    '(sb-ext:without-package-locks (defun cl:format (&rest r) r (error "format")))',
    /FORMAT/,
  ),
  answered(
    'PRINC and PRIN1 redefined',
    '(sb-ext:without-package-locks (defun cl:princ (&rest r) r (error "p")) (defun cl:prin1 (&rest r) r (error "p")))',
    /./,
  ),
  answered('a package lock', '(defun cl:car (x) x)', /SYMBOL-PACKAGE-LOCKED/),
  answered('a lone surrogate', '(string (code-char #xd800))', /"/),
  answered('characters that are none', '(princ (code-char 0)) (string (code-char 0))', /"/),
  answered('too many values', '(values-list (loop for i below 1000 collect i))', /999/),
  answered(
    'a hook that errs after a collection',
    '(push (lambda () (error "after gc")) sb-ext:*after-gc-hooks*) (sb-ext:gc) (setf sb-ext:*after-gc-hooks* (remove-if (function functionp) sb-ext:*after-gc-hooks*)) 1',
    /./,
  ),
  answered(
    'a timer in the main thread',
    '(sb-ext:schedule-timer (sb-ext:make-timer (lambda () (error "timer")) :thread (sb-thread:main-thread)) 0.01) (sleep 0.1)',
    /NIL/,
  ),
  answered(
    'a finalizer that errs',
    '(sb-ext:finalize (list 1 2) (lambda () (error "finalizer"))) (sb-ext:gc :full t)',
    /NIL/,
  ),
  answered(
    'a foreign abort',
    '(sb-alien:alien-funcall (sb-alien:extern-alien "abort" (function sb-alien:void)))',
    /SIGABRT|IMAGE-LOST/,
  ),
  answered(
    'a segmentation fault in foreign code',
    '(sb-alien:alien-funcall (sb-alien:extern-alien "strlen" (function sb-alien:unsigned-long sb-alien:unsigned-long)) 1)',
    /MEMORY-FAULT|IMAGE-LOST/,
  ),
];

/** Evaluates the code, and interrupts it if it does not end. Returns the answer. */
export async function tried({ session, say, evaluate }: TestSession, { code, interrupt }: Wedge): Promise<string> {
  if (!interrupt) return say(code);
  const begun = new Promise<void>((resolve) => {
    const stop = session.events.on('output', ({ text }) => {
      if (!text.includes('begun')) return;
      stop();
      resolve();
    });
  });
  const evaluation = `wedge-${Math.random()}`;
  const answer = evaluate(`(progn (write-line "begun") (finish-output)) ${code}`, { evaluation });
  await begun;
  await session.interrupt(evaluation);
  const { report } = await answer;
  return report.status === 'interrupted' ? 'interrupted' : `${report.condition?.type}: ${report.condition?.message}`;
}
