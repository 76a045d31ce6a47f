/**
 * Requests that wait for a person. Each is decided once, by the approval surface alone; what was approved runs exactly
 * once, with the arguments that the card showed. Nobody there to ask, the deadline, a closed window: denied, saying so.
 */
import { randomUUID } from 'node:crypto';
import type {
  ApprovalCard,
  ApprovalDecision,
  ApprovalQueue as QueueView,
  DecidedApproval,
} from '#contract/approval.ts';
import type { Actor } from '#contract/session.ts';
import type { SafetyLevel } from '#contract/tool.ts';
import { Emitter } from '#core/emitter.ts';
import { messageOf, WorkbenchError } from '#core/error.ts';
import { Deadline } from './deadline.ts';
import { fingerprint } from './fingerprint.ts';

/** What the tool knows about a request; drawn anew from the target's present state before anything runs. */
export interface CardFacts extends Pick<
  ApprovalCard,
  'headline' | 'arguments' | 'editable' | 'change' | 'reversible' | 'claim'
> {
  /** Digest of what the request would act on, e.g. of the file's bytes. */
  readonly targetState: string;
}

type Arguments = Record<string, unknown>;

export interface ApprovalRequest<Outcome> {
  readonly actor: Actor;
  /** Id of the tool call that asks. */
  readonly call: string;
  readonly tool: string;
  readonly level: SafetyLevel;
  readonly arguments: Arguments;
  readonly rule: string;
  /** @throws when the request makes no sense any more; the message answers the caller. */
  readonly draw: (args: Arguments) => Promise<CardFacts>;
  /** Runs it, once. `modified` when the person changed the arguments. */
  readonly perform: (args: Arguments, modified: boolean) => Promise<Outcome>;
  /** Checks arguments that the person edited; a text is what is wrong with them. */
  readonly check: (args: Arguments) => string | null;
}

export type Settlement<Outcome> =
  | { readonly denied: false; readonly outcome: Outcome; readonly modified: boolean }
  | { readonly denied: true; readonly reason: string };

export interface Ticket<Outcome> {
  readonly id: string;
  readonly settled: Promise<Settlement<Outcome>>;
}

interface Entry<Outcome> extends Ticket<Outcome> {
  readonly request: ApprovalRequest<Outcome>;
  readonly key: string;
  readonly settle: (settlement: Settlement<Outcome>) => void;
  readonly deadline: Deadline;
  /** Digest of the arguments and of the target's state. */
  bound: string;
  card: ApprovalCard;
  drawnAt: number;
  decided: boolean;
}

export type DecisionAnswer = {
  accepted: boolean;
  reason: 'accepted' | 'stale' | 'too-soon' | 'gone' | 'invalid';
  message: string | null;
};

/** Nothing can be approved in the first moments of a card: a click meant for something else must not count. */
export const INERT_MS = 700;
const CARDS_PER_CLIENT = 3;
const DECIDED_KEPT = 50;
/** How long the outcome of a settled request can be fetched by its handle. */
const KEEP_SETTLED_MS = 24 * 3600 * 1000;

interface QueueEvents {
  changed: QueueView;
  requested: { card: ApprovalCard; call: string };
  decided: { card: ApprovalCard; decision: DecidedApproval; call: string };
}

export class ApprovalQueue<Outcome> {
  readonly events = new Emitter<QueueEvents>();
  readonly #entries = new Map<string, Entry<Outcome>>();
  #decided: DecidedApproval[] = [];
  #approver: string | null = null;
  readonly #minutes: () => number;

  /** `minutes`: how long a request waits for a decision. */
  constructor(minutes: () => number) {
    this.#minutes = minutes;
  }

