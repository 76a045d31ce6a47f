/**
 * The connection of a line REPL to its image. It has one context and one actor, and uses the same path as this actor's other evaluations
 * (decision 31).
 */
import type { FrameLocal, RanInDebugger } from '#contract/image/debugger.ts';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import type { Session } from '#core/sessions/session.ts';

interface InDebugger {
  readonly debugger: string;
}

interface InFrame extends InDebugger {
  readonly frame: number;
}

interface FormInFrame extends InFrame {
  readonly code: string;
  readonly package: string;
}

/** A REPL's connection to its image. Each call that runs code throws a WorkbenchError `refused` if the actor's policy does not allow it. */
export interface ReplConnection {
  /** The image's session. It is used for events, for stopping or answering code of this REPL, and for looking up names. */
  readonly session: Session;
  /** The context in the image that stores the current package, `*`, `+` and `/`. */
  readonly context: string;
  /** True if no other actor works in the image. In that case, the output of the image's process itself belongs to this REPL. */
  readonly alone: boolean;
  /** True if the REPL is the person's own. Restoring the lost work of an ended image is offered only to the person. */
  readonly replays: boolean;
  evaluate(evaluation: string, code: string): Promise<EvaluationReport>;
  evaluateInFrame(asked: FormInFrame): Promise<RanInDebugger>;
  returnFromFrame(asked: FormInFrame): Promise<RanInDebugger>;
  restartFrame(asked: InFrame): Promise<RanInDebugger>;
  /** Invokes a restart. The restart requests its values through questions of the debugger. */
  invokeRestart(asked: InDebugger & { readonly restart: number }): Promise<RanInDebugger>;
  step(asked: InDebugger & { readonly kind: 'into' | 'over' | 'out' }): Promise<RanInDebugger>;
  localsOf(asked: InFrame): Promise<readonly FrameLocal[]>;
  /** Releases the context and ends code that is still running in it. */
  close(): void;
}
