/** Evaluations that the person starts in the inspector, with their rows in the activity. */
import type { EvaluationStatus } from '#contract/image/evaluation.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { ActivityStream } from '../activity/stream.ts';
import type { RunOperation } from '../lisp/messages.ts';
import type { RunFields, RunResult } from '../sessions/requests.ts';
import { summarize } from '../sessions/report.ts';
import type { Session } from '../sessions/session.ts';

type Inspecting = Extract<RunOperation, 'inspect-expression' | 'evaluate-with-object' | 'set-part'>;

interface InspectingParts {
  readonly session: Session;
  readonly activity: ActivityStream;
  /** The context of a REPL; the first REPL's context if omitted. */
  readonly context?: string;
}

/** Queues an inspector operation and runs it in the context of a REPL when its turn comes. */
export async function runForInspector<Name extends Inspecting>(
  { session, activity, context = PERSON.id }: InspectingParts,
  op: Name,
  evaluation: string,
  fields: RunFields<Name> & { readonly code: string },
): Promise<RunResult<Name>['reply']> {
  const who = { actor: PERSON, session: session.id, evaluation };
  const code = summarize(fields.code);
  activity.publish({ kind: 'evaluation-started', ...who, code, origin: 'inspector' });
  const started = performance.now();
  const { reply } = await session.run(op, { evaluation, actor: PERSON, context }, fields, code);
  const { status, condition } = reply as {
    status: EvaluationStatus;
    condition: { type: string; message: string } | null;
  };
  activity.publish({
    kind: 'evaluation-finished',
    ...who,
    status,
    summary: condition ? summarize(`${condition.type}: ${condition.message}`) : 'inspected',
    tookMs: performance.now() - started,
  });
  return reply;
}
