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
import { Attendance } from './attendance.ts';
import { bind, cardOf, faultOf, leftNotice, minutesInWords, shownFingerprint } from './card.ts';
import { Deadline } from './deadline.ts';
import { Decisions } from './decisions.ts';
import { agreed, chosenInWords, newEntry, tooEarly, type Entry } from './entry.ts';
import { fingerprint } from './fingerprint.ts';
import { CARDS_PER_CLIENT, CardRoom } from './room.ts';
import { perform, type Recorded } from './perform.ts';
import { type ApprovalRecord, recordOf } from './records.ts';
import type { ApprovalRequest, Arguments, CardFacts, DecisionAnswer, Settlement, Ticket } from './request.ts';

/** What is known of a card from before it is put. */
type Before = Pick<ApprovalCard, 'id' | 'requestedAt' | 'notice' | 'abandoned'>;

interface QueueEvents {
  changed: QueueView;
  requested: { card: ApprovalCard; call: string };
  decided: { card: ApprovalCard; decision: DecidedApproval; call: string };
  'told-unknown': { decision: DecidedApproval; call: string };
}

export interface QueueOptions extends Recorded {
  /** How long a request waits for a decision. */
  readonly minutes: () => number;
}

const GONE: DecisionAnswer = { accepted: false, reason: 'gone', message: 'This request was decided already.' };

