/** Functions for tools whose operations are queued in the image: they run an operation, and format the text of a failure. */
import { connectionOf } from './connection/connection.ts';
import { toolErrorText } from './replies/format.ts';
import { outputSection, printedText } from './replies/printed-text.ts';
import { endPart, outputParts, replyOf } from './replies/reply-parts.ts';
import type { OperationReply, RunOperation } from '#core/lisp/messages.ts';
import type { RunFields } from '#core/sessions/requests.ts';
import type { ToolContext, ToolOutcome } from './tool.ts';

export type ResultOf<Name extends RunOperation> = NonNullable<OperationReply<Name>['result']>;

/** The fields of a run's reply other than its result. */
export type RunReply = Pick<
  OperationReply<RunOperation>,
  'status' | 'condition' | 'outputCut' | 'outputTails' | 'warnings'
>;

interface About {
  readonly summary: string;
  /** Returns the part of the output that is shown if there is no result. */
  readonly quiet: (all: string, reply: RunReply) => string;
}

/**
 * Runs `op` for the caller when its turn in the queue comes, and converts its result to text. A failure is reported as decision 27
 * requires, followed by the output.
 */
export async function runInTurn<Name extends RunOperation>(
  who: ToolContext,
  op: Name,
  fields: RunFields<Name>,
  about: string | About,
  told: (result: ResultOf<Name>, printed: string, reply: OperationReply<Name>) => ToolOutcome | string,
): Promise<ToolOutcome> {
  const { session, actor, connectionId, call, signal } = who;
  await connectionOf(who).idleInDebugger(signal);
  const { summary, quiet } = typeof about === 'string' ? { summary: about, quiet: (all: string) => all } : about;
  const { reply, output } = await session.run(
    op,
    { evaluation: call, actor, context: connectionId, signal },
    fields,
    summary,
  );
  const printed = printedText(output);
  if (reply.result !== null && reply.result !== undefined) {
    const outcome = told(reply.result, printed, reply);
    return typeof outcome === 'string' ? { success: true, text: outcome } : outcome;
  }
  return failureOf(reply, quiet(printed, reply), who);
}

/** Returns the outcome of a run that has no result. */
export function failureOf(
  { status, condition }: Pick<OperationReply<RunOperation>, 'status' | 'condition'>,
  printed: string,
  who: ToolContext,
): ToolOutcome {
  const why = toolErrorText(condition ?? { type: '', message: `The evaluation ended (${status}) without a result.` });
  return {
    success: false,
    text: replyOf([endPart(why), ...(printed === '' ? [] : outputParts(outputSection(printed)))], who),
  };
}
