/** What is asked of a session, and what comes back. */
import type { EvaluationReport, SourcePlace } from '#contract/evaluation.ts';
import type { Actor } from '#contract/session.ts';
import type { OperationReply, OperationRequest, RunOperation } from '#core/lisp/messages.ts';
import type { OutputChunk } from './runner.ts';

/** Who runs something in the image, and how it can be given up. */
export interface RunRequest {
  readonly evaluation: string;
  readonly actor: Actor;
  readonly context: string;
  readonly signal?: AbortSignal;
  readonly urgent?: boolean;
  /** `debug` waits in the debugger for the person, `hold` after the answer; otherwise an error just ends it. */
  readonly onError?: OperationRequest<'evaluate'>['onError'];
}

/** What an operation asks beside who asks it. */
export type RunFields<Name extends RunOperation> = Omit<
  OperationRequest<Name>,
  'evaluation' | 'context' | 'actor' | 'outputLimit' | 'onError' | 'guard'
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
  /** Gives the values handles, until `release`. */
  readonly keepValues?: boolean;
}

export interface Evaluation {
  readonly report: EvaluationReport;
  /** The debugger in which it is held after its answer. */
  readonly debugger?: string | null;
  readonly output: readonly OutputChunk[];
}