export class ApprovalQueue<Outcome> {
  readonly events = new Emitter<QueueEvents>();
  readonly #entries = new Map<string, Entry<Outcome>>();
  /** Requests whose first card is being drawn or waited for, by key: they can be joined already. */
  readonly #drawing = new Map<string, Promise<Ticket<Outcome>>>();
  readonly #decisions = new Decisions<Outcome>();
  readonly #attendance = new Attendance((handle) => this.#attended(handle));
  #approver: string | null = null;
  readonly #options: QueueOptions;
  readonly #room: CardRoom;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#room = new CardRoom(options.minutes, () => this.#changed());
  }

  view(): QueueView {
    const { inLine } = this.#room;
    return { waiting: this.#waiting().map(({ card }) => card), inLine, decided: this.#decisions.list };
  }

  get approver(): string | null {
    return this.#approver;
  }

  /** Who can decide now; null when nobody can, which denies all that waits with `reason`. */
  setApprover(name: string | null, reason = 'Nobody can approve any more.'): void {
    this.#approver = name;
    if (name !== null) return;
    this.#room.turnAway(reason);
    for (const entry of this.#waiting()) this.#deny(entry, reason, 'nobody');
  }

  /**
   * Puts a request before the person. The same request of the same client joins the card that waits already, or what the
   * person decided about it while the client was away.
   * @throws WorkbenchError `too-large` when the client has three waiting, `refused` when it waited in line for nothing;
   * whatever `draw` throws.
   */
  async request(request: ApprovalRequest<Outcome>): Promise<Ticket<Outcome>> {
    const key = request.key ?? fingerprint([request.actor.id, request.tool, request.arguments]);
    const joined =
      this.#waiting().find((entry) => entry.key === key) ?? this.#drawing.get(key) ?? this.#decisions.forAgain(key);
    if (joined) return joined;
    if (!request.lines && !this.#room.has(request.actor.id)) {
      throw new WorkbenchError(
        'too-large',
        `${CARDS_PER_CLIENT} of your requests wait for a person already. Wait for their decisions with await-approval.`,
      );
    }
    const ticket = this.#room
      .enter(request.actor.id, request.lines ?? null)
      .then(() => this.#put(request, key))
      .finally(() => this.#drawing.delete(key));
    this.#drawing.set(key, ticket);
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
    this.#room.take(request.actor.id);
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
   * A call is held for what comes of this handle from now on. The returned function ends that; `gone` says that the client
   * gave up rather than being answered meanwhile. When nobody is left and the last one gave up, its cards say so.
   */
  attend(handle: string): (gone: boolean) => void {
    return this.#attendance.begin(handle);
  }

  /** A client is gone that was answered with handles or is kept waiting no more: its cards say so. */
  leftBy(actor: Actor): void {
    const own = this.#waiting().filter(({ request }) => request.actor.id === actor.id);
    const handles = new Set([...own.map(({ handle }) => handle), ...this.#attendance.followedOf(actor)]);
    for (const handle of handles) this.#attendance.leave(handle);
  }

  /** The outcome of a request of this actor by its handle; another client's handle is unknown. */
  ticket(id: string, actor: Actor): Ticket<Outcome> | null {
    const entry = this.#entries.get(id);
    return entry?.request.actor.id === actor.id ? entry : this.#decisions.outcome(id, actor);
  }

  /** Something that goes on after it was answered: its end can be fetched by its handle. */
  follow(ticket: Ticket<Outcome>, actor: Actor): void {
    this.#decisions.keep(ticket, actor);
    this.#attendance.follow(ticket.id, actor, ticket.settled);
  }

  /** What the person decided about this very request while its client was away; null when it is a new one. */
  decided(actor: Actor, tool: string, args: Arguments): Ticket<Outcome> | null {
    return this.#decisions.forAgain(fingerprint([actor.id, tool, args]));
  }

  /** Its client has been told how it ended: the same request is a new one from now on. */
  told(id: string): void {
    this.#decisions.told(id);
  }

  /** Denies all that waits of one client. */
  denyAllOf(client: string, reason: string): void {
    this.#room.turnAway(reason, client);
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
      ? 'More effects wait for this decision now.'
      : 'The file changed. Here is the change again.';
    const stale = await this.#redrawIfStale(entry, what);
    if (stale) return stale;
    const late = entry.decided ? GONE : tooEarly(entry, drawn);
    if (late) return late;
    const agreement = agreed(entry, decision);
    const { approved, modified } = agreement;
    if (decision.decision === 'approved' && decision.remember !== undefined)
      entry.request.remember?.(decision.remember);
    this.#close(entry, modified ? 'modified' : 'approved', 'you', chosenInWords(entry.card, decision, approved));
    entry.settle(await perform(entry, agreement, this.#options));
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

  /** It has a place already. */
  async #put(request: ApprovalRequest<Outcome>, key: string, before?: Before): Promise<Ticket<Outcome>> {
    const id = before?.id ?? randomUUID();
    const facts = await request.draw(request.arguments).catch((error: unknown) => {
      this.#room.leave(request.actor.id);
      throw error;
    });
    const { promise: settled, resolve: settle } = Promise.withResolvers<Settlement<Outcome>>();
    const minutes = this.#options.minutes();
    const deadline: Deadline = new Deadline(minutes * 60_000, () =>
      this.#deny(entry, `Nobody decided within ${minutesInWords(minutes)}.`, 'the deadline'),
    );
    const handle = request.handle ?? id;
    const known = before ?? (this.#attendance.left(handle) ? { abandoned: true, notice: leftNotice(request) } : {});
    const entry: Entry<Outcome> = newEntry({ id, handle, request, key, settled, settle, deadline }, facts, known);
    // On disk before anybody sees it. One that cannot be kept is put all the same: its decision is recorded anyhow.
    await this.#options.records?.keep(recordOf(entry)).catch(() => {});
    this.#entries.set(id, entry);
    this.events.emit('requested', { card: entry.card, call: request.call });
    if (this.#approver === null)
      this.#deny(entry, 'Nobody can approve here: no window is open and no terminal was given.', 'nobody');
    else this.#changed();
    return { id, settled };
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
    this.#attendance.forget(entry.handle);
    this.#room.leave(entry.request.actor.id);
    if (by === 'you') this.#decisions.keepForAgain(entry, decision === 'denied');
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

  /** Whoever waited for it gave up, or waits again. */
  #attended(handle: string): void {
    const abandoned = this.#attendance.left(handle);
    for (const entry of this.#waiting()) {
      if (entry.handle !== handle) continue;
      entry.wasLeft ||= abandoned;
      this.#update(entry, { abandoned, notice: abandoned ? leftNotice(entry.request) : null });
    }
  }

  #waiting(): Entry<Outcome>[] {
    return [...this.#entries.values()];
  }

  #changed(): void {
    this.events.emit('changed', this.view());
  }
}
