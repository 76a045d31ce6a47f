/** 100 MB of output from evaluated code, compared with a plain SBCL that prints the same output to a drained pipe. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import type { LispImage } from '#core/lisp/image.ts';
import type { Runtime } from '#core/lisp/start/runtime.ts';
import { evaluateIn, evaluateInSession, openImage, openSession } from './harness/image.ts';
import { compare, duration, interleave, size, timed, type Comparison, type Sample } from './harness/measure.ts';
import { peakDuring } from './memory.ts';
import { expect, plainFlags } from './harness/plain.ts';
import { freshRuntime, type Bench } from './harness/setup.ts';

const GOAL = 2;
const FLAT = 1.1;
const LINES = 1_000_000;
const LINE = 100;
const DONE = ':FLOODED';

export async function flood({ scope, say }: Bench): Promise<Comparison[]> {
  const runtime = await freshRuntime(scope);
  const image = await openImage(runtime, scope);
  const session = await openSession(runtime, scope);
  const taken = await interleave(
    {
      plain: drained(runtime, scope),
      wire: () => timed(() => receive(image, LINES)),
      session: () => timed(async () => expect(await evaluateInSession(session, printing(LINES)), DONE)),
    },
    { warmUp: 1, rounds: 8, inARow: 1 },
  );
  return [
    compare('print 100 MB in a session / plain sbcl to a drained pipe', taken.session, taken.plain, GOAL),
    compare('  all of it sent over the wire', taken.wire, taken.plain, GOAL),
    ...(process.platform === 'linux' ? await memory(image, say) : []),
  ];
}

/** Runs a plain SBCL whose output goes to a separate process that only drains it. Reading it line by line in this process would be slow. */
function drained({ sbcl }: Runtime, scope: AsyncDisposableStack): Sample {
  const loop = '(loop (prin1 (eval (read)) *error-output*) (terpri *error-output*))';
  const command = [sbcl.path, ...plainFlags, '--eval', loop];
  const child = spawn('/bin/sh', ['-c', '"$0" "$@" | cat >/dev/null', ...command], { cwd: tmpdir(), detached: true });
  const closed = once(child, 'close');
  scope.defer(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await closed;
  });
  const answers = createInterface(child.stderr);
  return () =>
    timed(async () => {
      child.stdin.write(`${printing(LINES)}\n`);
      const [answer] = (await Promise.race([once(answers, 'line'), closed])) as [string];
      expect(answer, DONE);
    });
}

function printing(lines: number): string {
  return `(let ((line (make-string ${LINE - 1} :initial-element #\\x))) (loop repeat ${lines} do (write-line line)) ${DONE})`;
}

/** Receives `lines` lines of output without the session's limit, so that every character arrives. */
async function receive(image: LispImage, lines: number): Promise<void> {
  let received = 0;
  const stop = image.events.on('event', (event) => {
    if (event.event === 'output') received += event.text.length;
  });
  try {
    expect(await evaluateIn(image, printing(lines), { outputLimit: 2 * lines * LINE }), DONE);
  } finally {
    stop();
  }
  if (received !== lines * LINE) throw new Error(`${received} of ${lines * LINE} characters came.`);
}

/**
 * Compares the peak memory for four times the normal output with the peak memory for the normal output, because memory must not grow with
 * the output.
 */
async function memory(image: LispImage, say: Bench['say']): Promise<Comparison[]> {
  const few = await peaks(image, LINES);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const many = await peaks(image, 4 * LINES);
  delay.disable();
  say(`  peaks while 100 MB are sent: image ${size(few.image)}, Node ${size(few.node)}`);
  say(`  peaks while 400 MB are sent: image ${size(many.image)}, Node ${size(many.node)}`);
  say(
    `  Node's event loop was late by ${duration(delay.percentile(95) / 1e6)} at p95, ${duration(delay.max / 1e6)} at most`,
  );
  return [
    compare("  image's memory, peak at 400 MB / at 100 MB", [many.image], [few.image], FLAT, 'octets'),
    compare("  Node's memory, peak at 400 MB / at 100 MB", [many.node], [few.node], FLAT, 'octets'),
  ];
}

async function peaks(image: LispImage, lines: number): Promise<{ image: number; node: number }> {
  let node = 0;
  const whole = await peakDuring(image.pid!, async () => {
    node = await peakDuring(process.pid, () => receive(image, lines));
  });
  return { image: whole, node };
}
