/** The person's way into the debuggers of a session: each call finds its debugger or says that it is gone. */
import { randomUUID } from 'node:crypto';
import type { RanInDebugger } from '#contract/debugger-calls.ts';
import { PERSON } from '#contract/session.ts';
import { WorkbenchError } from '#core/error.ts';
import type { OperationReply, OperationRequest } from '#core/lisp/messages.ts';
import type { Session } from './session.ts';

type OfFrame = OperationRequest<'frame-locals'>;

/** Throws a WorkbenchError, code `not-found`, when nothing waits in the debugger any more. */
export function localsOf(session: Session, { debugger: id, frame }: OfFrame): Promise<OperationReply<'frame-locals'>> {
  session.debugger(id);
  return session.lookUp('frame-locals', { debugger: id, frame });
}

/** Frames outside those that the caller knows, a thousand at most. */
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

export function restartFrame(session: Session, asked: OfFrame): Promise<RanInDebugger> {
  session.debugger(asked.debugger);
  return session.lookUp('restart-frame', asked);
}

/** Takes a restart as the person does: where it asks for its arguments it asks them, by a question of the debugger. */
export function invokeRestart(
  session: Session,
  asked: Omit<OperationRequest<'invoke-restart'>, 'asks'>,
): Promise<RanInDebugger> {
  session.debugger(asked.debugger);
  return session.lookUp('invoke-restart', { ...asked, asks: true });
}

export function answer(session: Session, asked: OperationRequest<'answer-question'>): Promise<{ found: boolean }> {
  session.debugger(asked.debugger);
  return session.lookUp('answer-question', asked);
}

export function step(session: Session, asked: OperationRequest<'step'>): Promise<RanInDebugger> {
  session.debugger(asked.debugger);
  return session.lookUp('step', asked);
}

/** Unwinds the evaluation from all levels; a thread that outlived its evaluation takes its own way out. */
export async function quit(session: Session, id: string): Promise<void> {
  const { evaluation, restarts } = session.debugger(id);
  const { found } = await session.lookUp('give-up', { evaluation });
  if (found) return;
  const { index } = restarts.findLast(({ name }) => name === 'ABORT') ?? { index: restarts.length - 1 };
  await session.lookUp('invoke-restart', { debugger: id, restart: index, arguments: [] });
}

/** Interrupts what runs in a debugger; where nothing runs in it, its evaluation ends. */
export async function interruptIn(session: Session, id: string): Promise<void> {
  const { evaluation } = session.debugger(id);
  await session.lookUp('interrupt', { evaluation });
}

export function breakIn(session: Session, evaluation: string): Promise<{ found: boolean }> {
  return session.lookUp('break-in', { evaluation });
}

/** Compiles a function so that its frames keep their locals, in turn. Throws a WorkbenchError, code `refused`, with why it cannot be. */
export async function compileForDebugging(
  session: Session,
  name: string,
  set: boolean,
): Promise<{ functions: string[] }> {
  const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id };
  const { reply } = await session.run('debug-function', who, { function: name, set }, `compile ${name} for debugging`);
  if (!reply.result) throw new WorkbenchError('refused', reply.condition?.message ?? 'It was interrupted.');
  return reply.result;
}
