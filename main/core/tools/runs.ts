/** Tools whose work takes a turn in the image: one way to run it, and one way to say how it ended otherwise. */
import { conditionText } from './format.ts';
import type { RunOperation, OperationReply } from '#core/lisp/messages.ts';
import type { RunFields } from '#core/sessions/requests.ts';
import type { ToolContext, ToolOutcome } from './tool.ts';

type ResultOf<Name extends RunOperation> = NonNullable<OperationReply<Name>['result']>;

/** Runs `op` for the caller and turns its result into a text; a failure is the condition, without prefix. */
export async function runInTurn<Name extends RunOperation>(
  { session, actor, context, call, signal }: ToolContext,
  op: Name,
  fields: RunFields<Name>,
  summary: string,
  told: (result: ResultOf<Name>, printed: string) => ToolOutcome | string,
): Promise<ToolOutcome> {
  const { reply, output } = await session.run(op, { evaluation: call, actor, context, signal }, fields, summary);
  const printed = output
    .map(({ text }) => text)
    .join('')
    .trimEnd();
  if (reply.result !== null && reply.result !== undefined) {
    const outcome = told(reply.result, printed);
    return typeof outcome === 'string' ? { success: true, text: outcome } : outcome;
  }
  const why = reply.condition ? conditionText(reply.condition) : `It ended (${reply.status}) without a result.`;
  return { success: false, text: printed === '' ? why : `${printed}\n\n${why}` };
}
