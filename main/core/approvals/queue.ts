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
import { bind, cardOf, faultOf, minutesInWords, shownFingerprint } from './card.ts';
import { Deadline } from './deadline.ts';
import { Decisions } from './decisions.ts';
import { agreed, chosenInWords, newEntry, tooEarly, type Entry } from './entry.ts';
import { fingerprint } from './fingerprint.ts';
import { type ApprovalRecord, type ApprovalRecords, recordOf } from './records.ts';
import type { ApprovalRequest, Approved, Arguments, CardFacts, DecisionAnswer, Settlement, Ticket } from './request.ts';
import { Untold } from './untold.ts';

/** What is known of a card from before it is put. */
type Before = Pick<ApprovalCard, 'id' | 'requestedAt' | 'notice' | 'abandoned'>;

const CARDS_PER_CLIENT = 3;

interface QueueEvents {
  changed: QueueView;
  requested: { card: ApprovalCard; call: string };
  decided: { card: ApprovalCard; decision: DecidedApproval; call: string };
  'told-unknown': { decision: DecidedApproval; call: string };
}

export interface QueueOptions {
  /** How long a request waits for a decision. */
  readonly minutes: () => number;
  /** Why the decision just told could not be recorded, which keeps what was approved from running (K5); null when it was. */
  readonly unrecorded?: () => string | null;
  /** Where requests are kept over the end of the program. */
  readonly records?: ApprovalRecords;
}

const GONE: DecisionAnswer = { accepted: false, reason: 'gone', message: 'This request was decided already.' };

export class ApprovalQueue<Outcome> {
  readonly events = new Emitter<QueueEvents>();
  readonly #entries = new Map<string, Entry<Outcome>>();
  /** Requests whose first card is being drawn, by key: they count and can be joined already. */
  readonly #drawing = new Map<string, { actor: string; ticket: Promise<Ticket<Outcome>> }>();
  readonly #decisions = new Decisions<Outcome>();
  readonly #untold = new Untold<Outcome>();
  #approver: string | null = null;
  readonly #options: QueueOptions;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  view(): QueueView {
    return { waiting: this.#waiting().map(({ card }) => card), decided: this.#decisions.list };
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
   * Puts a request before the person. The same request of the same client joins the card that waits already, or what the
   * person decided about it while the client was away.
   * @throws WorkbenchError `too-large` when the client has three waiting; whatever `draw` throws.
   */
  async request(request: ApprovalRequest<Outcome>): Promise<Ticket<Outcome>> {
    const key = request.key ?? fingerprint([request.actor.id, request.tool, request.arguments]);
    const joined =
      this.#waiting().find((entry) => entry.key === key) ?? this.#drawing.get(key)?.ticket ?? this.#untold.find(key);
    if (joined) return joined;
    if (!request.uncounted && this.#countOf(request.actor) >= CARDS_PER_CLIENT) {
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
   * Asks again what the program before had asked and not done: nobody waits for it any more, so it runs only by a new click.
   * Its handle stays.
   */
  async askAgain(
    request: ApprovalRequest<Outcome>,
    { id, requestedAt }: ApprovalRecord,
    notice: string,
  ): Promise<void> {
    await this.#put(request, fingerprint([request.actor.id, request.tool, request.arguments]), {
      id,
      requestedAt,
      notice,
      abandoned: true,
    });
  }

  /** Something had begun when the program before ended: said, never done again by itself. */
  tellUnknown(record: ApprovalRecord, reason: string): void {
    const settled = Promise.resolve<Settlement<Outcome>>({ denied: true, reason });
    const decided = this.#decisions.add(record, { id: record.id, settled }, 'unknown', 'nobody', reason);
    this.events.emit('told-unknown', { decision: decided, call: record.call });
    this.#changed();
  }

  /** What was asked for is not wanted any more, e.g. because the code that waited was interrupted. */
  withdraw(id: string, reason: string): void {
    const entry = this.#entries.get(id);
    if (entry) this.#deny(entry, reason, 'the workbench');
  }

  /** What the card shows has changed: it is drawn anew, and a click made for the old one does not count. */
  async redraw(id: string, notice: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry && !entry.decided) await this.#redrawIfStale(entry, notice);
  }

