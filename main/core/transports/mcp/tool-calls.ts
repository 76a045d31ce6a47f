/**
 * The tool calls of one MCP connection. Calls of the older era are served here without the SDK, which would take several times as long as
 * the calls themselves. All other calls go through the SDK's `tools/call` handler, which uses the same method `call`.
 */
import { randomUUID } from 'node:crypto';
import {
  inputRequired,
  ProtocolError,
  type ClientCapabilities,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import type { ClientProfile } from '#contract/clients/client.ts';
import type { ToolResult } from '#contract/clients/tool.ts';
import { fingerprint } from '#core/approvals/fingerprint.ts';
import { wellFormed } from '#contract/text/text.ts';
import { messageOf } from '#core/base/error.ts';
import { checkCall, type CheckedCall } from '#core/tools/checked-call.ts';
import { awaitApproval } from '#core/tools/executor/await-approval.ts';
import { imageSection, imageSectionOf } from '#core/tools/executor/results.ts';
import { replySizeOf, wantedSize } from '#core/tools/replies/reply-sizes.ts';
import type { CallOptions, ClientApprovalHost, TransportHost } from '../host.ts';
import { AnswerChannel, requestChannel, type Elicit } from './questions/client-channels.ts';
import { canElicit, decisionOf, elicitationOf } from './questions/elicitation.ts';
import { errorResponse, type ErrorResponse } from './message-checks.ts';
import { reportProgress, type ProgressNotice } from './questions/progress.ts';
import type { AskedCall } from './questions/open-questions.ts';
import { isTimeout, type ClientInfo } from './response-timeout.ts';
import { dataOf, wantsData } from './content/structured-content.ts';

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

export interface McpConnection extends Pick<CallOptions, 'actor' | 'connectionId'> {
  /** How long, in milliseconds, calls wait for a person. If omitted, this depends on the client's name. */
  readonly approvalTimeoutMs?: number;
  /** How long, in milliseconds, a call may run before it is answered with a handle. If omitted, this depends on the client's name. */
  readonly responseTimeoutMs?: number;
  /** The tool set to list. If omitted, the person's choice for the client is used. */
  readonly profile?: ClientProfile;
  /**
   * The change notifications that the server sends. `subscribed` means notifications about subscribed resources. `all` means all
   * notifications, which the transport then filters. If omitted, none are sent, because the server exists for one request only.
   */
  readonly tells?: 'subscribed' | 'all';
  readonly progressMs?: number;
  /** The notice about the image in the answer to the first call; null or omitted if there is none. */
  readonly imageNotice?: string | null;
}

/** The result of `tools/call`: one text item, `isError` in every case, and all other facts in `_meta` (T3–T6, E13). */
export type CallAnswer = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError: boolean;
  _meta: Record<string, unknown>;
};

interface CallParams {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
}

/** A JSON-RPC request `tools/call`. */
export interface CallRequest {
  readonly id: string | number;
  readonly params: CallParams;
}

/** The answer to a question, which the client sends with the repeated call (2026-07-28). */
interface CallReply {
  /** The key of the question, returned by the client. */
  readonly state: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** The client of a call, with the functions to notify it and the signal that cancels the call. */
export interface CallContext {
  /** The capabilities that the client declares. */
  readonly capabilities: ClientCapabilities | undefined;
  /** Sends a question to the client while its call waits. Omitted if questions are sent in answers to calls (2026-07-28). */
  readonly elicit?: Elicit;
  readonly reply?: CallReply;
  /** Fires when the client cancels the call. Some transports also fire it after the call was answered. */
  readonly signal: AbortSignal;
  /** Fires when the connection that would receive the answer is closed. */
  readonly disconnected?: AbortSignal | undefined;
  readonly info: ClientInfo | undefined;
  readonly notify: (notice: ProgressNotice) => Promise<void>;
}

interface ClientFacts {
  readonly info: ClientInfo | undefined;
  readonly profile: ClientProfile;
  readonly replySize: number;
}

export interface CallResponse {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly result: CallAnswer | InputRequiredResult;
}

/** The name of the only question in an answer. */
const QUESTION = 'approval';

export class ToolCalls {
  readonly #host: TransportHost;
  readonly #connection: McpConnection;
  #imageNotice: string | null;
  #facts: ClientFacts | null = null;
  /** Running calls that `serve` answers, by the ids of their requests. */
  readonly #underway = new Map<string | number, AbortController>();

