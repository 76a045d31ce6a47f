/** The client behind a call, and the records of calls. */
import type { ClientProfile } from '#contract/clients/client.ts';
import type { Actor } from '#contract/image/session.ts';
import type { SafetyLevel, ToolResult } from '#contract/clients/tool.ts';
import type { ClientChannel } from '#core/approvals/client-approval.ts';
import type { ClientPolicy } from '#core/approvals/policy/policy.ts';
import type { Session } from '#core/sessions/session.ts';
import type { CheckedCall } from '../checked-call.ts';
import type { ToolOutcome } from '../tool.ts';

/** The client behind a call, and how long it may be kept waiting. */
export interface Caller {
  readonly actor: Actor;
  readonly connectionId: string;
  readonly session: Session;
  readonly shared: boolean;
  readonly policy: ClientPolicy;
  /** The tool set that the caller was told of; all when left out. */
  readonly profile?: ClientProfile;
  /** Bytes of UTF-8 that one answer to the caller has at most; as usual when left out. */
  readonly replySize?: number;
  /** Milliseconds that a call may be held for a person before it is answered with a handle. */
  readonly approvalTimeoutMs: number;
  /** Milliseconds that a call may run before it is answered with a handle; no bound when left out. */
  readonly responseTimeoutMs?: number;
  /**
   * Fires when the caller cancels the call; never when left out. It counts only until the call is answered: a transport may
   * also fire it when it closes the request that carried the answer.
   */
  readonly signal?: AbortSignal;
  /** The way to ask the caller's own person, where approvals are asked in client programs and this one can ask. */
  readonly channel?: ClientChannel;
  /** Fires when the connection that would take the answer is closed, although the caller did not cancel. */
  readonly disconnected?: AbortSignal;
}

/** A call that begins. */
export interface CallStart extends CheckedCall {
  readonly actor: Actor;
  readonly level: SafetyLevel;
  /** Id of the image's session. */
  readonly session: string;
}

/** A call that was answered. One that is answered with a handle is told again when it has ended. */
interface CallEnd extends CallStart {
  readonly result: ToolResult;
  /** The outcome of the tool; null where it did not run. */
  readonly outcome: ToolOutcome | null;
}

/** The events of each call, before it runs and after it, for observers (X27–X30). */
export interface CallEvents {
  started: CallStart;
  ended: CallEnd;
}

/** The answer to a call, and the evaluation that it made, if any. */
export interface Executed {
  readonly result: ToolResult;
  readonly evaluation: ToolOutcome['evaluation'] | null;
}
