/** The image as a line REPL reaches it: in one context, as one actor, by the way that this actor's evaluations go (decision 31). */
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

/** Each call that runs code throws a WorkbenchError, code `refused`, where the policy of the actor does not allow it. */
export interface ReplConnection {
  /** The image, for its events, for what stops or answers code of this REPL, and for looking names up. */
  readonly session: Session;
  /** The context in the image that holds current package, `*`, `+` and `/`. */
  readonly context: string;
  /** True when nobody else works in the image: what the process prints by itself is of this REPL then. */
  readonly alone: boolean;
  /** True where it is the person's, who is offered to bring back what an image that ended took with it. */
  readonly replays: boolean;
  evaluate(evaluation: string, code: string): Promise<EvaluationReport>;
  evaluateInFrame(asked: FormInFrame): Promise<RanInDebugger>;
  returnFromFrame(asked: FormInFrame): Promise<RanInDebugger>;
  restartFrame(asked: InFrame): Promise<RanInDebugger>;
  /** Takes a restart, which asks for its values by questions of the debugger. */
  invokeRestart(asked: InDebugger & { readonly restart: number }): Promise<RanInDebugger>;
  step(asked: InDebugger & { readonly kind: 'into' | 'over' | 'out' }): Promise<RanInDebugger>;
  localsOf(asked: InFrame): Promise<readonly FrameLocal[]>;
  /** Lets go of the context; what still runs in it is ended. */
  close(): void;
}
