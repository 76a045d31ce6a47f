/** The person's operations on the debuggers of a session. Each call finds its debugger or reports that the debugger no longer exists. */
import { randomUUID } from 'node:crypto';
import type { RanInDebugger } from '#contract/image/debugger.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { OperationReply, OperationRequest } from '#core/lisp/messages.ts';
import type { Session } from './session.ts';

type OfFrame = OperationRequest<'frame-locals'>;

/** Returns a frame's local variables. Throws a WorkbenchError `not-found` if no code waits in the debugger any more. */
export function localsOf(session: Session, { debugger: id, frame }: OfFrame): Promise<OperationReply<'frame-locals'>> {
  session.debugger(id);
  return session.lookUp('frame-locals', { debugger: id, frame });
}

/** Returns the next outer frames, at most a thousand. */
export function furtherFrames(
  session: Session,
  asked: OperationRequest<'further-frames'>,
): Promise<OperationReply<'further-frames'>> {
  session.debugger(asked.debugger);
  return session.lookUp('further-frames', asked);
}

export function disassemblyOf(session: Session, asked: OfFrame): Promise<OperationReply<'disassemble-frame'>> {
  session.debugger(asked.debugger);
  return session.lookUp('disassemble-frame', asked);
}

export function evaluateInFrame(session: Session, asked: OperationRequest<'eval-in-frame'>): Promise<RanInDebugger> {
  session.debugger(asked.debugger);
  return session.lookUp('eval-in-frame', asked);
}

export function returnFromFrame(session: Session, asked: OperationRequest<'eval-in-frame'>): Promise<RanInDebugger> {
  session.debugger(asked.debugger);
  return session.lookUp('return-from-frame', asked);
}

export function restartFrame(session: Session, asked: OperationRequest<'restart-frame'>): Promise<RanInDebugger> {
  session.debugger(asked.debugger);
  return session.lookUp('restart-frame', asked);
}

/** Invokes a restart for the person. If the restart needs arguments, the debugger asks the person a question. */
export function invokeRestart(
  session: Session,
  asked: Omit<OperationRequest<'invoke-restart'>, 'asks'>,
): Promise<RanInDebugger> {
  session.debugger(asked.debugger);
  return session.lookUp('invoke-restart', { ...asked, asks: true });
}

export function answer(session: Session, asked: OperationRequest<'answer-question'>): Promise<{ found: boolean }> {
  session.debugger(asked.debugger);
  if (asked.text !== null && !asked.cancel) session.keepAnswer(asked.question, asked.text);
  return session.lookUp('answer-question', asked);
}

export function step(session: Session, asked: OperationRequest<'step'>): Promise<RanInDebugger> {
  session.debugger(asked.debugger);
  return session.lookUp('step', asked);
}

/** Ends the code that waits in a debugger, on all levels: its evaluation, or the thread that its evaluation created. */
export async function quit(session: Session, id: string): Promise<void> {
  session.debugger(id);
  await session.lookUp('quit-debugger', { debugger: id });
}

/** Interrupts the code that runs in a debugger. If no code is running, ends the debugger's evaluation. */
export async function interruptIn(session: Session, id: string): Promise<void> {
  const { evaluation } = session.debugger(id);
  await session.lookUp('interrupt', { evaluation });
}

/** How long, in milliseconds, code may take to stop before it counts as uninterruptible, the same as for the steps of an interruption. */
const STOPS_WITHIN_MS = 2_000;

/**
 * Makes an evaluation enter the debugger at its current point. Waits until the evaluation is in the debugger, has ended, or seems to be
 * uninterruptible at the moment.
 */
export async function breakIn(
  session: Session,
  evaluation: string,
): Promise<{ found: boolean; debugger: string | null }> {
  const { promise, resolve } = Promise.withResolvers<{ found: boolean; debugger: string | null }>();
  const late = setTimeout(() => resolve({ found: true, debugger: null }), STOPS_WITHIN_MS);
  const ended = { found: false, debugger: null };
  const subscriptions = [
    session.events.on('debugger-entered', (record) => {
      if (record.evaluation === evaluation) resolve({ found: true, debugger: record.id });
    }),
    session.events.on('changed', () => {
      if (!session.underway.some((turn) => turn.evaluation === evaluation)) resolve(ended);
    }),
  ];
  try {
    // An image whose process is stopped does not answer.
    const asked = session.lookUp('break-in', { evaluation }).then(({ found }) => (found ? promise : ended));
    return await Promise.race([asked, promise]);
  } finally {
    clearTimeout(late);
    for (const end of subscriptions) end();
  }
}

/**
 * Compiles a function when its turn in the queue comes, so that its frames keep their local variables. Throws a WorkbenchError `refused` if
 * that is impossible, with the reason.
 */
export async function compileForDebugging(
  session: Session,
  name: string,
  set: boolean,
): Promise<{ functions: string[]; note: string | null }> {
  const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id };
  const { reply } = await session.run('debug-function', who, { function: name, set }, `compile ${name} for debugging`);
  if (!reply.result) throw new WorkbenchError('refused', reply.condition?.message ?? 'It was interrupted.');
  return reply.result;
}
