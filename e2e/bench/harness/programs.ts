/**
 * Programs that a person and an agent define and run in an image, compared with the same programs in a plain SBCL. The measure is the
 * processor time of the whole process, as reported by each process itself.
 */
import { evaluateIn, openImage, processorTimeOf } from './image.ts';
import { compare, interleave, type Comparison, type Sample } from './measure.ts';
import { expect, PlainLisp, READ_EVAL_PRINT } from './plain.ts';
import { freshRuntime, type Bench } from './setup.ts';

const GOAL = 1.05;
const AGENT = { guard: true, actor: 'client:bench', context: 'client:bench' };

interface Program {
  /** Forms that define the functions that `run` needs. Each is on one line, because a plain SBCL is fed line by line. */
  readonly definitions: readonly string[];
  readonly run: string;
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  'calls of a global function': {
    definitions: ['(defun fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))'],
    run: '(fib 29)',
  },
  'local functions': {
    definitions: [
      '(defun parities (n) (labels ((even-p (n) (if (zerop n) t (odd-p (1- n)))) (odd-p (n) (if (zerop n) nil (even-p (1- n))))) (loop repeat 60 count (even-p n))))',
    ],
    run: '(parities 100000)',
  },
  'products of matrices of double floats': {
    definitions: [
      '(defun matrix (n) (make-array (list n n) :element-type (quote double-float) :initial-element 1.5d0))',
      `(defun product (a b) (declare (type (simple-array double-float (* *)) a b)) (let* ((n (array-dimension a 0)) (c (matrix n))) (declare (type (simple-array double-float (* *)) c)) (dotimes (i n c) (dotimes (j n) (let ((sum 0d0)) (declare (double-float sum)) (dotimes (k n) (let* ((x (aref a i k)) (y (aref b k j))) (incf sum (* x y)))) (setf (aref c i j) sum))))))`,
    ],
    run: '(loop repeat 4 do (product (matrix 120) (matrix 120)))',
  },
  'tail calls, 30,000,000 deep': {
    definitions: ['(defun sum-up (n sum) (if (zerop n) sum (sum-up (1- n) (+ sum n))))'],
    run: '(sum-up 30000000 0)',
  },
  'methods and accessors': {
    definitions: [
      '(defclass point () ((x :initform 1 :accessor x-of)))',
      '(defgeneric distance (point))',
      '(defmethod distance ((point point)) (x-of point))',
      '(defun distances (n) (let ((point (make-instance (quote point))) (sum 0)) (dotimes (i n sum) (incf sum (distance point)))))',
    ],
    run: '(distances 4000000)',
  },
  'searching strings': {
    definitions: [
      '(defvar *text* (make-string 100000 :initial-element #\\x))',
      '(defun vowels (text) (loop for character across text count (find character "aeiou")))',
    ],
    run: '(loop repeat 10 do (vowels *text*) (search "xyz" *text*))',
  },
  'integers printed to strings': {
    definitions: ['(defun print-integers (n) (loop for i below n sum (length (princ-to-string i))))'],
    run: '(print-integers 200000)',
  },
  'lists, symbols and floats printed to strings': {
    definitions: [
      '(defun print-lists (n) (loop for i below n sum (length (prin1-to-string (list i :key (quote car) "text" 1.5d0))) sum (length (format nil "~A ~S" i "text"))))',
    ],
    run: '(print-lists 10000)',
  },
  'functions of 20,000 names set': {
    definitions: [
      '(defvar *names* (loop repeat 20000 collect (gensym)))',
      '(defun set-functions () (dolist (name *names*) (setf (symbol-function name) (lambda () name))))',
    ],
    run: '(set-functions)',
  },
  'full collections of 1,000,000 conses': {
    definitions: [
      '(defvar *kept* (make-list 1000000))',
      '(defun collect-all () (loop repeat 3 do (sb-ext:gc :full t)))',
    ],
    run: '(collect-all)',
  },
  consing: {
    definitions: ['(defun cons-up (n) (let ((kept nil)) (dotimes (i n kept) (setf kept (list i (make-array 10))))))'],
    run: '(cons-up 2000000)',
  },
  'hash tables': {
    definitions: [
      '(defun fill-table (n) (let ((table (make-hash-table :test (quote equal)))) (dotimes (i n) (setf (gethash (list i) table) i)) (loop for i below n sum (gethash (list i) table))))',
    ],
    run: '(fill-table 60000)',
  },
};

/**
 * Returns code whose size depends on the round, so that later definitions get different addresses. The position of a small function within
 * the processor's cache lines changes its time by a tenth, even in plain SBCL. No side should benefit from its addresses in all rounds.
 */
function elsewhere(round: number): string {
  return `(defun padding (x) (list ${'x '.repeat(1 + 3 * round)}))`;
}

export async function programs({ scope, say }: Bench): Promise<Comparison[]> {
  const runtime = await freshRuntime(scope);
  const comparisons: Comparison[] = [];
  for (const [name, { definitions, run }] of Object.entries(PROGRAMS)) {
    say(`  ${name}`);
    // Each program gets its own processes; otherwise it would have to collect the garbage of other programs.
    await using own = new AsyncDisposableStack();
    const [persons, agents] = [await openImage(runtime, own), await openImage(runtime, own)];
    const plain = new PlainLisp(runtime, own, [READ_EVAL_PRINT]);
    expect(await plain.ask(':ready'), ':READY');
    const sides = {
      person: (code: string) => evaluateIn(persons, code),
      agent: (code: string) => evaluateIn(agents, code, AGENT),
      plain: (code: string) => plain.ask(code),
    };
    const sample = (ask: (code: string) => Promise<string>): Sample => {
      let times = 0;
      return async () => {
        for (const definition of [elsewhere(times), ...definitions]) await ask(`(progn ${definition} :defined)`);
        times += 1;
        return Number(await ask(processorTimeOf(run)));
      };
    };
    const taken = await interleave(
      { person: sample(sides.person), agent: sample(sides.agent), plain: sample(sides.plain) },
      { warmUp: 2, rounds: 15, inARow: 1 },
    );
    comparisons.push(
      compare(`${name}, the person's / plain sbcl`, taken.person, taken.plain, GOAL),
      compare(`${name}, an agent's / plain sbcl`, taken.agent, taken.plain, GOAL),
    );
  }
  return comparisons;
}
