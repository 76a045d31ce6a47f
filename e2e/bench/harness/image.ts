/** Starts images and sessions of the workbench for the benchmarks. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Actor } from '#contract/image/session.ts';
import { LispImage } from '#core/lisp/image.ts';
import { LocalHost } from '#core/lisp/local-host.ts';
import type { OperationRequest } from '#core/lisp/messages.ts';
import type { Runtime } from '#core/lisp/start/runtime.ts';
import { Session } from '#core/sessions/session.ts';
import { memory } from './setup.ts';

/** Starts an image and waits until it answers. It ends with `scope`. */
export async function openImage(
  runtime: Runtime,
  scope: AsyncDisposableStack,
  environment: NodeJS.ProcessEnv = {},
  directory = tmpdir(),
): Promise<LispImage> {
  const image = new LispImage(
    new LocalHost({ runtime, directory, environment: { ...process.env, ...environment }, memory }),
  );
  scope.defer(async () => {
    image.kill('The benchmark is over.');
    await image.ended;
  });
  await image.ready;
  return image;
}

/** Returns the first value as text. @throws Error if the evaluation failed. */
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

/** Returns the milliseconds that `form` takes inside the image, without the wire. */
export async function timedInside(
  image: LispImage,
  form: string,
  more: Partial<OperationRequest<'evaluate'>> = {},
): Promise<number> {
  const now =
    '(multiple-value-bind (seconds nanoseconds) (sb-unix::clock-gettime 1) (+ (* seconds 1000000000) nanoseconds))';
  // The value must be used, because the compiler would otherwise omit a call without side effects.
  const code = `(let* ((started ${now}) (nothing (null ${form}))) (values (- ${now} started) nothing))`;
  return Number(await evaluateIn(image, code, more)) / 1e6;
}

/** Returns a form whose value is the processor time of `form` in milliseconds, for all threads of the process together. */
export function processorTimeOf(form: string): string {
  return `(let ((started (get-internal-run-time))) ${form} (/ (* 1000.0 (- (get-internal-run-time) started)) internal-time-units-per-second))`;
}

/**
 * A form that defines `(bare-fork)`, which forks a child that exits at once, and waits until the child has ended. It calls fork by its C
 * name, because SB-POSIX refuses to fork while there are other threads.
 */
export const BARE_FORK = `
  (defun bare-fork ()
    (sb-sys:without-interrupts
      (let ((pid (sb-alien:alien-funcall (sb-alien:extern-alien "fork" (function sb-alien:int)))))
        (when (zerop pid)
          (sb-alien:alien-funcall (sb-alien:extern-alien "_exit" (function sb-alien:void sb-alien:int)) 0))
        (sb-posix:waitpid pid 0))))`;

/** Returns the fields that all evaluation requests have in common. */
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

/** Starts a session with a running image. It ends with `scope`. */
export async function openSession(
  runtime: Runtime,
  scope: AsyncDisposableStack,
  { checkpoints = false } = {},
): Promise<Session> {
  const session = new Session('bench', {
    runtime: async () => runtime,
    directory: tmpdir,
    environment: process.env,
    memory: () => memory,
    checkpoints,
    worlds: tmpdir(),
  });
  scope.defer(() => session.dispose());
  await session.start();
  return session;
}

const CLIENT: Actor = { id: 'client:bench', kind: 'client', name: 'bench' };

/** Evaluates in a session in the same way as `evaluateIn` in an image. `actor` is a client by default. */
export async function evaluateInSession(session: Session, code: string, actor = CLIENT): Promise<string> {
  const { report } = await session.evaluate({
    evaluation: randomUUID(),
    actor,
    context: actor.id,
    code,
    package: null,
    interactive: false,
    source: null,
  });
  if (report.condition) throw new Error(`${report.condition.type}: ${report.condition.message}`);
  return report.values[0]?.text ?? '';
}
