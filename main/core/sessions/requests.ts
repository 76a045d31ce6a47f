/** The requests to a session, and their replies. */
import type { EvaluationReport, SourcePlace } from '#contract/image/evaluation.ts';
import type { FormMark } from '#contract/image/observation/recording.ts';
import type { ForcedPart } from '#contract/image/system.ts';
import type { Actor } from '#contract/image/session.ts';
import type { OperationReply, OperationRequest, RunOperation, WorkerOperation } from '#core/lisp/messages.ts';
import type { TurnRequest } from './scheduler/run-queue.ts';
import type { OutputChunk } from './scheduler/output-chunk.ts';

/** The actor that runs code in the image, and the signal to cancel the run. */
export interface RunRequest {
  readonly evaluation: string;
  readonly actor: Actor;
  readonly context: string;
  readonly signal?: AbortSignal;
  readonly urgent?: boolean;
  /**
   * How an unhandled error is treated. `debug` makes the evaluation wait in the debugger for the person, `hold` answers the evaluation and
   * then makes it wait in the debugger, `report` ends it.
   */
  readonly onError?: OperationRequest<'evaluate'>['onError'];
  /**
   * The maximum number of output characters to send, instead of the session's limit. The output is not collected; it is available only as
   * events.
   */
  readonly streamedOutput?: number;
}

/** A request to load a system. */
export interface SystemRequest extends RunRequest {
  readonly system: string;
  /** Effects that were denied in an earlier load, see `deniedKey`. They are denied again without a question. */
  readonly denied?: readonly string[];
  /** Systems that must not be loaded together with this one. */
  readonly without?: readonly string[];
  /** False to install nothing that is missing; true if omitted. */
  readonly install?: boolean;
}

/**
 * A request to compile and load an ASDF system. `force` selects the part whose files are compiled even if they have not changed; null
 * selects none.
 */
export interface SystemCompilation extends Omit<SystemRequest, 'denied'> {
  readonly force: ForcedPart | null;
}

/** The fields of an operation, except those about the requesting actor. */
export type RunFields<Name extends RunOperation> = Omit<
  OperationRequest<Name>,
  'evaluation' | 'context' | 'actor' | 'outputLimit' | 'onError' | 'guard' | 'overtakes'
>;

export interface RunResult<Name extends RunOperation> {
  readonly reply: OperationReply<Name>;
  readonly output: readonly OutputChunk[];
}

export interface EvaluationRequest extends RunRequest {
  readonly code: string;
  readonly package: string | null;
  readonly interactive: boolean;
  readonly source: SourcePlace | null;
  /** True to print values with the context's printer settings, like SBCL's own REPL, instead of the limits of evaluate-lisp. */
  readonly printsAsSet?: boolean;
  /** True to give the values handles, which are valid until `release`. */
  readonly keepValues?: boolean;
  /** True if the context's current package must not change. */
  readonly packageStays?: boolean;
}

/** Source text that is compiled and loaded like a file. */
export interface TextCompilation extends RunRequest {
  readonly text: string;
  readonly package: string | null;
  readonly source: SourcePlace;
  /** True if the text is the whole source. */
  readonly whole?: boolean;
  /** True if the executions of the code's forms are counted. */
  readonly counts?: boolean | undefined;
  /** True if the code's frames should keep all variables. */
  readonly debugs?: boolean | undefined;
  /** False if the text is compiled only for the compiler's diagnostics. */
  readonly loads?: boolean | undefined;
  /** The forms whose values are to be recorded. */
  readonly marks?: readonly FormMark[] | undefined;
  readonly interactive?: boolean;
  /** The title that the queue shows. */
  readonly title: string;
}

export interface Evaluation {
  readonly report: EvaluationReport;
  /** The debugger in which the evaluation is held after its answer. */
  readonly debugger?: string | null;
  readonly output: readonly OutputChunk[];
  /** Output of threads from earlier evaluations of the connection, printed after their answers. */
  readonly late?: readonly OutputChunk[];
}

/**
 * Operations of the person that run at the same time as an agent's evaluation. Loads and similar operations wait, because they change files
 * that others read.
 */
const OVERTAKING: ReadonlySet<WorkerOperation> = new Set<WorkerOperation>([
  'evaluate',
  'compile-text',
  'debug-function',
  'inspect-expression',
  'evaluate-with-object',
  'set-part',
  'time-form',
  'run-tests',
  'describe-system',
  'system-graph',
]);

/** Operations that use ASDF. */
const OF_SYSTEMS: ReadonlySet<WorkerOperation> = new Set<WorkerOperation>([
  'load-system',
  'install-library',
  'compile-system',
  'test-system',
  'tested-systems',
  'cover-system',
  'activate-libraries',
  'describe-system',
  'system-graph',
]);

/**
 * Returns whether `op` may run beside an agent's running evaluation, and whether it uses ASDF. `waits` is true if the person's operations
 * wait for agents' evaluations.
 */
export function besides(
  op: WorkerOperation,
  { actor, urgent = false }: Pick<RunRequest, 'actor' | 'urgent'>,
  waits: boolean,
): { overtakes: boolean; systems: boolean } {
  return {
    overtakes: actor.kind === 'person' && !urgent && !waits && OVERTAKING.has(op),
    systems: OF_SYSTEMS.has(op),
  };
}

/** Returns the turn of a request for the run queue, which shows the turn as `summary`. */
export function turnOf(
  { evaluation, actor, context, urgent, signal }: RunRequest,
  summary: string,
): TurnRequest & { signal?: AbortSignal } {
  return { evaluation, actor, summary, context, urgent: urgent ?? false, ...(signal ? { signal } : {}) };
}
