/** The answers to an agent that asks for permission: for our tools, and edits that come through the host, yes, since these ask in Review themselves; for its own by standing and person. */
import type { PermissionOption, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import type { Actor } from '#contract/image/session.ts';
import type { ApprovalRequest, Settlement, Ticket } from '#core/approvals/request.ts';
import { messageOf } from '#core/base/error.ts';
import type { ToolOutcome } from '#core/tools/tool.ts';
import { OWN_TOOL, OwnToolApproval, type StatedCall } from './own-tool-approval.ts';
import { toldCall } from './conversation.ts';
import type { RecognisedCall, ToldCall } from './recipes/recipe.ts';

/** The part of the queue of approvals that is needed here. */
export interface PermissionQueue {
  request(request: ApprovalRequest<ToolOutcome>): Promise<Ticket<ToolOutcome>>;
  withdraw(id: string, reason: string): void;
}

export interface PermissionParts {
  /** The title of the agent's program. */
  readonly agent: string;
  readonly actor: Actor;
  readonly standing: AgentStanding;
  /** True where the edits of the agent come as writes through the host, which ask in Review themselves. */
  readonly writesThroughHost: boolean;
  readonly queue: PermissionQueue;
  /** The folder of the project. */
  readonly project: string;
  readonly recognise: (call: ToldCall) => RecognisedCall | null;
  /** Shows a call, in the conversation, that waits for the person. */
  readonly requested: (call: RequestPermissionRequest['toolCall']) => void;
  /** Called when a request begins or ends to wait for the person. */
  readonly changed: () => void;
  /** Tells the person, in the conversation, of a request that was refused. */
  readonly refused: (words: string) => void;
}

const OVER = 'The turn was stopped, or is over.';
const TAKEN_BACK = 'The agent no longer asks for this.';
const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

export class Permissions {
  readonly #parts: PermissionParts;
  /** Ends for the requests that wait for the person: each is called with its reason. */
  readonly #waiting = new Set<(why: string) => void>();
  /** Turns that are over: a request that belongs to one of them asks nobody. */
  #turns = 0;

  constructor(parts: PermissionParts) {
    this.#parts = parts;
  }

  /** True while a request waits for the person. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Answers one request. A turn that was stopped asks no more: `isStopped`. `signal`: the agent has taken the request back. */
  async answer(
    request: RequestPermissionRequest,
    isStopped: () => boolean,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const { standing, recognise, requested, refused, agent } = this.#parts;
    const { toolCall, options } = request;
    if (isStopped()) return CANCELLED;
    if (!options.some(({ kind }) => kind === 'reject_once')) {
      refused(`${agent} asked for permission and offered no way to refuse once. Its request was cancelled.`);
      return CANCELLED;
    }
    const title = toolCall.title ?? toolCall.name ?? 'a call';
    const own = recognise(toldCall(toolCall, { ...toolCall._meta, ...request._meta }));
    if (own !== null) {
      // Some agents tell of a call only here which tool it calls.
      requested(toolCall);
      return choose(options, 'allow_once');
    }
    if (standing === 'workbench-only') {
      refused(
        `${agent} asked to use a tool of its own: ${title}. It was refused, since ${agent} may act only through the workbench.`,
      );
      return choose(options, 'reject_once');
    }
    if (this.#isAskedByItsWrite(request)) return choose(options, 'allow_once');
    requested(toolCall);
    const settled = await this.#ask(
      { agent, title, input: toolCall.rawInput, diff: diffOf(request), files: changedFiles(request) },
      toolCall.toolCallId,
      signal,
    );
    if (settled === null || isStopped()) return CANCELLED;
    return choose(options, settled.denied ? 'reject_once' : 'allow_once');
  }

  /** The turn was stopped, or is over: every request of it that waits, or is about to, is answered `cancelled`. */
  cancel(): void {
    this.#turns += 1;
    for (const end of this.#waiting) end(OVER);
  }

  /**
   * True for an edit that is asked about when its write comes through the host, as hunks: a card before that would ask the same twice. It is safe to let it go
   * on although the kind is the agent's own word: nothing hangs on the answer. The process is in the sandbox with the project read-only, so that what it does
   * itself instead, in a shell or by its own files, fails as it would have without asking; terminals of the host it is not offered; and what comes
   * through the host is asked about whatever was answered here. Unconfined a lie would gain something, so there the card stays.
   */
  #isAskedByItsWrite({ toolCall }: RequestPermissionRequest): boolean {
    const { standing, writesThroughHost } = this.#parts;
    return writesThroughHost && standing === 'project-read-only' && toolCall.kind === 'edit';
  }

  /** Resolves with the person's decision; with null when the turn was stopped, or the request was taken back, before it. */
  async #ask(stated: StatedCall, call: string, signal: AbortSignal): Promise<Settlement<ToolOutcome> | null> {
    const { queue, actor, changed, refused, agent, project } = this.#parts;
    const turn = this.#turns;
    let ticket: Ticket<ToolOutcome>;
    try {
      ticket = await queue.request({
        requester: new OwnToolApproval(stated, project),
        actor,
        call,
        tool: OWN_TOOL,
        level: 'dangerous',
        arguments: { title: stated.title, input: stated.input ?? null, diff: stated.diff },
        rule: `this is a tool of ${agent}’s own, which the workbench cannot observe; the card shows what ${agent} says about it`,
        transient: true,
      });
    } catch (error) {
      refused(`${agent} asked to use a tool of its own: ${stated.title}. It was refused: ${messageOf(error)}`);
      return { denied: true, reason: messageOf(error) };
    }
    const ended = Promise.withResolvers<null>();
    const end = (why: string): void => {
      ended.resolve(null);
      queue.withdraw(ticket.id, why);
    };
    const takenBack = (): void => end(TAKEN_BACK);
    this.#waiting.add(end);
    signal.addEventListener('abort', takenBack, { once: true });
    // Either may have come while the card of this request was still being made.
    if (turn !== this.#turns) end(OVER);
    else if (signal.aborted) takenBack();
    changed();
    try {
      return await Promise.race([ended.promise, ticket.settled]);
    } finally {
      this.#waiting.delete(end);
      signal.removeEventListener('abort', takenBack);
      changed();
    }
  }
}

/** The option of a kind; a refusal where an agent does not offer it: "always" would be kept in the agent's own files. */
function choose(options: readonly PermissionOption[], kind: 'allow_once' | 'reject_once'): RequestPermissionResponse {
  const option = options.find((each) => each.kind === kind) ?? options.find((each) => each.kind === 'reject_once');
  return option ? { outcome: { outcome: 'selected', optionId: option.optionId } } : CANCELLED;
}

/** Kinds of calls after which a file that they name is another one, or gone. */
const CHANGING = new Set(['edit', 'delete', 'move']);

function changedFiles({ toolCall: { kind, locations } }: RequestPermissionRequest): string[] {
  return CHANGING.has(kind ?? '') ? (locations ?? []).map(({ path }) => path) : [];
}

function diffOf({ toolCall }: RequestPermissionRequest): StatedCall['diff'] {
  const diff = (toolCall.content ?? []).find((each) => each.type === 'diff');
  return diff ? { path: diff.path, before: diff.oldText ?? null, after: diff.newText } : null;
}
