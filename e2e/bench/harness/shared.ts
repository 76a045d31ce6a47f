/**
 * A client's calls in an image that it shares with a person, compared with a plain SBCL. Both have 2,000 defined functions. The image
 * creates a checkpoint before each call that may change something. The calls follow each other directly, or after a pause like the one in
 * which a client thinks.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PERSON } from '#contract/clients/known-actors.ts';
import { BARE_FORK, evaluateInSession, openSession } from './image.ts';
import { compare, interleave, timed, type Comparison, type Sample } from './measure.ts';
import { expect, PlainLisp, READ_EVAL_PRINT } from './plain.ts';
import { freshRuntime, type Bench } from './setup.ts';

const DEFINITIONS = 2000;
const MOST_CALL = 1.5;
const MOST_REDEFINITION = 3;
const PAUSE_MS = 30;

const READS = '(list (+ 1 2) :three)';
const CALLS = '(f7 1)';
const redefines = (n: number): string => `(defun f7 (x) (+ x ${n % 2}))`;

export async function shared({ scope }: Bench): Promise<Comparison[]> {
  const runtime = await freshRuntime(scope);
  const session = await openSession(runtime, scope, { checkpoints: process.platform !== 'win32' });
  // Uses a separate image for code that forks, because after such code the core would create a checkpoint before each call.
  const forking = await openSession(runtime, scope, { checkpoints: false });
  const plain = new PlainLisp(runtime, scope, [READ_EVAL_PRINT]);
  for (let from = 0; from < DEFINITIONS; from += 100) {
    const code = Array.from({ length: 100 }, (_each, index) => `(defun f${from + index} (x) (+ x ${index}))`).join(' ');
    await Promise.all([session, forking].map((each) => evaluateInSession(each, code)));
    expect(await plain.ask(`(progn ${code} :defined)`), ':DEFINED');
  }
  await evaluateInSession(forking, BARE_FORK, PERSON);
  let count = 0;
  const after = (between: number, work: () => Promise<unknown>): Sample => {
    return async () => {
      if (between > 0) await pause(between);
      return timed(work);
    };
  };
  const ask = (code: () => string, between: number) => after(between, () => evaluateInSession(session, code()));
  // Plain SBCL is also measured after a pause, because a process that slept is slower to answer than one that has just worked.
  const askPlain = (code: () => string, between: number) => after(between, () => plain.ask(code()));
  const redefine = (): string => redefines((count += 1));
  const taken = await interleave(
    {
      reads: ask(() => READS, 0),
      calls: ask(() => CALLS, 0),
      callsApart: ask(() => CALLS, PAUSE_MS),
      redefines: ask(redefine, 0),
      redefinesApart: ask(redefine, PAUSE_MS),
      plainReads: askPlain(() => READS, 0),
      plainCalls: askPlain(() => CALLS, 0),
      plainCallsApart: askPlain(() => CALLS, PAUSE_MS),
      plainRedefines: askPlain(redefine, 0),
      plainRedefinesApart: askPlain(redefine, PAUSE_MS),
      fork: () => timed(() => evaluateInSession(forking, '(bare-fork)', PERSON)),
    },
    { warmUp: 2, rounds: 12, inARow: 10 },
  );
  const row = (what: string, ours: number[], floor: number[], most: number | null): Comparison =>
    compare(`${what}, ${DEFINITIONS} definitions / plain read-eval-print`, ours, floor, null, 'milliseconds', most);
  return [
    row('call of what only reads', taken.reads, taken.plainReads, MOST_CALL),
    row(`call that changes nothing, ${PAUSE_MS} ms apart`, taken.callsApart, taken.plainCallsApart, MOST_CALL),
    row('call that changes nothing, in a row', taken.calls, taken.plainCalls, MOST_CALL),
    row(`redefinition, ${PAUSE_MS} ms apart`, taken.redefinesApart, taken.plainRedefinesApart, MOST_REDEFINITION),
    row('redefinition, in a row', taken.redefines, taken.plainRedefines, MOST_REDEFINITION),
    compare('  redefinition in a row / bare fork of that image', taken.redefines, taken.fork, null),
  ];
}
