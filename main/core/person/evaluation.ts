/** Evaluations at the person's own REPL or editor, with their rows in the activity. */
import type { EvaluationReport, SourcePlace } from '#contract/image/evaluation.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { ActivityDetails } from '../activity/details.ts';
import type { ActivityStream } from '../activity/stream.ts';
import { summarize, summarizeReport } from '../sessions/report.ts';
import type { PrintedOutput } from '../output/printed-output.ts';
import type { Session } from '../sessions/session.ts';
import type { ShownValues } from './shown-values.ts';

export interface PersonEvaluation {
  readonly evaluation: string;
  readonly code: string;
  readonly package: string | null;
  readonly origin: 'repl' | 'editor';
  readonly source: SourcePlace | null;
  /** The REPL for the evaluation; the first one if omitted. */
  readonly repl?: string;
  /** How an unhandled error is treated, see `RunRequest`. By default it ends the evaluation. */
  readonly onError?: 'debug' | 'report';
  /** True to print values with the current printer settings, like SBCL's own REPL. */
  readonly printsAsSet?: boolean;
}

interface PersonsParts {
  readonly session: Session;
  /** The context of the REPL to which the evaluation belongs. */
  readonly context: string;
  readonly output: PrintedOutput;
  readonly values: ShownValues;
  /** The maximum number of printed characters; the rest is only counted. */
  readonly outputLimit: number;
  readonly activity: ActivityStream;
  readonly details: ActivityDetails;
}

/** Evaluates in the image and the context of a REPL. */
export async function evaluateAsPerson(
  { session, context, activity, details, output, values, outputLimit }: PersonsParts,
  request: PersonEvaluation,
): Promise<EvaluationReport> {
  const { evaluation, code, origin } = request;

  activity.publish({
    kind: 'evaluation-started',
    actor: PERSON,
    session: session.id,
    evaluation,
    code: summarize(code),
    origin,
  });
  details.began(evaluation, code, request.package ?? session.view().package);
  const started = performance.now();
  output.begin(evaluation, session);
  const { report } = await session
    .evaluate({
      ...request,
      actor: PERSON,
      context,
      interactive: true,
      keepValues: true,
      // Code in an editor names its own package, so the REPL's package does not change (B11).
      packageStays: origin === 'editor',
      streamedOutput: outputLimit,
    })
    .finally(() => output.end(evaluation));
  values.add(evaluation);
  details.ended(report);
  activity.publish({
    kind: 'evaluation-finished',
    actor: PERSON,
    session: session.id,
    evaluation,
    status: report.status,
    summary: summarizeReport(report),
    tookMs: performance.now() - started,
  });
  return report;
}
