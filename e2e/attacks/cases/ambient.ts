/** Ambient state: an agent changes a default (finding 16), or the places where ASDF finds and writes files (finding 6). */
import type { ListedAttack, StateAttack } from '../attack.ts';

/** Returns an attack that consists of one line evaluated by the agent. */
const changing = (trick: string, line: string, probe: string, finding = 16): StateAttack => ({
  finding,
  trick,
  agent: [line],
  probe,
});

export const ambientState: readonly StateAttack[] = [
  {
    finding: 16,
    trick: 'the current package',
    agent: ['(make-package "ELSEWHERE")', '(in-package "ELSEWHERE")'],
    probe: '(package-name *package*)',
  },
  changing('a proclaimed policy', `(proclaim '(optimize (safety 0) (debug 3)))`, '(prin1-to-string sb-c::*policy*)'),
  changing('a declaimed policy', '(declaim (optimize (safety 0)))', '(prin1-to-string sb-c::*policy*)'),
  changing(
    'a restricted policy',
    `(sb-ext:restrict-compiler-policy 'safety 3)`,
    '(prin1-to-string (list sb-c::*policy-min* sb-c::*policy-max*))',
  ),
  changing('muffled conditions', '(declaim (sb-ext:muffle-conditions warning))', 'sb-c::*handled-conditions*'),
  changing('package locks', '(declaim (sb-ext:disable-package-locks car))', 'sb-c::*disabled-package-locks*'),
  changing('muffled warnings', `(setf sb-ext:*muffled-warnings* 'warning)`, 'sb-ext:*muffled-warnings*'),
  changing('the evaluator', '(setf sb-ext:*evaluator-mode* :interpret)', 'sb-ext:*evaluator-mode*'),
  changing(
    'the external format',
    '(setf sb-impl::*default-external-format* :latin-1)',
    'sb-impl::*default-external-format*',
  ),
  changing(
    'the format of C strings',
    '(setf sb-alien::*default-c-string-external-format* :latin-1)',
    'sb-alien::*default-c-string-external-format*',
  ),
  changing(
    'what UIOP does with failures',
    '(setf uiop:*compile-file-failure-behaviour* :ignore uiop:*compile-file-warnings-behaviour* :ignore)',
    '(list uiop:*compile-file-failure-behaviour* uiop:*compile-file-warnings-behaviour*)',
  ),
  changing(
    'what UIOP takes for uninteresting',
    '(push t uiop:*uninteresting-conditions*)',
    'uiop:*uninteresting-conditions*',
  ),
  changing('the encoding of UIOP', '(setf uiop:*default-encoding* :latin-1)', 'uiop:*default-encoding*'),
  changing(
    'UIOP’s temporary folder',
    '(setf uiop:*temporary-directory* #p"/tmp/theirs/")',
    'uiop:*temporary-directory*',
  ),
  changing(
    'module providers',
    '(push (lambda (name) name t) sb-ext:*module-provider-functions*)',
    '(length sb-ext:*module-provider-functions*)',
  ),
  changing('modules', '(provide "never-there")', '(find "never-there" *modules* :test #\'string=)'),
  changing('features', '(push :never-there *features*)', `(read-from-string "#+never-there 1 #-never-there 2")`),
  changing(
    'features at the end of the list',
    '(nconc *features* (list :never-there))',
    '(find :never-there *features*)',
  ),
  changing('a removed feature', '(setf *features* (remove :sbcl *features*))', '(find :sbcl *features*)'),
  changing(
    'features of a thread',
    '(sb-thread:join-thread (sb-thread:make-thread (lambda () (push :never-there *features*))))',
    '(find :never-there *features*)',
  ),
  changing(
    'a policy proclaimed in a thread',
    `(sb-thread:join-thread (sb-thread:make-thread (lambda () (proclaim '(optimize (safety 0))))))`,
    '(prin1-to-string sb-c::*policy*)',
  ),
  changing(
    'a policy proclaimed by a timer',
    `(let ((done (sb-thread:make-semaphore)))
       (sb-ext:schedule-timer (sb-ext:make-timer (lambda () (proclaim '(optimize (safety 0))) (sb-thread:signal-semaphore done)) :thread t) 0.01)
       (sb-thread:wait-on-semaphore done))`,
    '(prin1-to-string sb-c::*policy*)',
  ),
  changing(
    'features of a finalizer',
    `(let ((done (sb-thread:make-semaphore)))
       (dotimes (i 9) (sb-ext:finalize (list i) (lambda () (push :never-there *features*) (sb-thread:signal-semaphore done))))
       (sb-ext:gc :full t)
       (sb-thread:wait-on-semaphore done))`,
    '(find :never-there *features*)',
  ),
  changing(
    'features of an interruption',
    `(let ((done (sb-thread:make-semaphore)))
       (sb-thread:interrupt-thread (sb-thread:main-thread)
                                   (lambda () (push :never-there *features*) (sb-thread:signal-semaphore done)))
       (sb-thread:wait-on-semaphore done :timeout 10))`,
    '(find :never-there *features*)',
  ),
  changing(
    'the random state',
    '(setf *random-state* (sb-ext:seed-random-state 1))',
    '(random 1000000 (make-random-state))',
  ),
  changing('random numbers', '(dotimes (i 9) (random 10))', '(random 1000000 (make-random-state))'),
  changing('the counter of gensyms', '(setf *gensym-counter* 1000000)', '(< *gensym-counter* 900000)'),
  changing('what compilation prints', '(setf *compile-verbose* (not *compile-verbose*))', '*compile-verbose*'),
  changing(
    'what loading prints',
    '(setf *load-verbose* t *load-print* t *compile-print* t)',
    '(list *load-verbose* *load-print*)',
  ),
  changing('how vectors are printed', '(setf sb-ext:*print-vector-length* 1)', 'sb-ext:*print-vector-length*'),
  changing('how printing fails', '(setf sb-ext:*suppress-print-errors* t)', 'sb-ext:*suppress-print-errors*'),
  changing('block compilation', '(setf sb-ext:*block-compile-default* t)', 'sb-ext:*block-compile-default*'),
  changing('derived types', '(setf sb-ext:*derive-function-types* t)', 'sb-ext:*derive-function-types*'),
  changing(
    'the limit of inline expansions',
    '(setf sb-ext:*inline-expansion-limit* 1)',
    'sb-ext:*inline-expansion-limit*',
  ),
  changing('variances of packages', "(setf sb-ext:*on-package-variance* '(:error t))", 'sb-ext:*on-package-variance*'),
  changing('functions that edit', '(push (lambda (x) x t) sb-ext:*ed-functions*)', '(length sb-ext:*ed-functions*)'),
  changing('arguments of the process', '(setf sb-ext:*posix-argv* nil)', '(length sb-ext:*posix-argv*)'),
  changing(
    'an entry of the central registry',
    '(push #p"/tmp/theirs/" asdf:*central-registry*)',
    '(find #p"/tmp/theirs/" asdf:*central-registry* :test #\'equal)',
    6,
  ),
  changing(
    'a search function of ASDF',
    '(push (lambda (name) name nil) asdf:*system-definition-search-functions*)',
    '(length asdf:*system-definition-search-functions*)',
    6,
  ),
  changing(
    'output translations',
    `(asdf:initialize-output-translations '(:output-translations (t "/tmp/theirs/") :ignore-inherited-configuration))`,
    '(asdf:apply-output-translations "/home/person/own.fasl")',
    6,
  ),
  changing(
    'disabled output translations',
    '(asdf:disable-output-translations)',
    '(asdf:apply-output-translations "/home/person/own.fasl")',
    6,
  ),
  changing(
    'the source registry',
    `(progn (asdf:initialize-source-registry)
            (setf (gethash "never-there" asdf/source-registry:*source-registry*) #p"/tmp/theirs/never-there.asd"))`,
    `(let ((registry asdf/source-registry:*source-registry*)) (and registry (gethash "never-there" registry)))`,
    6,
  ),
  changing(
    'parameters of ASDF',
    `(setf asdf:*source-registry-parameter* '(:source-registry :ignore-inherited-configuration)
           asdf:*output-translations-parameter* '(:output-translations (t "/tmp/theirs/") :ignore-inherited-configuration))`,
    '(list asdf:*source-registry-parameter* asdf:*output-translations-parameter*)',
    6,
  ),
  {
    finding: 6,
    trick: 'output translations changed in place',
    agent: ['(dolist (each (first asdf::*output-translations*)) (setf (second each) #p"/tmp/theirs/**/*.*"))'],
    probe: '(asdf:apply-output-translations "/home/person/own.fasl")',
  },
  changing(
    'features of a file that was written unasked',
    `(let ((file (merge-pathnames "f.lisp" (lisp-workbench:temporary-directory))))
       (with-open-file (s file :direction :output) (write-string "(eval-when (:compile-toplevel :load-toplevel :execute) (push :never-there *features*))" s))
       (load file)
       (load (compile-file file)))`,
    '(find :never-there *features*)',
  ),
  changing(
    'a module provider of a file that was written unasked',
    `(let ((file (merge-pathnames "f.lisp" (lisp-workbench:temporary-directory))))
       (with-open-file (s file :direction :output) (write-string "(push 'delete-file sb-ext:*module-provider-functions*)" s))
       (load file))`,
    '(length sb-ext:*module-provider-functions*)',
  ),
  changing('the cache of UIOP', '(setf uiop:*user-cache* #p"/tmp/theirs/")', 'uiop:*user-cache*', 6),
  changing(
    'the function that translates outputs',
    `(setf uiop:*output-translation-function* (lambda (file) file))`,
    'uiop:*output-translation-function*',
    6,
  ),
];

