/** The requests to a session, and their replies. */
import type { EvaluationReport, SourcePlace } from '#contract/image/evaluation.ts';
import type { FormMark } from '#contract/image/observation/recording.ts';
import type { ForcedPart } from '#contract/image/system.ts';
import type { Actor } from '#contract/image/session.ts';
import type { OperationReply, OperationRequest, RunOperation, WorkerOperation } from '#core/lisp/messages.ts';
import type { TurnRequest } from './scheduler/run-queue.ts';
import type { OutputChunk } from './scheduler/output-chunk.ts';

/** The actor of a run in the image, and the way to give it up. */
export interface RunRequest {
  readonly evaluation: string;
  readonly actor: Actor;
  readonly context: string;
  readonly signal?: AbortSignal;
  readonly urgent?: boolean;
  /**
   * The fate of an evaluation whose error nobody handles: `debug` has it wait in the debugger for the person, `hold` has it answered and
   * then wait there, `report` ends it.
   */
  readonly onError?: OperationRequest<'evaluate'>['onError'];
  /** Characters of output that are sent, in place of the session's limit. None of it is collected: it is told by events alone. */
  readonly streamedOutput?: number;
}

/** A load of a system. */
export interface SystemRequest extends RunRequest {
  readonly system: string;
  /** Effects that were denied when it was loaded before, see `deniedKey`: they are denied again without being asked about. */
  readonly denied?: readonly string[];
  /** Systems that must not be loaded with it. */
  readonly without?: readonly string[];
}

/** A wish to compile and load an ASDF system, with what is compiled although its files are unchanged; null for nothing. */
export interface SystemCompilation extends Omit<SystemRequest, 'denied'> {
  readonly force: ForcedPart | null;
}

/** The fields of an operation beside those that say who asks for it. */
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
  /** Prints values as the context's printer is set, as SBCL's own REPL does, rather than under the limits of evaluate-lisp. */
  readonly printsAsSet?: boolean;
  /** Gives the values handles, until `release`. */
  readonly keepValues?: boolean;
  /** The current package of the context stays what it was. */
  readonly packageStays?: boolean;
}

/** A text that is compiled and loaded as a file is. */
export interface TextCompilation extends RunRequest {
  readonly text: string;
  readonly package: string | null;
  readonly source: SourcePlace;
  /** True when the text is all of its source. */
  readonly whole?: boolean;
  /** True when what is executed of it is to be counted. */
  readonly counts?: boolean | undefined;
  /** True when frames of the code are to keep all variables. */
  readonly debugs?: boolean | undefined;
  /** False when the text is compiled only for what the compiler says of it. */
  readonly loads?: boolean | undefined;
  /** The forms whose values are to be recorded. */
  readonly marks?: readonly FormMark[] | undefined;
  readonly interactive?: boolean;
  /** The words by which the queue shows it. */
  readonly title: string;
}

export interface Evaluation {
  readonly report: EvaluationReport;
  /** The debugger in which it is held after its answer. */
  readonly debugger?: string | null;
  readonly output: readonly OutputChunk[];
  /** The output of threads of earlier evaluations of the connection, printed after their answers. */
  readonly late?: readonly OutputChunk[];
}

/** Operations of the person that run beside an agent's evaluation. Loads and the like wait: they change files that others read. */
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

/** Operations that ASDF works for. */
const OF_SYSTEMS: ReadonlySet<WorkerOperation> = new Set<WorkerOperation>([
  'load-system',
  'compile-system',
  'test-system',
  'cover-system',
  'activate-libraries',
  'describe-system',
  'system-graph',
]);

/** Returns how `op` takes its turn while an agent's evaluation runs. `waits` is true where the person's wait for it. */
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

/** The turn that a request takes in the run queue, under the `summary` that the queue shows. */
export function turnOf(
  { evaluation, actor, context, urgent, signal }: RunRequest,
  summary: string,
): TurnRequest & { signal?: AbortSignal } {
  return { evaluation, actor, summary, context, urgent: urgent ?? false, ...(signal ? { signal } : {}) };
}