  constructor(host: TransportHost, connection: McpConnection) {
    this.#host = host;
    this.#connection = connection;
    this.#imageNotice = connection.imageNotice ?? null;
  }

  /** Returns the tool set that a client of this name sees. */
  profileOf(info: ClientInfo | undefined): ClientProfile {
    const { profile, actor } = this.#connection;
    return profile ?? this.#host.profileOf(actor, info?.name);
  }

  /**
   * Returns the facts that depend on the client's name and version. They are computed again only if the name, the version or the person's
   * choice changes.
   */
  #factsOf(info: ClientInfo | undefined): ClientFacts {
    const profile = this.profileOf(info);
    const known = this.#facts;
    if (known && known.info === info && known.profile === profile) return known;
    const facts = { info, profile, replySize: replySizeOf(info?.name) };
    this.#facts = facts;
    return facts;
  }

  /** Returns true if a client with these capabilities can be asked for its person's decision. */
  asks(capabilities: ClientCapabilities | undefined): boolean {
    return this.#host.clientApproval !== null && canElicit(capabilities);
  }

  /**
   * Runs a call, or continues the call whose question the client answers. Returns the result of the call, or a question to the client's
   * person. @throws ProtocolError if there is no such tool, or if the arguments do not fit.
   */
  async call(params: CallParams, context: CallContext): Promise<CallAnswer | InputRequiredResult> {
    const checked = checkCall(randomUUID(), params.name, params.arguments ?? {});
    if (!checked.ok) throw new ProtocolError(INVALID_PARAMS, checked.message, checked.data);
    const { clientApproval } = this.#host;
    if (clientApproval === null) return this.#run(checked.call, checked.call, params, context, null);
    const { actor, connectionId } = this.#connection;
    const { tool, args } = checked.call;
    const asked = { actor: actor.id, connectionId, digest: fingerprint([tool.name, args]) };
    const continued = context.reply
      ? await reply(clientApproval, context.reply, asked)
      : { call: checked.call, image: '' };
    if (typeof continued === 'string') return refusal(continued);
    const { call, image } = continued;
    if (!canElicit(context.capabilities)) return this.#run(call, checked.call, params, context, null);
    if (context.elicit) return this.#run(call, checked.call, params, context, requestChannel(context.elicit));
    const channel = new AnswerChannel();
    const result = await this.#run(call, checked.call, params, context, channel);
    const [item] = result.content;
    const handle = result._meta['approval_id'];
    if (channel.card === null || typeof handle !== 'string')
      return image === '' ? result : { ...result, content: [{ type: 'text', text: `${item!.text}${image}` }] };
    const question = { card: channel.card, handle, image: `${image}${imageSectionOf(item!.text)}` };
    return inputRequired({
      inputRequests: { [QUESTION]: inputRequired.elicit(elicitationOf(channel.card)) },
      requestState: clientApproval.questions.keep(question, asked),
    });
  }

