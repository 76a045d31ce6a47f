/** Compilations of the person's source text, with their rows in the activity. */
import type { CompilationResult, TextCompilationResult } from '#contract/image/compilation.ts';
import type { EvaluationReport, SourcePlace } from '#contract/image/evaluation.ts';
import type { FormMark } from '#contract/image/observation/recording.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { plural } from '#contract/text/text.ts';
import type { ActivityStream } from '../activity/stream.ts';
import type { OperationReply } from '../lisp/messages.ts';
import { summarizeReport } from '../sessions/report.ts';
import type { PrintedOutput } from '../output/printed-output.ts';
import type { Session } from '../sessions/session.ts';

export interface PersonCompilation {
  readonly evaluation: string;
  /** The title in the activity, such as `compile cart.lisp`. */
  readonly title: string;
  readonly text: string;
  readonly package: string | null;
  readonly source: SourcePlace;
  /** True if the text is the whole source. */
  readonly whole: boolean;
  /** True if the executions of the code's forms are counted. */
  readonly counts?: boolean | undefined;
  /** True if the code's frames should keep all variables. */
  readonly debugs?: boolean | undefined;
  /** False if the text is compiled only for the compiler's diagnostics. */
  readonly loads?: boolean | undefined;
  /** The forms whose values are to be recorded. */
  readonly marks?: readonly FormMark[] | undefined;
}

interface PersonsParts {
  readonly session: Session;
  readonly activity: ActivityStream;
  readonly output: PrintedOutput;
  readonly outputLimit: number;
  /** How errors in the loaded code are treated. */
  readonly onError: 'debug' | 'report';
}

/** Compiles and loads source text in the shared image. */
export async function compileAsPerson(
  { session, activity, output, outputLimit, onError }: PersonsParts,
  request: PersonCompilation,
): Promise<{ report: EvaluationReport; result: TextCompilationResult | null }> {
  const { evaluation, title } = request;
  const of = { actor: PERSON, session: session.id, evaluation };
  activity.publish({ kind: 'evaluation-started', ...of, code: title, origin: 'editor' });
  const started = performance.now();
  output.begin(evaluation, session);
  const who = { actor: PERSON, context: PERSON.id, onError, interactive: true, streamedOutput: outputLimit };
  const { reply } = await session.compileText({ ...request, ...who }).finally(() => output.end(evaluation));
  const report = reportOf(evaluation, reply, session.view().package);
  const summary = reply.result ? summaryOf(reply.result) : summarizeReport(report);
  const tookMs = performance.now() - started;
  activity.publish({ kind: 'evaluation-finished', ...of, status: report.status, summary, tookMs });
  if (!reply.result) return { report, result: null };
  const { forms: _forms, ...result } = reply.result;
  return { report, result };
}

/** Converts the reply to an evaluation report for the REPL. */
function reportOf(evaluation: string, reply: OperationReply<'compile-text'>, inPackage: string): EvaluationReport {
  const { status, condition, timing, outputCut, effects, effectsMore } = reply;
  // The compiler's messages are in the diagnostics, so the warnings would only repeat them.
  return {
    evaluation,
    status,
    values: [],
    warnings: [],
    condition,
    package: inPackage,
    formCount: 0,
    timing,
    outputCut,
    effects,
    effectsMore,
  };
}

function summaryOf({ definitions, total, loaded }: CompilationResult): string {
  const said = total === 0 ? '' : `, ${plural(total, 'message')}`;
  return loaded ? `${plural(definitions, 'definition')}${said}` : `not loaded${said}`;
}
