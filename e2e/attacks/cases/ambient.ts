/** Ambient state: an agent changes what has a default (finding 16), or where ASDF finds and puts files (finding 6). */
import type { ListedAttack, StateAttack } from '../attack.ts';

/** A row whose agent evaluates one line. */
const changing = (trick: string, line: string, probe: string, finding = 16): StateAttack => ({
  finding,
  trick,
  agent: [line],
  probe,
});

const policyOf = (quality: string) =>
  `(cdr (assoc '${quality} (read-from-string (subseq (prin1-to-string sb-c::*policy*) (length "#<SB-C:POLICY ")))))`;

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
  changing('the external format', '(setf sb-impl::*default-external-format* :latin-1)', 'sb-impl::*default-external-format*'),
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
  changing('UIOP’s temporary folder', '(setf uiop:*temporary-directory* #p"/tmp/theirs/")', 'uiop:*temporary-directory*'),
  changing(
    'module providers',
    '(push (lambda (name) name t) sb-ext:*module-provider-functions*)',
    '(length sb-ext:*module-provider-functions*)',
  ),
  changing('modules', '(provide "never-there")', '(find "never-there" *modules* :test #\'string=)'),
  changing('features', '(push :never-there *features*)', `(read-from-string "#+never-there 1 #-never-there 2")`),
  changing('features at the end of the list', '(nconc *features* (list :never-there))', '(find :never-there *features*)'),
  changing('a removed feature', '(setf *features* (remove :sbcl *features*))', '(find :sbcl *features*)'),
  changing(
    'features of a thread',
    '(sb-thread:join-thread (sb-thread:make-thread (lambda () (push :never-there *features*))))',
    '(find :never-there *features*)',
  ),
  changing(
    'a policy proclaimed in a thread',
    `(sb-thread:join-thread (sb-thread:make-thread (lambda () (proclaim '(optimize (safety 0))))))`,
    policyOf('safety'),
  ),
  changing(
    'a policy proclaimed by a timer',
    `(let ((done (sb-thread:make-semaphore)))
       (sb-ext:schedule-timer (sb-ext:make-timer (lambda () (proclaim '(optimize (safety 0))) (sb-thread:signal-semaphore done)) :thread t) 0.01)
       (sb-thread:wait-on-semaphore done))`,
    '(prin1-to-string sb-c::*policy*)',
  ),
  changing(
    'the random state',
    '(setf *random-state* (sb-ext:seed-random-state 1))',
    '(random 1000000 (make-random-state))',
  ),
  changing('random numbers', '(dotimes (i 9) (random 10))', '(random 1000000 (make-random-state))'),
  changing('the counter of gensyms', '(setf *gensym-counter* 1000000)', '(< *gensym-counter* 900000)'),
  changing('what compilation prints', '(setf *compile-verbose* (not *compile-verbose*))', '*compile-verbose*'),
  changing('what loading prints', '(setf *load-verbose* t *load-print* t *compile-print* t)', '(list *load-verbose* *load-print*)'),
  changing('how vectors are printed', '(setf sb-ext:*print-vector-length* 1)', 'sb-ext:*print-vector-length*'),
  changing('how printing fails', '(setf sb-ext:*suppress-print-errors* t)', 'sb-ext:*suppress-print-errors*'),
  changing('the reader', '(setf *read-eval* nil *read-base* 16)', '(read-from-string "(10 #.(+ 1 1))")'),
  changing('block compilation', '(setf sb-ext:*block-compile-default* t)', 'sb-ext:*block-compile-default*'),
  changing('derived types', '(setf sb-ext:*derive-function-types* t)', 'sb-ext:*derive-function-types*'),
  changing('the limit of inline expansions', '(setf sb-ext:*inline-expansion-limit* 1)', 'sb-ext:*inline-expansion-limit*'),
  changing('variances of packages', '(setf sb-ext:*on-package-variance* \'(:error t))', 'sb-ext:*on-package-variance*'),
  changing('functions that edit', '(push (lambda (x) x t) sb-ext:*ed-functions*)', '(length sb-ext:*ed-functions*)'),
  changing('arguments of the process', '(setf sb-ext:*posix-argv* nil)', '(length sb-ext:*posix-argv*)'),
  changing(
    'floating point traps',
    '(sb-int:set-floating-point-modes :traps nil)',
    '(handler-case (< 1 (/ 1.0 (float (position 1 (list 1))))) (error () :trapped))',
  ),
  changing(
    'the rounding of floats',
    '(sb-int:set-floating-point-modes :rounding-mode :zero)',
    '(getf (sb-int:get-floating-point-modes) :rounding-mode)',
  ),
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
  changing('disabled output translations', '(asdf:disable-output-translations)', '(asdf:apply-output-translations "/home/person/own.fasl")', 6),
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
  changing('the cache of UIOP', '(setf uiop:*user-cache* #p"/tmp/theirs/")', 'uiop:*user-cache*', 6),
  changing(
    'the function that translates outputs',
    `(setf uiop:*output-translation-function* (lambda (file) file))`,
    'uiop:*output-translation-function*',
    6,
  ),
];

export const ambientListed: readonly ListedAttack[] = [
  {
    finding: 16,
    trick: 'a redefined function',
    agent: ['(defun greeting () 2)'],
    probe: '(if (fboundp (quote greeting)) (funcall (quote greeting)) 1)',
    name: 'GREETING',
  },
];
