/** Tools whose work takes a turn in the image: one way to run it, and one way to say how it ended otherwise. */
import { connectionOf } from './connection.ts';
import { toolErrorText } from './format.ts';
import type { OperationReply, RunOperation } from '#core/lisp/messages.ts';
import type { OutputChunk } from '#core/sessions/runner.ts';
import type { RunFields } from '#core/sessions/requests.ts';
import type { ToolContext, ToolOutcome } from './tool.ts';

/** Characters of output in an answer. */
const LONGEST_OUTPUT = 100_000;

type ResultOf<Name extends RunOperation> = NonNullable<OperationReply<Name>['result']>;

/** Runs `op` for the caller and turns its result into a text; a failure is told as decision 27 has it, output after it. */
export async function runInTurn<Name extends RunOperation>(
  who: ToolContext,
  op: Name,
  fields: RunFields<Name>,
  summary: string,
  told: (result: ResultOf<Name>, printed: string, reply: OperationReply<Name>) => ToolOutcome | string,
): Promise<ToolOutcome> {
  const { session, actor, context, call, signal } = who;
  await connectionOf(who).letGo();
  const { reply, output } = await session.run(op, { evaluation: call, actor, context, signal }, fields, summary);
  const printed = printedText(output);
  if (reply.result !== null && reply.result !== undefined) {
    const outcome = told(reply.result, printed, reply);
    return typeof outcome === 'string' ? { success: true, text: outcome } : outcome;
  }
  return failureOf(reply, printed);
}

/** What was printed, as far as an answer shows it. */
export function printedText(output: readonly OutputChunk[]): string {
  const text = output
    .map((chunk) => chunk.text)
    .join('')
    .trimEnd();
  const rest = text.length - LONGEST_OUTPUT;
  return rest > 0 ? `${text.slice(0, LONGEST_OUTPUT)}\n… ${rest} more characters are not shown` : text;
}

/** How a run ended that has no result. */
export function failureOf(
  { status, condition }: Pick<OperationReply<RunOperation>, 'status' | 'condition'>,
  printed: string,
): ToolOutcome {
  const why = toolErrorText(condition ?? { type: '', message: `It ended (${status}) without a result.` });
  return { success: false, text: printed === '' ? why : `${why}\n\n[Output]\n${printed}` };
}