  /** Whether what was decided can be taken back, in words; null when it cannot (any more). */
  setUndo(id: string, undo: string | null): void {
    this.#decisions.setUndo(id, undo);
    this.#changed();
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
      this.#update(entry, { abandoned: true, notice: `${entry.request.actor.name} stopped waiting. Run anyway?` });
    };
  }

  /** The outcome of a request of this actor by its handle; another client's handle is unknown. */
  ticket(id: string, actor: Actor): Ticket<Outcome> | null {
    const entry = this.#entries.get(id);
    return entry?.request.actor.id === actor.id ? entry : this.#decisions.outcome(id, actor);
  }

  /** Something that goes on after it was answered: its end can be fetched by its handle. */
  follow(ticket: Ticket<Outcome>, actor: Actor): void {
    this.#decisions.keep(ticket, actor);
  }

  /** Its client has been told how it ended: the same request is a new one from now on. */
  told(id: string): void {
    this.#untold.told(id);
  }

  /** Denies all that waits of one client. */
  denyAllOf(client: string, reason: string): void {
    for (const entry of this.#waiting())
      if (entry.request.actor.id === client) this.#deny(entry, reason, 'the workbench');
  }

  /** The person's decision about the card as it was drawn. */
  async decide(id: string, drawn: string, decision: ApprovalDecision): Promise<DecisionAnswer> {
    const entry = this.#entries.get(id);
    if (entry?.deadline.passed) entry.deadline.end(); // its timer is late: the machine slept
    if (!entry || entry.decided) return GONE;
    if (decision.decision === 'denied') return this.#denyByPerson(entry, decision);
    const early = tooEarly(entry, drawn);
    if (early) return early;
    const wrong = await faultOf(entry.request, entry.card, decision);
    if (wrong) return { accepted: false, reason: 'invalid', message: wrong };
    const what = entry.card.effect
      ? 'More waits for this decision by now.'
      : 'The file changed. Here is the change again.';
    const stale = await this.#redrawIfStale(entry, what);
    if (stale) return stale;
    const late = entry.decided ? GONE : tooEarly(entry, drawn);
    if (late) return late;
    const { args, approved, modified } = agreed(entry, decision);
    if (decision.decision === 'approved' && decision.remember !== undefined)
      entry.request.remember?.(decision.remember);
    this.#close(entry, modified ? 'modified' : 'approved', 'you', chosenInWords(entry.card, decision, approved));
    await this.#perform(entry, args, approved, modified);
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

  async #put(request: ApprovalRequest<Outcome>, key: string, before?: Before): Promise<Ticket<Outcome>> {
    const id = before?.id ?? randomUUID();
    const facts = await request.draw(request.arguments);
    const { promise: settled, resolve: settle } = Promise.withResolvers<Settlement<Outcome>>();
    const minutes = this.#options.minutes();
    const deadline: Deadline = new Deadline(minutes * 60_000, () =>
      this.#deny(entry, `Nobody decided within ${minutesInWords(minutes)}.`, 'the deadline'),
    );
    const entry: Entry<Outcome> = newEntry({ id, request, key, settled, settle, deadline }, facts, before);
    // On disk before anybody sees it. One that cannot be kept is put all the same: its decision is recorded anyhow.
    await this.#options.records?.keep(recordOf(entry)).catch(() => {});
    this.#entries.set(id, entry);
    this.events.emit('requested', { card: entry.card, call: request.call });
    if (this.#approver === null)
      this.#deny(entry, 'Nobody can approve here: no window is open and no terminal was given.', 'nobody');
    else this.#changed();
    return { id, settled };
  }

  async #perform(
    { request, id, settle }: Entry<Outcome>,
    args: Arguments,
    approved: Approved,
    modified: boolean,
  ): Promise<void> {
    const { records, unrecorded } = this.#options;
    const problem = unrecorded?.() ?? null; // before anything else is recorded, and perhaps could be
    await records?.advance(id, 'approved').catch(() => {}); // what counts is that its beginning is kept, below
    try {
      if (problem) return settle({ denied: true, reason: `It was approved but did not run. ${problem}` });
      await records?.advance(id, 'started');
      settle({ denied: false, outcome: await request.perform(args, approved), modified });
    } catch (error) {
      settle({ denied: true, reason: `It was approved but could not run: ${messageOf(error)}` });
    } finally {
      await records?.remove(id).catch(() => {}); // it would be told as unknown after the next start, which is true enough
    }
  }

  async #redrawIfStale(entry: Entry<Outcome>, notice: string): Promise<DecisionAnswer | null> {
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
      notice,
    };
    entry.drawnAt = performance.now();
    this.#changed();
    return { accepted: false, reason: 'stale', message: 'The target changed after the card was drawn. Nothing ran.' };
  }

  #denyByPerson(
    entry: Entry<Outcome>,
    { reason, abort }: { reason: string; abort?: boolean | undefined },
  ): DecisionAnswer {
    this.#deny(entry, reason.trim() || 'No reason was given.', 'you', abort ?? false);
    return { accepted: true, reason: 'accepted', message: null };
  }

  #deny(entry: Entry<Outcome>, reason: string, by: string, abort = false): void {
    if (entry.decided) return;
    this.#close(entry, 'denied', by, reason);
    entry.settle({ denied: true, reason, ...(abort ? { abort } : {}) });
    this.#options.records?.remove(entry.id).catch(() => {}); // asked again after the next start, which hurts nobody
  }

  #close(entry: Entry<Outcome>, decision: DecidedApproval['decision'], by: string, reason: string | null): void {
    entry.decided = true;
    entry.deadline.cancel();
    entry.card = { ...entry.card, state: decision };
    this.#entries.delete(entry.id);
    if (by === 'you' && !entry.request.fleeting) {
      const { id: actor } = entry.request.actor;
      if (decision !== 'denied') this.#untold.outdate(actor, entry.askedAt);
      this.#untold.keep(entry.key, actor, entry);
    }
    const decided = this.#decisions.add(entry.card, entry, decision, by, reason);
    this.events.emit('decided', { card: entry.card, decision: decided, call: entry.request.call });
    this.#changed();
  }

  /** Any change of what the card says draws it anew: a click made for the old one does not count. */
  #update(entry: Entry<Outcome>, change: Partial<ApprovalCard>): void {
    const card = { ...entry.card, ...change, deadline: entry.deadline.at };
    if (card.abandoned !== entry.card.abandoned) {
      card.fingerprint = shownFingerprint(entry.bound, card.abandoned);
      entry.drawnAt = performance.now();
    }
    entry.card = card;
    this.#changed();
  }

  #waiting(): Entry<Outcome>[] {
    return [...this.#entries.values()];
  }

  /** Cards of this client, those under way included. */
  #countOf({ id }: Actor): number {
    const waiting = this.#waiting().filter(({ request }) => request.actor.id === id && !request.uncounted);
    const drawing = [...this.#drawing].filter(([, { actor }]) => actor === id);
    return new Set([...waiting.map(({ key }) => key), ...drawing.map(([key]) => key)]).size;
  }

  #changed(): void {
    this.events.emit('changed', this.view());
  }
}