  /**
   * Runs `call` and answers in the format of `sent`, the call that the client sent. `channel` is the channel for asking the client's own
   * person, if there is one.
   */
  async #run(
    call: CheckedCall,
    sent: CheckedCall,
    { _meta: meta }: CallParams,
    context: CallContext,
    channel: CallOptions['channel'] | null,
  ): Promise<CallAnswer> {
    const { actor, connectionId, progressMs } = this.#connection;
    const { responseTimeouts, replies } = this.#host;
    const { signal, disconnected, info } = context;
    const progress = reportProgress(meta?.progressToken, context.notify, progressMs);
    const { replySize, profile } = this.#factsOf(info);
    const started = performance.now();
    const responseTimeoutMs = this.#connection.responseTimeoutMs ?? responseTimeouts.response(info, progress !== null);
    try {
      const { result } = await this.#host.call(call, {
        actor,
        connectionId,
        approvalTimeoutMs: this.#connection.approvalTimeoutMs ?? responseTimeouts.approval(info),
        ...(responseTimeoutMs === undefined ? {} : { responseTimeoutMs }),
        program: info?.name,
        profile,
        replySize,
        signal,
        ...(channel ? { channel } : {}),
        ...(progress ? { onProgress: progress.onProgress } : {}),
        ...(disconnected ? { disconnected } : {}),
      });
      const unheard =
        (signal.aborted || disconnected?.aborted) && (progress !== null || result.metadata.approval_id !== undefined);
      if (unheard && isTimeout(signal.reason)) responseTimeouts.gaveUp(info, performance.now() - started);
      const said = this.#imageNotice === null ? result.content : `${result.content}${imageSection(this.#imageNotice)}`;
      this.#imageNotice = null;
      const size = Math.max(replySize, wantedSize(sent.args['max_bytes'], replySize));
      const text = replies.reply(said, actor, size);
      return answer(result, text, wantsData(meta) ? dataOf(sent.tool, result) : undefined);
    } finally {
      progress?.stop();
    }
  }

  /** Answers a JSON-RPC request. Returns null if the request was cancelled, because then no answer is needed. Never throws. */
  async serve(
    { id, params }: CallRequest,
    context: Omit<CallContext, 'signal'>,
  ): Promise<CallResponse | ErrorResponse | null> {
    const control = new AbortController();
    this.#underway.set(id, control);
    try {
      const result = await this.call(params, { ...context, signal: control.signal });
      return control.signal.aborted ? null : { jsonrpc: '2.0', id, result };
    } catch (error) {
      const [code, data] = error instanceof ProtocolError ? [error.code, error.data] : [INTERNAL_ERROR];
      return control.signal.aborted ? null : errorResponse(id, code, messageOf(error), data);
    } finally {
      if (this.#underway.get(id) === control) this.#underway.delete(id);
    }
  }

  /** Cancels a call that `serve` is answering. Returns false if there is no such call with this id. */
  cancel(id: unknown, reason: unknown): boolean {
    const control = this.#underway.get(id as string | number);
    control?.abort(reason);
    return control !== undefined;
  }

  /** Cancels all calls. Called when the client has disconnected. */
  close(): void {
    const error = new Error('Connection closed');
    for (const control of this.#underway.values()) control.abort(error);
    this.#underway.clear();
  }
}

/** Returns the request in a message if it is a plain `tools/call`, which `ToolCalls` may serve itself; null for any other message. */
export function plainCall(message: unknown): CallRequest | null {
  const { method, id, params } = message as Partial<CallRequest> & { method?: unknown };
  if (method !== 'tools/call' || id === undefined || params === undefined) return null;
  for (const name in params) if (!PLAIN.has(name)) return null;
  const token = params._meta?.progressToken;
  return token === undefined || typeof token === 'string' || typeof token === 'number' ? { id, params } : null;
}

const PLAIN: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/** Returns the id of the request that a message cancels, and the reason; null if the message cancels none. */
export function cancellation(message: unknown): { readonly id: unknown; readonly reason: unknown } | null {
  const { method, params } = message as { method?: unknown; params?: { requestId?: unknown; reason?: unknown } };
  return method === 'notifications/cancelled' && params ? { id: params.requestId, reason: params.reason } : null;
}

function answer(result: ToolResult, text: string, data: Record<string, unknown> | undefined): CallAnswer {
  return {
    content: [{ type: 'text', text: wellFormed(text) }],
    ...(data ? { structuredContent: data } : {}),
    isError: !result.success,
    _meta: { id: result.id, ...result.metadata },
  };
}

/**
 * Applies the decision of the client's person. Returns the call that waits for the request's outcome. If the answer is not accepted,
 * returns a sentence with the reason, and nothing is run.
 */
async function reply(
  { decide, questions }: ClientApprovalHost,
  { state, responses }: CallReply,
  asked: AskedCall,
): Promise<{ readonly call: CheckedCall; readonly image: string } | string> {
  const question = questions.take(state, asked);
  if (typeof question === 'string') return question;
  const decision = decisionOf(responses[QUESTION]);
  if (decision !== null) {
    const { reason, message } = await decide(question.card, decision);
    if (reason === 'gone') return `Nothing was run, because this answer came too late: ${message}`;
  }
  const waiting = checkCall(randomUUID(), awaitApproval.name, { approval_id: question.handle });
  if (!waiting.ok) throw new Error(waiting.message);
  return { call: waiting.call, image: question.image };
}

function refusal(text: string): CallAnswer {
  const _meta = { status: 'denied', approved: false };
  return { content: [{ type: 'text', text }], isError: true, _meta };
}
