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
import { Emitter } from '#core/emitter.ts';
import { messageOf, WorkbenchError } from '#core/error.ts';
import { bind, cardOf, changedUnshown, minutesInWords, shownFingerprint } from './card.ts';
import { Deadline } from './deadline.ts';
import { fingerprint } from './fingerprint.ts';
import { Outcomes } from './outcomes.ts';
import type { ApprovalRequest, Arguments, CardFacts, DecisionAnswer, Settlement, Ticket } from './request.ts';

interface Entry<Outcome> extends Ticket<Outcome> {
  readonly request: ApprovalRequest<Outcome>;
  readonly key: string;
  readonly settle: (settlement: Settlement<Outcome>) => void;
  readonly deadline: Deadline;
  /** Digest of the arguments and of the target's state. */
  bound: string;
  targetState: string;
  /** Calls that are held for its decision right now. */
  attending: number;
  card: ApprovalCard;
  drawnAt: number;
  decided: boolean;
}

/** Nothing can be approved in the first moments of a card: a click meant for something else must not count. */
export const INERT_MS = 700;
const CARDS_PER_CLIENT = 3;
const DECIDED_KEPT = 50;

interface QueueEvents {
  changed: QueueView;
  requested: { card: ApprovalCard; call: string };
  decided: { card: ApprovalCard; decision: DecidedApproval; call: string };
}

export class ApprovalQueue<Outcome> {
  readonly events = new Emitter<QueueEvents>();
  readonly #entries = new Map<string, Entry<Outcome>>();
  /** Requests whose first card is being drawn, by key: they count and can be joined already. */
  readonly #drawing = new Map<string, { actor: string; ticket: Promise<Ticket<Outcome>> }>();
  readonly #outcomes = new Outcomes<Outcome>();
  #decided: DecidedApproval[] = [];
  #approver: string | null = null;
  readonly #minutes: () => number;
  readonly #unrecorded: () => string | null;

  /**
   * `minutes`: how long a request waits for a decision. `unrecorded`: why the decision just told could not be recorded, which
   * keeps what was approved from running (K5); null when it was.
   */
  constructor(minutes: () => number, unrecorded: () => string | null = () => null) {
    this.#minutes = minutes;
    this.#unrecorded = unrecorded;
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
    const joined = this.#waiting().find((entry) => entry.key === key) ?? this.#drawing.get(key)?.ticket;
    if (joined) return joined;
    if (this.#countOf(request.actor) >= CARDS_PER_CLIENT) {
      throw new WorkbenchError(
        'too-large',
        `${CARDS_PER_CLIENT} of your requests wait for a person already. Wait for their decisions with await-approval.`,
      );
    }
    const ticket = this.#put(request, key).finally(() => this.#drawing.delete(key));
    this.#drawing.set(key, { actor: request.actor.id, ticket });
    return ticket;
  }

  /**
   * A call is held for the decision from now on. The returned function ends that; `gone` says that the client gave up
   * rather than being answered meanwhile. When nobody is left and the last one gave up, the card says so.
   */
  attend(id: string): (gone: boolean) => void {
    const entry = this.#entries.get(id);
    if (!entry) return () => {};
    entry.attending += 1;
    if (entry.card.abandoned) this.#update(entry, { abandoned: false, notice: null });
    return (gone) => {
      entry.attending -= 1;
      if (!gone || entry.attending > 0 || entry.decided) return;
      this.#update(entry, { abandoned: true, notice: `${entry.request.actor.name} stopped waiting. Run it anyway?` });
    };
  }

  /** The outcome of a request of this actor by its handle; another client's handle is unknown. */
  ticket(id: string, actor: Actor): Ticket<Outcome> | null {
    const entry = this.#entries.get(id);
    return entry?.request.actor.id === actor.id ? entry : this.#outcomes.find(id, actor);
  }

  /** Denies all that waits of one client. */
  denyAllOf(client: string, reason: string): void {
    for (const entry of this.#waiting()) if (entry.request.actor.id === client) this.#deny(entry, reason, 'you');
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
    const original = entry.request.arguments;
    const args = decision.decision === 'modified' ? decision.arguments : original;
    const wrong =
      decision.decision === 'modified'
        ? (changedUnshown(entry.card, original, args) ?? entry.request.check(args))
        : null;
    if (wrong) return { accepted: false, reason: 'invalid', message: wrong };
    const stale = await this.#redrawIfStale(entry);
    if (stale) return stale;
    if (entry.decided) return { accepted: false, reason: 'gone', message: 'This request was decided already.' };
    if (drawn !== entry.card.fingerprint)
      return { accepted: false, reason: 'stale', message: 'The card has changed. Look again.' };
    const modified = fingerprint(args) !== fingerprint(original);
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

  dispose(): void {
    this.setApprover(null, 'The workbench was closed.');
    for (const { deadline } of this.#entries.values()) deadline.cancel();
  }

  async #put(request: ApprovalRequest<Outcome>, key: string): Promise<Ticket<Outcome>> {
    const id = randomUUID();
    const facts = await request.draw(request.arguments);
    const { promise: settled, resolve: settle } = Promise.withResolvers<Settlement<Outcome>>();
    const minutes = this.#minutes();
    const deadline: Deadline = new Deadline(minutes * 60_000, () =>
      this.#deny(entry, `Nobody decided within ${minutesInWords(minutes)}.`, 'the deadline'),
    );
    const bound = bind(request, facts);
    const entry: Entry<Outcome> = {
      id,
      request,
      key,
      settled,
      settle,
      deadline,
      bound,
      targetState: facts.targetState,
      attending: 0,
      card: cardOf(id, request, facts, bound, deadline),
      drawnAt: Date.now(),
      decided: false,
    };
    this.#entries.set(id, entry);
    this.events.emit('requested', { card: entry.card, call: request.call });
    if (this.#approver === null)
      this.#deny(entry, 'Nobody can approve here: no window is open and no terminal was given.', 'nobody');
    else this.#changed();
    return { id, settled };
  }

  async #perform(entry: Entry<Outcome>, args: Arguments, modified: boolean): Promise<void> {
    const { request, targetState } = entry;
    const problem = this.#unrecorded();
    if (problem) return entry.settle({ denied: true, reason: `It was approved but did not run. ${problem}` });
    try {
      const approved = { targetState, original: modified ? request.arguments : null };
      entry.settle({ denied: false, outcome: await request.perform(args, approved), modified });
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
    entry.targetState = facts.targetState;
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
    this.#entries.delete(id);
    this.#outcomes.keep(actor, entry);
    this.events.emit('decided', { card: entry.card, decision: decided, call: entry.request.call });
    this.#changed();
  }

  /** Any change of what the card says draws it anew: a click made for the old one does not count. */
  #update(entry: Entry<Outcome>, change: Partial<ApprovalCard>): void {
    const card = { ...entry.card, ...change, deadline: entry.deadline.at };
    if (card.abandoned !== entry.card.abandoned) {
      card.fingerprint = shownFingerprint(entry.bound, card.abandoned);
      entry.drawnAt = Date.now();
    }
    entry.card = card;
    this.#changed();
  }

  #waiting(): Entry<Outcome>[] {
    return [...this.#entries.values()];
  }

  /** Cards of this client, those under way included. */
  #countOf({ id }: Actor): number {
    const waiting = this.#waiting().filter((entry) => entry.request.actor.id === id);
    const drawing = [...this.#drawing].filter(([, { actor }]) => actor === id);
    return new Set([...waiting.map(({ key }) => key), ...drawing.map(([key]) => key)]).size;
  }

  #changed(): void {
    this.events.emit('changed', this.view());
  }
}
