/** What a door gets from the workbench: a way to call tools and to read resources as an authenticated client. */
import type { ClientProfile } from '#contract/client.ts';
import type { Actor } from '#contract/session.ts';
import type { ToolCall, ToolResult } from '#contract/tool.ts';
import type { Evaluation } from '#core/sessions/requests.ts';
import type { LongReplies } from '#core/tools/long-replies.ts';
import type { Holds } from './mcp/holds.ts';
import type { CallNews } from './mcp/progress.ts';
import type { ResourceHost } from './mcp/resources.ts';
import type { RateLimit } from './rate.ts';

export interface CallOptions {
  readonly actor: Actor;
  /** Whose current package, history and last error: one a connection. */
  readonly context: string;
  readonly holdMs: number;
  /** Fires when the client cancels the call. */
  readonly signal: AbortSignal;
  /** Fires when the connection is gone that would take the answer, though the client did not cancel: the call goes on. */
  readonly left?: AbortSignal;
  /** Told what is new of the call while it goes on. */
  readonly news?: (news: CallNews) => void;
}

/** Something that a client may have listed or read is different now. */
export type DoorChange = 'tools' | 'resources' | { readonly resource: string };

export interface DoorHost extends ResourceHost {
  readonly version: string;
  /** Said to clients as they connect, e.g. what the guard of evaluated code does. */
  readonly notice: string;
  /** What all doors together have learned of the patience of clients. */
  readonly holds: Holds;
  /** How often clients may ask, by whatever door. */
  readonly rate: Pick<RateLimit, 'take'>;
  /** What was too long for one answer. */
  readonly replies: Pick<LongReplies, 'reply' | 'keep'>;
  call(call: ToolCall, options: CallOptions): Promise<ToolResult>;
  /** Evaluates for a door whose answers have a shape of their own; everything else about it is as for a tool call. */
  evaluate(
    code: string,
    pkg: string | null,
    options: CallOptions,
  ): Promise<{ result: ToolResult; evaluation: Evaluation | null }>;
  authenticate(token: string): Actor | null;
  /** Which tools the client is told of. */
  profileOf(actor: Actor): ClientProfile;
  /** Calls `listener` at what changes for this client; returns the function that ends it. */
  watch(actor: Actor, listener: (change: DoorChange) => void): () => void;
  /** Counts a connection; returns the function that ends it. */
  connect(actor: Actor, how: string): () => void;
  /** A client that needs no connection for it speaks this. */
  speaks(actor: Actor, protocol: string): void;
  /** Nobody will use this context again. */
  forget(context: string): void;
}
