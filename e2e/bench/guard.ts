/**
 * The cost of the guard: an agent's code, compared with the same code run by the person in the same image. Also measures the person's calls
 * of the operators in the guard's table, compared with a plain SBCL. The measure is processor time, because file access makes elapsed time
 * vary.
 */
import { evaluateIn, openImage, processorTimeOf, timedInside } from './harness/image.ts';
import { compare, interleave, type Comparison } from './harness/measure.ts';
import { expect, PlainLisp, READ_EVAL_PRINT } from './harness/plain.ts';
import { freshRuntime, temporaryFolder, type Bench } from './harness/setup.ts';

const GOAL = 1.02;
const AGENT = { guard: true, actor: 'client:bench' };
const FORMS = {
  'a loop of 1,000,000':
    '(let ((sum 0)) (loop repeat 1000000 do (setf sum (logxor (1+ sum) (length (list sum sum))))) (plusp sum))',
  'opening 10,000 files for input': '(loop repeat 10000 do (close (open "/dev/null")))',
};
/** Code that does not involve the guard: code of the person, and code of an agent that calls no operator in the guard's table. */
const IDLE = {
  'opening 3,000 files': '(loop repeat 3000 do (close (open "file")))',
  'asking 20,000 times for a file': '(loop repeat 20000 do (sb-posix:stat "file"))',
  'making and deleting 1,000 files':
    '(loop repeat 1000 do (close (open "other" :direction :output)) (delete-file "other"))',
};
const NO_GATE = '(let ((sum 0)) (dotimes (i 20000000) (setf sum (logxor i (1+ sum)))) (plusp sum))';

export async function guard({ scope }: Bench): Promise<Comparison[]> {
  const runtime = await freshRuntime(scope);
  const folder = await temporaryFolder(scope, 'files');
  const image = await openImage(runtime, scope, {}, folder);
  const comparisons: Comparison[] = [];
  for (const [what, form] of Object.entries(FORMS)) {
    const taken = await interleave(
      {
        guarded: () => timedInside(image, form, AGENT),
        unguarded: () => timedInside(image, form),
      },
      { warmUp: 3, rounds: 40, inARow: 1 },
    );
    comparisons.push(compare(`guarded / not guarded: ${what}`, taken.guarded, taken.unguarded, GOAL));
  }
  const plain = new PlainLisp(runtime, scope, ['(require :sb-posix)', READ_EVAL_PRINT], {}, folder);
  await evaluateIn(image, '(close (open "file" :direction :output))');
  const idle = Object.entries(IDLE).map(([what, form]) => ({
    what: `the person's / plain sbcl: ${what}`,
    form,
    who: {},
  }));
  for (const { what, form, who } of [
    ...idle,
    { what: "an agent's / plain sbcl: a loop of 20,000,000", form: NO_GATE, who: AGENT },
  ]) {
    const define = `(progn (defun work () ${form}) :defined)`;
    expect(await plain.ask(define), ':DEFINED');
    expect(await evaluateIn(image, define, who), ':DEFINED');
    const taken = await interleave(
      {
        ours: async () => Number(await evaluateIn(image, processorTimeOf('(work)'), who)),
        plain: async () => Number(await plain.ask(processorTimeOf('(work)'))),
      },
      { warmUp: 3, rounds: 25, inARow: 1 },
    );
    comparisons.push(compare(what, taken.ours, taken.plain, GOAL));
  }
  return comparisons;
}
