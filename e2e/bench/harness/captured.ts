/**
 * Evaluated code whose output is stored and returned with the value, compared with a plain SBCL that prints the output to a drained pipe.
 */
import { evaluateIn, evaluateInSession, openImage, openSession, processorTimeOf } from './image.ts';
import { compare, interleave, timed, type Comparison } from './measure.ts';
import { expect, PlainLisp, READ_EVAL_PRINT } from './plain.ts';
import { freshRuntime, type Bench } from './setup.ts';

const GOAL = 1.05;
const DONE = ':PRINTED';

interface Printing {
  readonly form: string;
  /** The maximum number of milliseconds that an answer may take. */
  readonly most?: number;
}

const PRINTINGS: Readonly<Record<string, Printing>> = {
  '100,000 characters one by one': { form: '(dotimes (i 100000) (write-char #\\x))' },
  '4,000 lines': { form: '(dotimes (i 4000) (write-line "a line of thirty characters or"))' },
  '20,000 integers': { form: '(dotimes (i 20000) (princ i) (terpri))' },
  '100 kB of text': {
    form: '(let ((line (make-string 99 :initial-element #\\x))) (loop repeat 1000 do (write-line line)))',
    most: 8,
  },
};

export async function captured({ scope }: Bench): Promise<Comparison[]> {
  const runtime = await freshRuntime(scope);
  const image = await openImage(runtime, scope);
  const session = await openSession(runtime, scope);
  const plain = new PlainLisp(runtime, scope, [READ_EVAL_PRINT]);
  const comparisons: Comparison[] = [];
  for (const [what, { form, most }] of Object.entries(PRINTINGS)) {
    // The code is compiled only once, as a program would be.
    const define = `(progn (defun print-all () ${form} (terpri) ${DONE}) ${DONE})`;
    expect(await plain.ask(define), DONE);
    await evaluateIn(image, define);
    await evaluateInSession(session, define);
    const code = '(print-all)';
    const processor = `(format nil "~F ${DONE}" ${processorTimeOf('(progn (print-all) (finish-output))')})`;
    const taken = await interleave(
      {
        wire: () => timed(async () => expect(await evaluateIn(image, code), DONE)),
        session: () => timed(async () => expect(await evaluateInSession(session, code), DONE)),
        plain: () => timed(async () => expect(await plain.ask(code, `${DONE}\n`), DONE)),
        ourProcessor: async () => parseFloat((await evaluateIn(image, processor)).slice(1)),
        plainProcessor: async () => parseFloat((await plain.ask(processor, `${DONE}"\n`)).slice(1)),
      },
      { warmUp: 3, rounds: 15, inARow: 3 },
    );
    comparisons.push(
      compare(`${what} captured / plain sbcl, processor time`, taken.ourProcessor, taken.plainProcessor, GOAL),
      compare(
        '  until answered in a session / until drained',
        taken.session,
        taken.plain,
        null,
        'milliseconds',
        most ?? null,
      ),
      compare('  until answered over the wire / until drained', taken.wire, taken.plain, null),
    );
  }
  return comparisons;
}
