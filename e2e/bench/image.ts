/** Images and sessions of ours, as the benchmarks use them. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { LispImage } from '#core/lisp/image.ts';
import type { OperationRequest } from '#core/lisp/messages.ts';
import type { Runtime } from '#core/lisp/runtime.ts';
import { Session } from '#core/sessions/session.ts';
import { heapMegabytes } from './setup.ts';

/** An image that answers. It ends with `scope`. */
export async function openImage(
  runtime: Runtime,
  scope: AsyncDisposableStack,
  environment: NodeJS.ProcessEnv = {},
  directory = tmpdir(),
): Promise<LispImage> {
  const image = new LispImage({
    runtime,
    directory,
    environment: { ...process.env, ...environment },
    heapMegabytes,
  });
  scope.defer(async () => {
    image.kill('The benchmark is over.');
    await image.ended;
  });
  await image.ready;
  return image;
}

/** The first value as text. @throws Error when the evaluation failed. */
export async function evaluateIn(
  image: LispImage,
  code: string,
  more: Partial<OperationRequest<'evaluate'>> = {},
): Promise<string> {
  const { values, condition } = await image.request('evaluate', {
    ...own(),
    code,
    package: null,
    interactive: false,
    source: null,
    keepValues: false,
    valueLimit: 200_000,
    ...more,
  });
  if (condition) throw new Error(`${condition.type}: ${condition.message}`);
  return values[0]?.text ?? '';
}

/** Milliseconds that `form` takes inside the image: nothing of the wire. */
export async function timedInside(
  image: LispImage,
  form: string,
  more: Partial<OperationRequest<'evaluate'>> = {},
): Promise<number> {
  const now =
    '(multiple-value-bind (seconds nanoseconds) (sb-unix::clock-gettime 1) (+ (* seconds 1000000000) nanoseconds))';
  // Looks at the value, or the compiler would leave out a call that only finds something.
  const code = `(let* ((started ${now}) (nothing (null ${form}))) (values (- ${now} started) nothing))`;
  return Number(await evaluateIn(image, code, more)) / 1e6;
}

/** The fields that all requests share which take a turn. */
export function own() {
  return {
    evaluation: randomUUID(),
    context: 'bench',
    actor: 'person',
    onError: 'report' as const,
    guard: false,
    outputLimit: 1_000_000,
  };
}

/** A session whose image runs. It ends with `scope`. */
export async function openSession(runtime: Runtime, scope: AsyncDisposableStack): Promise<Session> {
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
  return session;
}

/** As `evaluateIn`, by a client. */
export async function evaluateInSession(session: Session, code: string): Promise<string> {
  const { report } = await session.evaluate({
    evaluation: randomUUID(),
    actor: { id: 'client:bench', kind: 'client', name: 'bench' },
    context: 'bench',
    code,
    package: null,
    interactive: false,
    source: null,
  });
  if (report.condition) throw new Error(`${report.condition.type}: ${report.condition.message}`);
  return report.values[0]?.text ?? '';
}
