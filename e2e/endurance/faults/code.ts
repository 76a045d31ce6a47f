/** Faults from evaluated code that does not directly end the image: code that takes all memory, breaks printers, or damages the image. */
import { evaluated, type Fault } from './fault.ts';

const reset: Pick<Fault, 'wayBack'> = {
  wayBack: async ({ agent }) => {
    await agent.call('reset-session');
  },
};

const memory = evaluated('memory', [
  ['a heap that fills with lists', '(let ((all nil)) (loop (push (make-list 100000) all)))', /heap/i],
  ['a heap that fills with arrays', '(let ((all nil)) (loop (push (make-array 1000000) all)))', /heap/i],
  ['an array that no heap can hold', '(make-array (expt 2 44))', /ERROR/],
  ['a control stack that is used up', '(labels ((deeper (x) (1+ (deeper x)))) (deeper 1))', /STACK/],
  [
    'a binding stack that is used up',
    '(progn (defvar *depth* 0) (labels ((deeper () (let ((*depth* (1+ *depth*))) (1+ (deeper))))) (deeper)))',
    /STACK/i,
  ],
  [
    'a heap that fills in another thread',
    '(sb-thread:join-thread (sb-thread:make-thread (lambda () (let ((all nil)) (loop (push (make-array 1000000) all))))))',
    /heap|ERROR/i,
  ],
  ['a number of a million digits', '(length (format nil "~D" (expt 7 300000)))', /=> 253530|ERROR/],
]);

const printer = (body: string): string =>
  `(progn (defstruct odd) (defmethod print-object ((it odd) stream) ${body}) (make-odd))`;

const printers = evaluated('printers', [
  ['a printer that signals an error', printer('(error "no printing")'), /ERROR|odd/i],
  ['a printer that calls itself', printer('(prin1 it stream)'), /STACK|ERROR|odd|#1#/i],
  ['a printer that throws', printer('(throw :nowhere stream)'), /ERROR|odd|THROW/i],
  ['a printer that ends the image', printer('(sb-ext:exit :abort t)'), /Denied: EXIT/],
  ['a list that contains itself', '(let ((it (list 1))) (setf (cdr it) it))', /=>/],
  ['lists that are 100,000 deep', '(let ((it nil)) (dotimes (i 100000 it) (setf it (list it))))', /=>|ERROR/],
  [
    'a condition whose report signals an error',
    '(progn (define-condition odd-report (error) () (:report (lambda (c s) (error "no report")))) (error (quote odd-report)))',
    /ERROR/,
  ],
]);

const hostile = evaluated(
  'hostile code',
  [
    ['a definition in a locked package', '(defun cl:car (x) x)', /LOCK/i],
    ['a throw to nowhere', '(throw :nowhere 1)', /ERROR/],
    [
      'twenty interruptions of a thread while it cannot be interrupted',
      `(let* ((go nil) (thread (sb-thread:make-thread (lambda () (catch 'out (sb-sys:without-interrupts (loop until go)) (sleep 5)) :out)))) (sleep 0.1) (dotimes (i 20) (sb-thread:interrupt-thread thread (lambda () (throw 'out nil)))) (setf go t) (sb-thread:join-thread thread))`,
      /=> :OUT/,
    ],
    ['an end of its own thread', '(sb-thread:abort-thread)', /ERROR|abort/i],
    [
      'a hook of the collector that signals',
      '(progn (push (lambda () (error "in the hook")) sb-ext:*after-gc-hooks*) (sb-ext:gc) :collected)',
      /=>|ERROR/,
    ],
    [
      'a finalizer that signals',
      '(progn (sb-ext:finalize (list 1) (lambda () (error "in it"))) (sb-ext:gc :full t) :collected)',
      /=>|ERROR/,
    ],
    ['no standard output', '(setf *standard-output* (make-broadcast-stream) *error-output* nil)', /=>|ERROR/],
    [
      'a readtable without parentheses',
      '(setf *readtable* (let ((it (copy-readtable nil))) (set-syntax-from-char #\\( #\\a it) it))',
      /=>|ERROR/,
    ],
    ['the keyword package as the current one', '(setf *package* (find-package :keyword))', /=>|ERROR/],
    ['the debugger switched off', '(progn (sb-ext:disable-debugger) (error "after that"))', /after that/],
    [
      'a package that is deleted while it is current',
      '(progn (make-package :odd-one :use (quote (:cl))) (setf *package* (find-package :odd-one)) (delete-package :odd-one) 1)',
      /=>|ERROR/,
    ],
    [
      'a mutex that is never released',
      '(progn (defvar *odd-lock* (sb-thread:make-mutex)) (sb-thread:grab-mutex *odd-lock*) :held)',
      /=>/,
    ],
  ],
  {},
);

const spoiled = evaluated(
  'spoiled image',
  [
    [
      'FORMAT redefined',
      '(sb-ext:without-package-locks (defun cl:format (&rest all) (declare (ignore all)) nil))',
      /=>|ERROR/,
    ],
    [
      'PRINC and PRIN1 redefined',
      '(sb-ext:without-package-locks (setf (fdefinition (quote cl:princ)) (lambda (&rest all) all) (fdefinition (quote cl:prin1)) (lambda (&rest all) all)) 1)',
      /=>|ERROR/,
    ],
    [
      '+ redefined',
      '(sb-ext:without-package-locks (setf (fdefinition (quote cl:+)) (lambda (&rest all) all)) 1)',
      /=>|ERROR/,
    ],
    [
      'MAKE-INSTANCE without methods',
      '(sb-ext:without-package-locks (setf (fdefinition (quote cl:make-instance)) (lambda (&rest all) all)) 1)',
      /=>|ERROR/,
    ],
    [
      'ERROR redefined',
      '(sb-ext:without-package-locks (setf (fdefinition (quote cl:error)) (lambda (&rest all) all)) 1)',
      /=>|ERROR/,
    ],
    [
      'all other threads ended',
      '(progn (mapc (function sb-thread:terminate-thread) (remove sb-thread:*current-thread* (sb-thread:list-all-threads))) (sleep 0.2) :ended)',
      /=>|ERROR|IMAGE-LOST/,
    ],
  ],
  reset,
);

const interrupted = (name: string, code: string): Fault => ({
  family: 'endless code',
  name,
  told: /interrupt|IMAGE-LOST|ended|Cancelled/i,
  inject: async ({ begin, agent }) => {
    const { answer } = await begin(code);
    const told = await agent.call('interrupt-evaluation');
    return `${told.text}\n${await answer}`;
  },
});

const endless: Fault[] = [
  interrupted('a loop', '(loop)'),
  interrupted('a loop that handles everything', '(loop (ignore-errors (handler-case (loop) (t () nil))))'),
  interrupted(
    'a debugger hook that never returns',
    '(progn (setf sb-ext:*invoke-debugger-hook* (lambda (c h) (loop))) (error "into the hook"))',
  ),
  interrupted('a loop without interrupts', '(sb-sys:without-interrupts (loop))'),
  interrupted('a loop without the collector', '(sb-sys:without-gcing (loop))'),
  interrupted(
    'a wait for a mutex that is held',
    '(let ((it (sb-thread:make-mutex))) (sb-thread:join-thread (sb-thread:make-thread (lambda () (sb-thread:grab-mutex it)))) (sb-thread:with-mutex (it) 1))',
  ),
  interrupted('unwinding that never ends', '(unwind-protect (loop) (loop))'),
  interrupted('a printer that never ends', printer('(loop (write-char #\\x stream))')),
];

export const codeFaults: readonly Fault[] = [...memory, ...printers, ...hostile, ...spoiled, ...endless];
