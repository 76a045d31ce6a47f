/** What a door gets from the workbench: a way to call tools as an authenticated client. */
import type { Actor } from '#contract/session.ts';
import type { ToolCall, ToolResult } from '#contract/tool.ts';
import type { Evaluation } from '#core/sessions/requests.ts';

export interface CallOptions {
  readonly actor: Actor;
  /** Whose current package, history and last error: one a connection. */
  readonly context: string;
  readonly holdMs: number;
  readonly signal: AbortSignal;
}

export interface DoorHost {
  readonly version: string;
  /** Said to clients as they connect, e.g. what the guard of evaluated code does. */
  readonly notice: string;
  call(call: ToolCall, options: CallOptions): Promise<ToolResult>;
  /** Evaluates for a door whose answers have a shape of their own; everything else about it is as for a tool call. */
  evaluate(
    code: string,
    pkg: string | null,
    options: CallOptions,
  ): Promise<{ result: ToolResult; evaluation: Evaluation | null }>;
  authenticate(token: string): Actor | null;
  /** Counts a connection; returns the function that ends it. */
  connect(actor: Actor, how: string): () => void;
  /** Nobody will use this context again. */
  forget(context: string): void;
}
