/** An evaluation over our wire, compared with a plain SBCL that reads the form from its pipe, evaluates it and prints the value. */
import { evaluateIn, evaluateInSession, openImage, openSession } from './harness/image.ts';
import { compare, interleave, timed, type Comparison } from './harness/measure.ts';
import { ECHO, expect, PlainLisp, READ_EVAL_PRINT } from './harness/plain.ts';
import { freshRuntime, type Bench } from './harness/setup.ts';

const GOAL = 1.5;
const CODE = '(+ 1 2 3)';
const ANSWER = '6';

export async function evaluate({ scope }: Bench): Promise<Comparison[]> {
  const runtime = await freshRuntime(scope);
  const echo = new PlainLisp(runtime, scope, [ECHO]);
  const plain = new PlainLisp(runtime, scope, [READ_EVAL_PRINT]);
  const image = await openImage(runtime, scope);
  const session = await openSession(runtime, scope);
  const taken = await interleave(
    {
      ping: () => timed(async () => expect(await echo.ask('ping'), 'ping')),
      plain: () => timed(async () => expect(await plain.ask(CODE), ANSWER)),
      wire: () => timed(async () => expect(await evaluateIn(image, CODE), ANSWER)),
      session: () => timed(async () => expect(await evaluateInSession(session, CODE), ANSWER)),
    },
    { warmUp: 8, rounds: 40, inARow: 100 },
  );
  return [
    compare('evaluate over the wire / plain read-eval-print over the same pipe', taken.wire, taken.plain, GOAL),
    compare('evaluate in a session / plain read-eval-print over the same pipe', taken.session, taken.plain, GOAL),
    compare('  over the wire / ping on a raw pipe', taken.wire, taken.ping, null),
    compare('  in a session / ping on a raw pipe', taken.session, taken.ping, null),
  ];
}
