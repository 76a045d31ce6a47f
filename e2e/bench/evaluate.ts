/** An evaluation over our wire, against a line that a plain SBCL reads from its pipe and answers. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { LispImage } from '#core/lisp/image.ts';
import type { Runtime } from '#core/lisp/runtime.ts';
import { Session } from '#core/sessions/session.ts';
import { compare, interleave, timed, type Comparison, type Sample } from './measure.ts';
import { freshRuntime, heapMegabytes, type Bench } from './setup.ts';

const GOAL = 1.5;
const CODE = '(+ 1 2 3)';
const ANSWER = '6';

export async function evaluate({ scope }: Bench): Promise<Comparison[]> {
  const runtime = await freshRuntime(scope);
  const taken = await interleave(
    {
      ping: await rawPing(runtime, scope),
      wire: await overWire(runtime, scope),
      session: await inSession(runtime, scope),
    },
    { warmUp: 8, rounds: 40, inARow: 100 },
  );
  return [
    compare('evaluate over the wire / ping on a raw pipe', taken.wire, taken.ping, GOAL),
    compare('evaluate in a session / ping on a raw pipe', taken.session, taken.ping, GOAL),
  ];
}

/** The floor: one thread, one read, one write. */
async function rawPing({ sbcl }: Runtime, scope: AsyncDisposableStack): Promise<Sample> {
  const loop = '(loop (write-line (or (read-line *standard-input* nil) (sb-ext:exit))) (finish-output))';
  const flags = ['--noinform', '--no-sysinit', '--no-userinit', '--disable-debugger', '--eval', loop];
  const child = spawn(sbcl.path, flags, { stdio: ['pipe', 'pipe', 'ignore'] });
  scope.defer(async () => {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  });
  let answered: (text: string) => void = () => {};
  child.stdout.on('data', (chunk: Buffer) => answered(chunk.toString('latin1')));
  return () =>
    timed(async () => {
      const answer = new Promise<string>((resolve) => (answered = resolve));
      child.stdin.write('ping\n');
      expect(await answer, 'ping\n');
    });
}

async function overWire(runtime: Runtime, scope: AsyncDisposableStack): Promise<Sample> {
  const image = new LispImage({ runtime, directory: tmpdir(), environment: process.env, heapMegabytes });
  scope.defer(async () => {
    image.kill('The benchmark is over.');
    await image.ended;
  });
  await image.ready;
  return () => {
    const evaluation = randomUUID();
    return timed(async () => {
      const { values } = await image.request('evaluate', {
        evaluation,
        context: 'bench',
        actor: 'person',
        code: CODE,
        package: null,
        interactive: false,
        source: null,
        keepValues: false,
        onError: 'report',
        outputLimit: 1_000_000,
        valueLimit: 200_000,
      });
      expect(values[0]?.text, ANSWER);
    });
  };
}

async function inSession(runtime: Runtime, scope: AsyncDisposableStack): Promise<Sample> {
  const session = new Session('bench', {
    runtime: async () => runtime,
    directory: tmpdir,
    environment: process.env,
    heapMegabytes,
    checkpoints: false,
    worlds: tmpdir(),
  });
  scope.defer(() => session.dispose());
  await session.start();
  return () => {
    const evaluation = randomUUID();
    return timed(async () => {
      const { report } = await session.evaluate({
        evaluation,
        actor: { id: 'client:bench', kind: 'client', name: 'bench' },
        context: 'bench',
        code: CODE,
        package: null,
        interactive: false,
        source: null,
      });
      expect(report.values[0]?.text, ANSWER);
    });
  };
}

function expect(got: string | undefined, wanted: string): void {
  if (got !== wanted) throw new Error(`Expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}.`);
}
