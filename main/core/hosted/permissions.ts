/**
 * Answers an agent's permission requests. Workbench tools, and edits through the workbench, are allowed here, because they are asked about
 * in Review anyway. For the agent's own tools, the access level and the person decide.
 */
import type { PermissionOption, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import type { Actor } from '#contract/image/session.ts';
import type { ApprovalRequest, Settlement, Ticket } from '#core/approvals/request.ts';
import { messageOf } from '#core/base/error.ts';
import type { ToolOutcome } from '#core/tools/tool.ts';
import { OWN_TOOL, OwnToolApproval, type StatedCall } from './own-tool-approval.ts';
import { toldCall } from './conversation.ts';
import type { RecognisedCall, ToldCall } from './recipes/recipe.ts';

/** The methods of the approval queue that are used here. */
export interface PermissionQueue {
  request(request: ApprovalRequest<ToolOutcome>): Promise<Ticket<ToolOutcome>>;
  withdraw(id: string, reason: string): void;
}

export interface PermissionParts {
  /** The title of the agent's program. */
  readonly agent: string;
  readonly actor: Actor;
  readonly standing: AgentStanding;
  /** True if the agent edits files through the workbench. Such edits are asked about in Review. */
  readonly writesThroughHost: boolean;
  readonly queue: PermissionQueue;
  /** The project's folder. */
  readonly project: string;
  readonly recognise: (call: ToldCall) => RecognisedCall | null;
  /** Adds a call that is waiting for the person to the conversation. */
  readonly requested: (call: RequestPermissionRequest['toolCall']) => void;
  /** Called when a request starts or stops waiting for the person. */
  readonly changed: () => void;
  /** Reports a refused request to the person in the conversation. */
  readonly refused: (words: string) => void;
}

const OVER = 'The turn was stopped or has ended.';
const TAKEN_BACK = 'The agent no longer asks for this.';
const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

export class Permissions {
  readonly #parts: PermissionParts;
  /** Functions that end the requests waiting for the person; each is called with the reason. */
  readonly #waiting = new Set<(why: string) => void>();
  /** The number of finished turns. A request that belongs to a finished turn is cancelled without asking the person. */
  #turns = 0;

  constructor(parts: PermissionParts) {
    this.#parts = parts;
  }

  /** True while a request waits for the person. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Answers one request. `isStopped` returns true if the turn was stopped; the turn's requests are then cancelled. `signal` is aborted when
   * the agent withdraws the request.
   */
  async answer(
    request: RequestPermissionRequest,
    isStopped: () => boolean,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse> {
    const { standing, recognise, requested, refused, agent } = this.#parts;
    const { toolCall, options } = request;
    if (isStopped()) return CANCELLED;
    if (!options.some(({ kind }) => kind === 'reject_once')) {
      refused(`${agent} sent a permission request without a “reject once” option, so the request was cancelled.`);
      return CANCELLED;
    }
    const title = toolCall.title ?? toolCall.name ?? 'a call';
    const own = recognise(toldCall(toolCall, { ...toolCall._meta, ...request._meta }));
    if (own !== null) {
      // Some agents name the tool that a call uses only in this request.
      requested(toolCall);
      return choose(options, 'allow_once');
    }
    if (standing === 'workbench-only') {
      refused(
        `${agent} asked to use its own tool: ${title}. The workbench refused, because ${agent} may act only through the workbench.`,
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

  /** Answers `cancelled` to all requests of the turn that are waiting or about to wait, because the turn was stopped or is over. */
  cancel(): void {
    this.#turns += 1;
    for (const end of this.#waiting) end(OVER);
  }

  /**
   * Returns true for an edit that the agent will write through the workbench. The person is asked about that write, with its hunks, so a
   * card for the permission would ask the same question twice. Allowing the edit is safe although its kind is only the agent's claim: the
   * sandbox makes the project read-only, so the agent's own writes fail; the workbench offers the agent no terminals; and the person is
   * asked about every write through the workbench, regardless of this answer. An unconfined agent could gain from a false claim, so its
   * edits get a card.
   */
  #isAskedByItsWrite({ toolCall }: RequestPermissionRequest): boolean {
    const { standing, writesThroughHost } = this.#parts;
    return writesThroughHost && standing === 'project-read-only' && toolCall.kind === 'edit';
  }

  /** Resolves with the person's decision, or with null if the turn was stopped or the request withdrawn before the decision. */
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
        rule: `this is ${agent}’s own tool, which the workbench cannot observe; the card shows ${agent}’s description of it`,
        transient: true,
      });
    } catch (error) {
      refused(`${agent} asked to use its own tool: ${stated.title}. The request was refused: ${messageOf(error)}`);
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
    // The turn may have been stopped, or the request withdrawn, while the card was being created.
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

/**
 * Selects the option of the given kind, or the refusal if the agent does not offer that kind. "Always" options are never used, because the
 * agent would store them in its own files.
 */
function choose(options: readonly PermissionOption[], kind: 'allow_once' | 'reject_once'): RequestPermissionResponse {
  const option = options.find((each) => each.kind === kind) ?? options.find((each) => each.kind === 'reject_once');
  return option ? { outcome: { outcome: 'selected', optionId: option.optionId } } : CANCELLED;
}

/** Kinds of calls that change, move or delete the files that they name. */
const CHANGING = new Set(['edit', 'delete', 'move']);

function changedFiles({ toolCall: { kind, locations } }: RequestPermissionRequest): string[] {
  return CHANGING.has(kind ?? '') ? (locations ?? []).map(({ path }) => path) : [];
}

function diffOf({ toolCall }: RequestPermissionRequest): StatedCall['diff'] {
  const diff = (toolCall.content ?? []).find((each) => each.type === 'diff');
  return diff ? { path: diff.path, before: diff.oldText ?? null, after: diff.newText } : null;
}
