/** The client that makes a call, and the records of calls. */
import type { ClientProfile } from '#contract/clients/client.ts';
import type { Actor } from '#contract/image/session.ts';
import type { SafetyLevel, ToolResult } from '#contract/clients/tool.ts';
import type { ClientChannel } from '#core/approvals/client-approval.ts';
import type { ClientPolicy } from '#core/approvals/policy/policy.ts';
import type { Session } from '#core/sessions/session.ts';
import type { CheckedCall } from '../checked-call.ts';
import type { ToolOutcome } from '../tool.ts';

/** The client that makes a call, and how long its answers may take. */
export interface Caller {
  readonly actor: Actor;
  readonly connectionId: string;
  readonly session: Session;
  readonly shared: boolean;
  readonly policy: ClientPolicy;
  /** The tool set that the caller sees; all tools if omitted. */
  readonly profile?: ClientProfile;
  /** The maximum number of UTF-8 bytes in one answer to the caller; the usual size if omitted. */
  readonly replySize?: number;
  /** How long, in milliseconds, a call may wait for a person before it is answered with a handle. */
  readonly approvalTimeoutMs: number;
  /** How long, in milliseconds, a call may run before it is answered with a handle; no limit if omitted. */
  readonly responseTimeoutMs?: number;
  /**
   * Fires when the caller cancels the call; never if omitted. It is ignored after the call was answered, because a transport may also fire
   * it when it closes the answered request.
   */
  readonly signal?: AbortSignal;
  /** The channel for asking the caller's own person, if approvals are requested in client programs and this client supports it. */
  readonly channel?: ClientChannel;
  /** Fires when the connection that would receive the answer is closed, although the caller did not cancel. */
  readonly disconnected?: AbortSignal;
}

/** The start of a call. */
export interface CallStart extends CheckedCall {
  readonly actor: Actor;
  readonly level: SafetyLevel;
  /** Id of the image's session. */
  readonly session: string;
}

/** The answer to a call. If the call was answered with a handle, the answer is reported again when the call has ended. */
interface CallEnd extends CallStart {
  readonly result: ToolResult;
  /** The outcome of the tool; null if the tool did not run. */
  readonly outcome: ToolOutcome | null;
}

/** The events of each call, emitted before and after it runs, for observers (X27–X30). */
export interface CallEvents {
  started: CallStart;
  ended: CallEnd;
}

/** The answer to a call, and the evaluation that it started, if any. */
export interface Executed {
  readonly result: ToolResult;
  readonly evaluation: ToolOutcome['evaluation'] | null;
}