  view(): QueueView {
    return { waiting: this.#waiting().map(({ card }) => card), decided: this.#decided };
  }

  get approver(): string | null {
    return this.#approver;
  }

  /** Who can decide now; null when nobody can, which denies all that waits with `reason`. */
  setApprover(name: string | null, reason = 'Nobody can approve any more.'): void {
    this.#approver = name;
    if (name === null) for (const entry of this.#waiting()) this.#deny(entry, reason, 'nobody');
  }

  /**
   * Puts a request before the person. The same request of the same client joins the card that waits already.
   * @throws WorkbenchError `too-large` when the client has three waiting; whatever `draw` throws.
   */
  async request(request: ApprovalRequest<Outcome>): Promise<Ticket<Outcome>> {
    const key = fingerprint([request.actor.id, request.tool, request.arguments]);
    const joined = this.#waiting().find((entry) => entry.key === key);
    if (joined) {
      this.#update(joined, { abandoned: false });
      return joined;
    }
    if (this.#waiting().filter((entry) => entry.request.actor.id === request.actor.id).length >= CARDS_PER_CLIENT) {
      throw new WorkbenchError(
        'too-large',
        `${CARDS_PER_CLIENT} of your requests wait for a person already. Wait for their decisions with await-approval.`,
      );
    }
    const id = randomUUID();
    const facts = await request.draw(request.arguments);
    const { promise: settled, resolve: settle } = Promise.withResolvers<Settlement<Outcome>>();
    const minutes = this.#minutes();
    const deadline: Deadline = new Deadline(minutes * 60_000, () =>
      this.#deny(entry, `Nobody decided within ${words(minutes)}.`, 'the deadline'),
    );
    const bound = bind(request, facts);
    const card = cardOf(id, request, facts, bound, deadline);
    const entry: Entry<Outcome> = {
      id,
      request,
      key,
      settled,
      settle,
      deadline,
      bound,
      card,
      drawnAt: Date.now(),
      decided: false,
    };
    this.#entries.set(id, entry);
    this.events.emit('requested', { card: entry.card, call: request.call });
    if (this.#approver === null)
      this.#deny(entry, 'Nobody can approve here: no window is open and no terminal was given.', 'nobody');
    else this.#changed();
    return entry;
  }

  /** The outcome of a request of this actor by its handle; another client's handle is unknown. */
  ticket(id: string, actor: Actor): Ticket<Outcome> | null {
    const entry = this.#entries.get(id);
    return entry && entry.request.actor.id === actor.id ? entry : null;
  }

  /** The person's decision about the card as it was drawn. */
  async decide(id: string, drawn: string, decision: ApprovalDecision): Promise<DecisionAnswer> {
    const entry = this.#entries.get(id);
    if (!entry || entry.decided)
      return { accepted: false, reason: 'gone', message: 'This request was decided already.' };
    if (decision.decision === 'denied') return this.#denyByPerson(entry, decision.reason);
    if (drawn !== entry.card.fingerprint)
      return { accepted: false, reason: 'stale', message: 'The card has changed. Look again.' };
    if (Date.now() - entry.drawnAt < INERT_MS)
      return { accepted: false, reason: 'too-soon', message: 'The card has just been drawn. Look at it first.' };
    const args = decision.decision === 'modified' ? decision.arguments : entry.request.arguments;
    const wrong = decision.decision === 'modified' ? entry.request.check(args) : null;
    if (wrong) return { accepted: false, reason: 'invalid', message: wrong };
    const stale = await this.#redrawIfStale(entry);
    if (stale) return stale;
    if (entry.decided) return { accepted: false, reason: 'gone', message: 'This request was decided already.' };
    const modified = decision.decision === 'modified' && fingerprint(args) !== fingerprint(entry.request.arguments);
    this.#close(entry, modified ? 'modified' : 'approved', 'you', null);
    await this.#perform(entry, args, modified);
    return { accepted: true, reason: 'accepted', message: null };
  }

  /** Stops the clock while the person edits. */
  setEditing(id: string, editing: boolean): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.decided) return;
    if (editing) entry.deadline.pause();
    else entry.deadline.resume();
    this.#update(entry, {});
  }

  /** The client stopped waiting before a decision: it will not run without a click on the card as it is now. */
  abandon(id: string): void {
    const entry = this.#entries.get(id);
    if (entry && !entry.decided)
      this.#update(entry, { abandoned: true, notice: `${entry.request.actor.name} stopped waiting. Run it anyway?` });
  }

  dispose(): void {
    this.setApprover(null, 'The workbench was closed.');
    for (const { deadline } of this.#entries.values()) deadline.cancel();
  }

  async #perform(entry: Entry<Outcome>, args: Arguments, modified: boolean): Promise<void> {
    try {
      entry.settle({ denied: false, outcome: await entry.request.perform(args, modified), modified });
    } catch (error) {
      entry.settle({ denied: true, reason: `It was approved but could not run: ${messageOf(error)}` });
    }
  }

  async #redrawIfStale(entry: Entry<Outcome>): Promise<DecisionAnswer | null> {
    let facts: CardFacts;
    try {
      facts = await entry.request.draw(entry.request.arguments);
    } catch (error) {
      this.#deny(entry, `It cannot be done any more: ${messageOf(error)}`, 'the workbench');
      return { accepted: false, reason: 'gone', message: messageOf(error) };
    }
    const bound = bind(entry.request, facts);
    if (bound === entry.bound) return null;
    entry.bound = bound;
    entry.card = {
      ...cardOf(entry.id, entry.request, facts, bound, entry.deadline, entry.card),
      state: 'stale',
      notice: 'The file changed. Here is the change again.',
    };
    entry.drawnAt = Date.now();
    this.#changed();
    return { accepted: false, reason: 'stale', message: 'The target changed after the card was drawn. Nothing ran.' };
  }

