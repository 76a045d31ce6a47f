/** Operations other than loading that the person runs on a system. */
import { PERSON } from '#contract/clients/known-actors.ts';
import type { SystemDescription, SystemGraph, TestOutcome } from '#contract/image/system.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { Session } from '../session.ts';

/** Describes a system. @throws WorkbenchError `refused` with the reason why there is no description. */
export async function describeSystem(session: Session, system: string, evaluation: string): Promise<SystemDescription> {
  const who = { evaluation, actor: PERSON, context: PERSON.id };
  return resultOf((await session.run('describe-system', who, { name: system }, `describe ${system}`)).reply);
}

/**
 * Returns the dependency graph of a system, or of the project if `name` is null. @throws WorkbenchError `refused` with the reason why there
 * is no graph.
 */
export async function graphOfSystem(session: Session, name: string | null, evaluation: string): Promise<SystemGraph> {
  const who = { evaluation, actor: PERSON, context: PERSON.id };
  const about = name === null ? 'dependencies of the project' : `dependencies of ${name}`;
  return resultOf((await session.run('system-graph', who, { name }, about)).reply);
}

/** Runs the tests of a system. @throws WorkbenchError `refused` with the reason why the tests did not run to completion. */
export async function testSystem(
  { session, onError }: { readonly session: Session; readonly onError: 'debug' | 'report' },
  system: string,
  evaluation: string,
): Promise<TestOutcome> {
  const who = { evaluation, actor: PERSON, context: PERSON.id, onError };
  return resultOf((await session.run('test-system', who, { system }, `test ${system}`)).reply);
}

/** Returns the result of a run by the person. @throws WorkbenchError `refused` with the reason why there is no result. */
export function resultOf<Result>(
  reply: Pick<OperationReply<'test-system'>, 'status' | 'condition'> & { result: Result | null },
): Result {
  if (reply.result !== null) return reply.result;
  if (reply.status === 'interrupted') throw new WorkbenchError('refused', 'Cancelled.');
  const { condition } = reply;
  throw new WorkbenchError(
    'refused',
    condition ? `${condition.type}: ${condition.message}` : `The run was ${reply.status}.`,
  );
}
