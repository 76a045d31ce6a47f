/**
 * Programs that an agent runs through `mcp` in successive calls, with checkpoints between the calls, compared with a plain SBCL with the
 * same heap. The measure is the program's duration, as reported by each process itself.
 */
import path from 'node:path';
import { compare, interleave, type Comparison, type Sample } from './harness/measure.ts';
import { overStdio } from './harness/mcp-client.ts';
import { PlainLisp, READ_EVAL_PRINT } from './harness/plain.ts';
import { overSwank } from './harness/swank.ts';
import { freshRuntime, ROOT, script, temporaryFolder, type Bench } from './harness/setup.ts';

const GOAL = 1.15;

/** The programs. Each is on one line, because a plain SBCL is fed line by line. */
const PROGRAMS: Readonly<Record<string, string>> = {
  consing:
    '(defun bench-run () (let (keep) (dotimes (j 60) (setf keep (loop for i below 100000 collect (cons i i)))) (length keep)))',
  bignums: '(defun bench-run () (let ((x 1)) (dotimes (i 20000) (setf x (* x 3))) (integer-length x)))',
  instances:
    '(progn (defclass bench-point () ((x :initarg :x))) (defun bench-run () (let (last) (dotimes (i 500000) (setf last (make-instance (quote bench-point) :x i))) (slot-value last (quote x)))))',
  conditions:
    '(defun bench-run () (let ((n 0)) (dotimes (i 20000) (handler-case (error "x ~a" i) (error () (incf n)))) n))',
  compiling:
    '(defun bench-run () (let ((n 0)) (dotimes (i 60) (when (compile nil (list (quote lambda) (quote (x)) (list (quote +) (quote x) i))) (incf n))) n))',
  'compiling a usual function': `(defun bench-run () (let ((n 0) (*error-output* (make-broadcast-stream))) (dotimes (i 5) (when (compile nil (quote (lambda (list &key (start 0) end (test (function eql))) (let ((n 0) (out (list))) (loop for x in list for i from start while (or (null end) (< i end)) do (when (funcall test x (car list)) (incf n)) (if (evenp i) (push (cons i x) out) (push (list x n) out))) (values n (mapcar (lambda (p) (cons 1 p)) (sort (nreverse out) (function <) :key (function car)))))))) (incf n))) n))`,
  'hash tables':
    '(defun bench-run () (let ((h (make-hash-table))) (dotimes (i 300000) (setf (gethash i h) i)) (hash-table-count h)))',
};

/** Prints the nanoseconds of a run in brackets. */
const TIMED =
  '(flet ((now () (multiple-value-bind (s ns) (sb-unix::clock-gettime 1) (+ (* s 1000000000) ns)))) (let ((before (now))) (bench-run) (list (- (now) before))))';

export async function mcpPrograms({ scope, say }: Bench): Promise<Comparison[]> {
  await (await script('build-command.mjs')).buildCommand();
  const node = (await script('places.mjs')).node();
  const runtime = await freshRuntime(scope);
  const env = { ...process.env, LISP_WORKBENCH_HOME: await temporaryFolder(scope, 'home') };
  const project = await temporaryFolder(scope, 'project');
  const comparisons: Comparison[] = [];
  for (const [name, definition] of Object.entries(PROGRAMS)) {
    say(`  ${name}`);
    await using own = new AsyncDisposableStack();
    const args = [path.join(ROOT, 'out/cli/cli.js'), 'mcp', '--headless', '--project', project];
    const client = await overStdio({ node, args, env });
    own.defer(client.close);
    const plain = new PlainLisp(runtime, own, [READ_EVAL_PRINT]);
    await client.text(`(progn ${definition} :defined)`);
    await plain.ask(`(progn ${definition} :defined)`);
    const sample =
      (ask: (code: string) => Promise<string>): Sample =>
      async () => {
        const answer = await ask(TIMED);
        const took = /\((\d+)\)/.exec(answer)?.[1];
        if (took === undefined) throw new Error(`${name} was answered ${answer}`);
        return Number(took) / 1e6;
      };
    const swank = await overSwank(runtime, own);
    await swank?.(definition);
    const sides: Record<string, Sample> = { mcp: sample(client.text), plain: sample((code) => plain.ask(code)) };
    if (swank) sides['swank'] = sample(swank);
    const taken = await interleave(sides, { warmUp: 2, rounds: 15, inARow: 1 });
    const mcp = taken['mcp']!;
    comparisons.push(compare(`${name}, through mcp / plain sbcl`, mcp, taken['plain']!, GOAL));
    if (taken['swank']) comparisons.push(compare(`${name}, through mcp / swank`, mcp, taken['swank'], null));
    else say('  SWANK is not installed (Debian: slime), so it is left out.');
  }
  return comparisons;
}