  #denyByPerson(entry: Entry<Outcome>, reason: string): DecisionAnswer {
    this.#deny(entry, reason.trim() || 'No reason was given.', 'you');
    return { accepted: true, reason: 'accepted', message: null };
  }

  #deny(entry: Entry<Outcome>, reason: string, by: string): void {
    if (entry.decided) return;
    this.#close(entry, 'denied', by, reason);
    entry.settle({ denied: true, reason });
  }

  #close(entry: Entry<Outcome>, decision: DecidedApproval['decision'], by: string, reason: string | null): void {
    entry.decided = true;
    entry.deadline.cancel();
    const { id, actor, tool, headline } = entry.card;
    entry.card = { ...entry.card, state: decision };
    const decided: DecidedApproval = { id, actor, tool, headline, decision, by, reason, at: Date.now() };
    this.#decided = [decided, ...this.#decided].slice(0, DECIDED_KEPT);
    setTimeout(() => this.#entries.delete(id), KEEP_SETTLED_MS).unref();
    this.events.emit('decided', { card: entry.card, decision: decided, call: entry.request.call });
    this.#changed();
  }

  /** Any change of what the card says draws it anew: a click made for the old one does not count. */
  #update(entry: Entry<Outcome>, change: Partial<ApprovalCard>): void {
    const card = { ...entry.card, ...change, deadline: entry.deadline.at };
    if (card.abandoned !== entry.card.abandoned) {
      card.fingerprint = shownFingerprint(entry.bound, card.abandoned);
      entry.drawnAt = Date.now();
      if (!card.abandoned) card.notice = null;
    }
    entry.card = card;
    this.#changed();
  }

  #waiting(): Entry<Outcome>[] {
    return [...this.#entries.values()].filter((entry) => !entry.decided);
  }

  #changed(): void {
    this.events.emit('changed', this.view());
  }
}

function bind(request: Pick<ApprovalRequest<never>, 'tool' | 'arguments'>, facts: CardFacts): string {
  return fingerprint([request.tool, request.arguments, facts.targetState]);
}

/** A card whose client gave up needs a click of its own. */
function shownFingerprint(bound: string, abandoned: boolean): string {
  return abandoned ? fingerprint([bound, 'abandoned']) : bound;
}

type Asked = Pick<ApprovalRequest<never>, 'actor' | 'tool' | 'level' | 'rule'>;

function cardOf(
  id: string,
  request: Asked,
  facts: CardFacts,
  bound: string,
  deadline: Deadline,
  before?: ApprovalCard,
): ApprovalCard {
  const { targetState: _bound, ...shown } = facts;
  const { actor, tool, level } = request;
  const abandoned = before?.abandoned ?? false;
  return {
    id,
    actor,
    tool,
    level,
    ...shown,
    requestedAt: before?.requestedAt ?? Date.now(),
    deadline: deadline.at,
    rule: `Asked because ${request.rule}.`,
    fingerprint: shownFingerprint(bound, abandoned),
    state: 'waiting',
    notice: before?.notice ?? null,
    abandoned,
  };
}

function words(minutes: number): string {
  if (minutes < 1) return `${Math.round(minutes * 60)} seconds`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
