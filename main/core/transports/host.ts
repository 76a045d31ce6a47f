/** The interface of the workbench for a transport: calls tools and reads resources for an authenticated client. */
import type { ClientProfile } from '#contract/clients/client.ts';
import type { Actor } from '#contract/image/session.ts';
import type { ClientApproval, ClientChannel } from '#core/approvals/client-approval.ts';
import type { CheckedCall } from '#core/tools/checked-call.ts';
import type { Executed } from '#core/tools/executor/caller.ts';
import type { LongReplies } from '#core/tools/replies/long-replies.ts';
import type { OpenQuestions } from './mcp/questions/open-questions.ts';
import type { ResponseTimeouts } from './mcp/response-timeout.ts';
import type { CallProgress } from './mcp/questions/progress.ts';
import type { ResourceHost } from './mcp/content/resources.ts';
import type { OpenRequests } from './open-requests.ts';

export interface CallOptions {
  readonly actor: Actor;
  /** The id of the connection whose current package, history and last error apply. */
  readonly connectionId: string;
  readonly approvalTimeoutMs: number;
  /** Milliseconds after which a running call is answered with a handle; no limit if omitted. */
  readonly responseTimeoutMs?: number;
  /** The program that the client claims to be. */
  readonly program?: string | undefined;
  /** The tool set that the client sees; all tools if omitted. */
  readonly profile?: ClientProfile;
  /** The maximum number of UTF-8 bytes in one answer to the client; the usual size if omitted. */
  readonly replySize?: number;
  /** Fires when the client cancels the call; never if omitted. Once the call was answered, even with a handle, the signal is ignored. */
  readonly signal?: AbortSignal;
  /** Fires when the connection that would receive the answer is closed, although the client did not cancel the call. The call continues. */
  readonly disconnected?: AbortSignal;
  /** The channel for asking the client's own person about this call; omitted if the client is not asked. */
  readonly channel?: ClientChannel;
  /** Called with the progress of the call while it is running. */
  readonly onProgress?: (progress: CallProgress) => void;
}

/** Approval in client programs, in the form that transports need. */
export interface ClientApprovalHost extends Pick<ClientApproval<unknown>, 'decide'> {
  /** Questions that were sent as answers to calls. */
  readonly questions: OpenQuestions;
}

/** A change that affects data which a client may have listed or read. */
export type ChangeNotice = 'tools' | 'resources' | { readonly resource: string };

export interface TransportHost extends ResourceHost {
  readonly version: string;
  /** The id of this run of the workbench. Another run has other images. */
  readonly run: string;
  /** The notice that is sent to connecting clients, for example about the guard for evaluated code. */
  readonly notice: string;
  /** The description of the project for connecting clients; null for clients that must not learn about the person's work. */
  readonly place: string | null;
  /** How long clients wait for an answer, learned from all transports together. */
  readonly responseTimeouts: ResponseTimeouts;
  /** Limits the number of a client's open requests, counted over all transports. */
  readonly openRequests: Pick<OpenRequests, 'admit'>;
  /** The replies that were too long for one answer. */
  readonly replies: Pick<LongReplies, 'reply' | 'replyToProgram'>;
  /** Approval in client programs; null if requests are decided elsewhere. */
  readonly clientApproval: ClientApprovalHost | null;
  call(call: CheckedCall, options: CallOptions): Promise<Executed>;
  authenticate(token: string): Actor | null;
  /** Returns the actor with the program that it claims to be, if this is not the actor's own program. */
  asProgram(actor: Actor, says: string | undefined): Actor;
  /** Returns the tool set that the client sees, which depends on the person's choice and on the program that the client claims to be. */
  profileOf(actor: Actor, says: string | undefined): ClientProfile;
  /** Records that the client has requested the list of tools. */
  listed(actor: Actor): void;
  /** Calls `listener` for each change that concerns this client. Returns a function that stops the calls. */
  watch(actor: Actor, listener: (change: ChangeNotice) => void): () => void;
  /** Counts a connection. Returns a function to call when the connection ends. */
  connect(actor: Actor, how: string): () => void;
  /** Returns true if a call of this connection is running, even if it was already answered with a handle. */
  runsFor(connectionId: string): boolean;
  /** Forgets a connection, which will not be used again. */
  forget(connectionId: string): void;
}