/** Returns a listed attack that consists of one line evaluated by the agent. */
const listed = (trick: string, name: string, setting: string, line: string, probe: string): ListedAttack => ({
  finding: 16,
  trick,
  name,
  setting,
  agent: [line],
  probe,
});

const GREET = '(defun greet (x) x)';
const SHOP = '(defpackage :shop (:use :cl) (:export #:price)) (defpackage :stock (:use) (:export #:item))';
/** A form that returns the compiler's assumptions about calls of GREET. */
const BELIEVED = `(list (sb-kernel:type-specifier (sb-int:info :function :type 'greet)) (sb-int:info :function :where-from 'greet))`;
const INLINED = `(list (sb-int:info :function :inlinep 'greet) (sb-int:info :function :inlining-data 'greet))`;
/** A form that reports whether the person can still use a name for a lexical variable that a closure captures. */
const FREE = `(handler-case (eval '(let ((where 1)) (let ((read (lambda () where))) (let ((where 2)) where (funcall read)))))
  (error () :refused))`;
const NAMES = `(list (and (find-package "SHOP") t) (and (find-package "MALL") t) (sort (package-nicknames (or (find-package "SHOP") "MALL")) (function string<)))`;

export const ambientListed: readonly ListedAttack[] = [
  listed('a redefined function', 'GREETING', '(defun greeting () 1)', '(defun greeting () 2)', '(greeting)'),
  listed(
    'a declaimed type of a function',
    'GREET',
    GREET,
    '(declaim (ftype (function (string) string) greet))',
    BELIEVED,
  ),
  listed(
    'a proclaimed type of a function',
    'GREET',
    GREET,
    `(proclaim '(ftype (function (string) string) greet))`,
    BELIEVED,
  ),
  listed(
    'a type of a setf function',
    '(SETF GREET)',
    '(defun (setf greet) (x y) (list x y))',
    '(declaim (ftype (function (string string) string) (setf greet)))',
    `(list (sb-kernel:type-specifier (sb-int:info :function :type '(setf greet))))`,
  ),
  listed(
    'a type of a variable',
    '*COUNT*',
    '(defvar *count* 1)',
    '(declaim (type (integer 0 9) *count*))',
    '(handler-case (setf *count* 100) (error () :refused))',
  ),
  listed(
    'a type of a variable in short',
    '*COUNT*',
    '(defvar *count* 1)',
    '(declaim (fixnum *count*))',
    '(handler-case (setf *count* 1.0) (error () :refused))',
  ),
  listed('an inline function', 'GREET', GREET, '(declaim (inline greet))', INLINED),
  listed(
    'a function that is not inline',
    'GREET',
    `(declaim (inline greet)) ${GREET}`,
    '(declaim (notinline greet))',
    '(sb-int:info :function :inlinep (quote greet))',
  ),
  listed(
    'a deprecated function',
    'GREET',
    GREET,
    '(declaim (sb-ext:deprecated :early ("shop" "1") (function greet)))',
    '(and (sb-int:info :function :deprecated (quote greet)) t)',
  ),
  listed('a special name', 'WHERE', ':nothing', '(declaim (special where))', FREE),
  listed('a global name', 'WHERE', ':nothing', '(declaim (sb-ext:global where))', FREE),
  listed('a special variable of a name', 'WHERE', ':nothing', '(defvar where 5)', FREE),
  listed('a constant of a name', 'WHERE', ':nothing', '(defconstant where 5)', FREE),
  listed(
    'a symbol macro of a name',
    'WHERE',
    ':nothing',
    '(define-symbol-macro where 5)',
    `(handler-case (eval 'where) (error () :unbound))`,
  ),
  listed(
    'another value of a constant',
    '+RATE+',
    '(defconstant +rate+ 4)',
    "(handler-bind ((error #'continue)) (defconstant +rate+ 5))",
    '(eval (quote +rate+))',
  ),
  listed(
    'another expansion of a type',
    'AMOUNT',
    `(deftype amount () 'integer)`,
    `(deftype amount () 'string)`,
    `(typep 1 'amount)`,
  ),
  listed(
    'another class of a name',
    'BASKET',
    '(defclass basket () ()) (defclass other () ())',
    `(setf (find-class 'basket) (find-class 'other))`,
    `(class-name (find-class 'basket))`,
  ),
  listed('a renamed package', 'SHOP', SHOP, '(rename-package :shop :mall)', NAMES),
  listed('another nickname of a package', 'SHOP', SHOP, `(rename-package :shop :shop '(:s))`, NAMES),
  listed('a used package', 'SHOP', SHOP, '(use-package :stock :shop)', '(length (package-use-list :shop))'),
  listed('a package used no more', 'SHOP', SHOP, '(unuse-package :cl :shop)', '(length (package-use-list :shop))'),
  listed(
    'an exported symbol',
    'SHOP',
    `${SHOP} (intern "COST" :shop)`,
    '(export (find-symbol "COST" :shop) :shop)',
    '(nth-value 1 (find-symbol "COST" :shop))',
  ),
  listed(
    'an export taken back',
    'SHOP',
    SHOP,
    '(unexport (find-symbol "PRICE" :shop) :shop)',
    '(nth-value 1 (find-symbol "PRICE" :shop))',
  ),
  listed('a shadowed symbol', 'SHOP', SHOP, '(shadow "CAR" :shop)', `(eq 'car (find-symbol "CAR" :shop))`),
  listed(
    'a shadowing import',
    'SHOP',
    `${SHOP} (intern "CDR" :stock)`,
    '(shadowing-import (find-symbol "CDR" :stock) :shop)',
    `(eq 'cdr (find-symbol "CDR" :shop))`,
  ),
  listed(
    'a local nickname',
    'SHOP',
    SHOP,
    '(sb-ext:add-package-local-nickname :st :stock :shop)',
    '(length (sb-ext:package-local-nicknames :shop))',
  ),
  listed('a locked package', 'SHOP', SHOP, '(sb-ext:lock-package :shop)', '(sb-ext:package-locked-p :shop)'),
  listed(
    'an unlocked package',
    'SHOP',
    `${SHOP} (sb-ext:lock-package :shop)`,
    '(sb-ext:unlock-package :shop)',
    '(sb-ext:package-locked-p :shop)',
  ),
  listed(
    'an unlocked package of SBCL',
    'COMMON-LISP',
    ':nothing',
    '(sb-ext:unlock-package :cl)',
    '(sb-ext:package-locked-p :cl)',
  ),
  listed(
    'a logical host',
    'PROJ',
    `(setf (logical-pathname-translations "PROJ") '(("**;*.*" "/home/person/**/*.*")))`,
    `(setf (logical-pathname-translations "PROJ") '(("**;*.*" "/tmp/theirs/**/*.*")))`,
    '(namestring (translate-logical-pathname "PROJ:SRC;A.LISP"))',
  ),
];
