/** Evaluations that stop in the debugger of a test image. */
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import type { TestImage } from '#core/lisp/image.fixture.ts';
import type { OperationReply } from '#core/lisp/messages.ts';

/** The id of each evaluation that this file starts. */
export const evaluation = 'debugged';

/** Evaluates code. Resolves when the code has stopped in the debugger. */
export async function stopped(
  test: TestImage,
  code: string,
): Promise<{ reply: Promise<OperationReply<'evaluate'>>; debugger: DebuggerRecord }> {
  const reply = test.evaluate(code, { onError: 'debug', evaluation, interactive: true });
  reply.catch(() => {});
  const { debugger: record } = await test.next('debugger-entered');
  return { reply, debugger: record };
}

/**
 * Runs the code until it stops, aborts it, and runs it again until it stops. After the first stop, the functions in the failed code's
 * frames are compiled so that they keep their locals.
 */
export async function stoppedAgain(test: TestImage, code: string) {
  const first = await stopped(test, code);
  await abort(test, first.debugger);
  return stopped(test, code);
}

/** Invokes the restart with this name, using the operation `invoke-restart`. */
export function restart(test: TestImage, { id, restarts }: DebuggerRecord, name: string, args: string[] = []) {
  const { index } = restarts.find((each) => each.name === name)!;
  return test.ask('invoke-restart', { debugger: id, restart: index, arguments: args });
}

/** Leaves the debugger with the restart ABORT. Resolves once the debugger has been left. */
export async function abort(test: TestImage, record: DebuggerRecord): Promise<void> {
  await restart(test, record, 'ABORT');
  await test.next('debugger-left');
}

/** Returns the number of the frame that called `name`. */
export function frameOf({ frames }: DebuggerRecord, name: string): number {
  return frames.find(({ call }) => call.startsWith(`(${name}`))!.index;
}

/** Returns the ids of the engine's open debuggers, latest last. */
export async function openDebuggers(test: TestImage): Promise<string[]> {
  const entered = test.events.flatMap((event) => (event.event === 'debugger-entered' ? [event.debugger.id] : []));
  const served = await Promise.all(
    entered.map((id) =>
      test.ask('debugger', { debugger: id }).then(
        () => [id],
        (error: Error) => {
          if (!error.message.endsWith('This debugger is no longer open.')) throw error;
          return [];
        },
      ),
    ),
  );
  return served.flat();
}
