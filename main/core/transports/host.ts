/** The workbench as a transport sees it: a way to call tools and to read resources as an authenticated client. */
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
  /** The id of the connection whose current package, history and last error count. */
  readonly connectionId: string;
  readonly approvalTimeoutMs: number;
  /** Milliseconds after which a call that still runs is answered with a handle; never when left out. */
  readonly responseTimeoutMs?: number;
  /** The program that the client says it is. */
  readonly program?: string | undefined;
  /** The tool set that the client was told of; all when left out. */
  readonly profile?: ClientProfile;
  /** Bytes of UTF-8 that one answer to the client has at most; as usual when left out. */
  readonly replySize?: number;
  /** Fires when the client cancels the call; never when left out. It is ignored once the call was answered, with a handle too. */
  readonly signal?: AbortSignal;
  /** Fires when the connection that would take the answer is closed, although the client did not cancel: the call continues. */
  readonly disconnected?: AbortSignal;
  /** The way to ask the client's own person about what this call needs; left out where the client is not asked. */
  readonly channel?: ClientChannel;
  /** Called with the progress of the call while it goes on. */
  readonly onProgress?: (progress: CallProgress) => void;
}

/** Approval in client programs, as transports see it. */
export interface ClientApprovalHost extends Pick<ClientApproval<unknown>, 'decide'> {
  /** Questions that were sent as answers to calls. */
  readonly questions: OpenQuestions;
}

/** Something that a client may have listed or read is different now. */
export type ChangeNotice = 'tools' | 'resources' | { readonly resource: string };

export interface TransportHost extends ResourceHost {
  readonly version: string;
  /** The id of this workbench's run: another run has other images. */
  readonly run: string;
  /** The notice to clients as they connect, e.g. what the guard of evaluated code does. */
  readonly notice: string;
  /** The project, for clients as they connect; null for who may not know how the workbench is worked with. */
  readonly place: string | null;
  /** How long clients wait for an answer, as all transports together have learned it. */
  readonly responseTimeouts: ResponseTimeouts;
  /** How many requests clients may have open, over all transports together. */
  readonly openRequests: Pick<OpenRequests, 'admit'>;
  /** The replies that were too long for one answer. */
  readonly replies: Pick<LongReplies, 'reply' | 'replyToProgram'>;
  /** Approval in client programs; null where requests are decided elsewhere. */
  readonly clientApproval: ClientApprovalHost | null;
  call(call: CheckedCall, options: CallOptions): Promise<Executed>;
  authenticate(token: string): Actor | null;
  /** Returns the actor, with the program that it says it is where that is not its own. */
  asProgram(actor: Actor, says: string | undefined): Actor;
  /** Returns the tool set that the client is told of, by the person's choice and by the program that it says it is. */
  profileOf(actor: Actor, says: string | undefined): ClientProfile;
  /** The client has asked for the list of tools. */
  listed(actor: Actor): void;
  /** Calls `listener` at what changes for this client; returns the function that ends it. */
  watch(actor: Actor, listener: (change: ChangeNotice) => void): () => void;
  /** Counts a connection; returns the function that ends it. */
  connect(actor: Actor, how: string): () => void;
  /** Returns true when a call of this connection runs, whether or not it was answered with a handle. */
  runsFor(connectionId: string): boolean;
  /** Forgets a connection, which nobody will use again. */
  forget(connectionId: string): void;
}
