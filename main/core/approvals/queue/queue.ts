/**
 * Requests that wait for a person. Each is decided once, and only through the approval surface. An approved request runs exactly once, with
 * the arguments that the card shows. If there is no approver, the deadline passes or the window closes, the request is denied with that
 * reason.
 */
import { randomUUID } from 'node:crypto';
import type {
  ApprovalCard,
  ApprovalDecision,
  ApprovalQueue as QueueView,
  DecidedApproval,
  DecisionAnswer,
} from '#contract/decisions/approval.ts';
import { DECISION_ANSWERS, impossible, INERT_MS, NO_REASON, notOffered } from '#contract/decisions/decision.ts';
import type { Actor } from '#contract/image/session.ts';
import { Emitter } from '#core/base/emitter.ts';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { Waiters } from './waiters.ts';
import { bind, cardOf, leftNotice, shownFingerprint } from '../card/card.ts';
import { Deadline, minutesInWords } from '../deadline.ts';
import { faultOf } from './decision-faults.ts';
import { Decisions } from '../results/decisions.ts';
import { agreed, chosenInWords, newEntry, tooEarly, type Entry } from './entry.ts';
import { fingerprint } from '../fingerprint.ts';
import { CARDS_PER_CLIENT, CardAdmission } from './admission.ts';
import { perform, type Recorded } from './perform.ts';
import { type ApprovalRecord, recordOf } from '../results/records.ts';
import type { ApprovalRequest, Arguments, CardFacts, Settlement, Ticket } from '../request.ts';
import { type AtOnce, NOBODY_APPROVES } from '../without-window.ts';

/** A decision that lets the request run. */
type Approval = Exclude<ApprovalDecision, { decision: 'denied' }>;

/** The name in records for the person who decides in the workbench itself. */
const YOU = 'you';

/** The fields of a card that are known before it is queued. */
type Before = Pick<ApprovalCard, 'id' | 'requestedAt' | 'notice' | 'abandoned'>;

interface QueueEvents {
  changed: QueueView;
  requested: { card: ApprovalCard; call: string };
  decided: { card: ApprovalCard; decision: DecidedApproval; call: string };
  'outcome-unknown': { decision: DecidedApproval; call: string };
}

export interface QueueOptions extends Recorded {
  /** Returns how many minutes a request waits for a decision. */
  readonly minutes: () => number;
}

export class ApprovalQueue<Outcome> {
  readonly events = new Emitter<QueueEvents>();
  readonly #entries = new Map<string, Entry<Outcome>>();
  /** Requests whose first card is being drawn or is waiting for a place, by key. Equal requests can already join them. */
  readonly #drawing = new Map<string, Promise<Ticket<Outcome>>>();
  readonly #decisions = new Decisions<Outcome>();
  readonly #waiters = new Waiters((handle) => this.#attended(handle));
  #approver: string | null = null;
  #atOnce: AtOnce = () => null;
  readonly #options: QueueOptions;
  readonly #admission: CardAdmission;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#admission = new CardAdmission(options.minutes, () => this.#changed());
  }

  view(): QueueView {
    const { inLine } = this.#admission;
    return { waiting: this.#waiting().map(({ card }) => card), inLine, decided: this.#decisions.list };
  }

  get approver(): string | null {
    return this.#approver;
  }

  /**
   * Sets the current approver. Null means that there is no approver; all waiting requests are then denied with `reason`. `atOnce` is asked
   * first about each new request.
   */
  setApprover(name: string | null, reason = 'Approval is no longer possible.', atOnce: AtOnce = () => null): void {
    this.#approver = name;
    this.#atOnce = atOnce;
    if (name !== null) return;
    this.#admission.reject(reason);
    for (const entry of this.#waiting()) this.#deny(entry, reason, 'nobody');
  }

  /**
   * Asks the person about a request. An equal request of the same client joins the waiting card, or gets the decision that was made while
   * the client was away.
   * @throws WorkbenchError `too-large` if the client has three requests waiting, `refused` if the request waited in line without success;
   * and any error of `draw`.
   */
  async request(request: ApprovalRequest<Outcome>): Promise<Ticket<Outcome>> {
    const key = request.key ?? fingerprint([request.actor.id, request.tool, request.arguments]);
    const joined =
      this.#waiting().find((entry) => entry.key === key) ?? this.#drawing.get(key) ?? this.#decisions.forAgain(key);
    if (joined) return joined;
    if (!request.queueUntil && !this.#admission.has(request.actor.id)) {
      throw new WorkbenchError(
        'too-large',
        `${CARDS_PER_CLIENT} of your requests are already waiting for a person. Wait for the decisions with await-approval.`,
      );
    }
    const ticket = this.#admission
      .enter(request.actor.id, request.queueUntil ?? null)
      .then(() => this.#put(request, key))
      .finally(() => this.#drawing.delete(key));
    this.#drawing.set(key, ticket);
    return ticket;
  }

  /**
   * Asks again about a request that the program's last run did not start. The call that waited for the outcome no longer exists, so the
   * request needs a new click to run. The handle is the same as before.
   */
  async askAgain(
    request: ApprovalRequest<Outcome>,
    { id, requestedAt }: ApprovalRecord,
    notice: string,
  ): Promise<void> {
    this.#admission.take(request.actor.id);
    await this.#put(request, fingerprint([request.actor.id, request.tool, request.arguments]), {
      id,
      requestedAt,
      notice,
      abandoned: true,
    });
  }

  /** Reports a request that was running when the program last ended. Its outcome is unknown, and it is never repeated automatically. */
  addUnknown(record: ApprovalRecord, reason: string): void {
    const settled = Promise.resolve<Settlement<Outcome>>({ denied: true, reason, by: 'nobody' });
    const decided = this.#decisions.add(record, { id: record.id, settled }, 'unknown', 'nobody', reason);
    this.events.emit('outcome-unknown', { decision: decided, call: record.call });
    this.#changed();
  }

  /** Denies a request that has become obsolete, e.g. because the waiting code was interrupted. */
  withdraw(id: string, reason: string): void {
    const entry = this.#entries.get(id);
    if (entry) this.#deny(entry, reason, 'the workbench');
  }

  /** Redraws a card whose facts have changed; a click meant for the old card does not count. */
  async redraw(id: string, notice: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry && !entry.decided) await this.#redrawIfStale(entry, notice);
  }

  /** Sets the text that explains how an action can be undone; null if it cannot be undone, or no longer. */
  setUndo(id: string, undo: string | null): void {
    this.#decisions.setUndo(id, undo);
    this.#changed();
  }

  /**
   * Records that a call waits for the outcome of this handle. Call the returned function when the call stops waiting; pass true as `gone`
   * if the client gave up, and false if it got an answer. When the last waiter gives up, the handle's cards show that.
   */
  attend(handle: string): (gone: boolean) => void {
    return this.#waiters.begin(handle);
  }

  /** Marks the cards of a disconnected client, unless a call is still waiting for them. */
  leftBy(actor: Actor): void {
    const own = this.#waiting().filter(({ request }) => request.actor.id === actor.id);
    const handles = new Set([...own.map(({ handle }) => handle), ...this.#waiters.followedOf(actor)]);
    for (const handle of handles) this.#waiters.leave(handle);
  }

  /** Returns the undecided cards whose client waits for this handle. */
  waitingFor(handle: string): ApprovalCard[] {
    return this.#waiting().flatMap((entry) => (entry.handle === handle ? [entry.card] : []));
  }

  /** Returns the outcome of this actor's request by its handle; null for an unknown handle and for another client's. */
  ticket(id: string, actor: Actor): Ticket<Outcome> | null {
    const entry = this.#entries.get(id);
    return entry?.request.actor.id === actor.id ? entry : this.#decisions.outcome(id, actor);
  }

  /** Tracks a call that is still running after it was answered, so that its outcome can be fetched by its handle. */
  follow(ticket: Ticket<Outcome>, actor: Actor): void {
    this.#decisions.keep(ticket, actor);
    this.#waiters.follow(ticket.id, actor, ticket.settled);
  }

  /** Returns the decision about an equal request that was made while its client was away; null if the request is new. */
  decided(actor: Actor, tool: string, args: Arguments): Ticket<Outcome> | null {
    return this.#decisions.forAgain(fingerprint([actor.id, tool, args]));
  }

  /**
   * Records that the client has received the outcome of its request. If the client sends the same request again, it is treated as a new
   * request and not as a retry.
   */
  told(id: string): void {
    this.#decisions.told(id);
  }

  /** Returns true if the client that waited for this handle has disconnected or given up. */
  isAbandoned(handle: string): boolean {
    return this.#waiters.left(handle);
  }

  /** Denies all waiting requests of one client. */
  denyAllOf(client: string, reason: string): void {
    this.#admission.reject(reason, client);
    for (const entry of this.#waiting())
      if (entry.request.actor.id === client) this.#deny(entry, reason, 'the workbench');
  }

  /**
   * Applies the person's decision about the card that they saw. `elsewhere` says where the decision was made if another program asked the
   * question ("answered in NAME"). Such a decision cannot be an accidental click, so it counts immediately.
   */
  async decide(
    id: string,
    drawn: string,
    decision: ApprovalDecision,
    elsewhere: string | null = null,
  ): Promise<DecisionAnswer> {
    const entry = this.#entries.get(id);
    if (entry?.deadline.passed) entry.deadline.end(); // the timer may not have fired, because the machine slept
    if (!entry || entry.decided) return DECISION_ANSWERS.tooLate;
    if (decision.decision === 'denied') return this.#denyByPerson(entry, decision, elsewhere);
    const isEarly = (): DecisionAnswer | null => tooEarly(entry, drawn, elsewhere === null ? INERT_MS : 0);
    const early = isEarly();
    if (early) return early;
    const wrong = await faultOf(entry.request, entry.card, decision);
    if (wrong) return notOffered(wrong);
    const what = entry.card.effect
      ? 'More effects are now waiting for this decision.'
      : 'The file has changed. Check the updated change.';
    const stale = await this.#redrawIfStale(entry, what);
    if (stale) return stale;
    const late = entry.decided ? DECISION_ANSWERS.tooLate : isEarly();
    if (late) return late;
    await this.#carryOut(entry, decision, elsewhere ?? YOU);
    return DECISION_ANSWERS.accepted;
  }

  /** Pauses the deadline while the person edits, and resumes it afterwards. */
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

  /** Queues a request that has already been admitted. */
  async #put(request: ApprovalRequest<Outcome>, key: string, before?: Before): Promise<Ticket<Outcome>> {
    const id = before?.id ?? randomUUID();
    const facts = await request.requester.draw(request.arguments).catch((error: unknown) => {
      this.#admission.leave(request.actor.id);
      throw error;
    });
    const { promise: settled, resolve: settle } = Promise.withResolvers<Settlement<Outcome>>();
    const minutes = this.#options.minutes();
    const deadline: Deadline = new Deadline(minutes * 60_000, () =>
      this.#deny(entry, `The person did not decide within ${minutesInWords(minutes)}.`, 'the deadline'),
    );
    const handle = request.handle ?? id;
    const told = request.notice === undefined ? {} : { notice: request.notice };
    const known = before ?? (this.#waiters.left(handle) ? { abandoned: true, notice: leftNotice(request) } : told);
    const entry: Entry<Outcome> = newEntry({ id, handle, request, key, settled, settle, deadline }, facts, known);
    // The request is stored on disk before it is shown. If storing fails, it is queued anyway, because its decision is recorded separately.
    await this.#options.records?.keep(recordOf(entry)).catch(() => {});
    this.#entries.set(id, entry);
    this.events.emit('requested', { card: entry.card, call: request.call });
    const answer =
      this.#approver === null
        ? { approved: false as const, reason: NOBODY_APPROVES }
        : this.#atOnce({ askable: request.askable ?? false, files: facts.files ?? [] });
    if (answer === null) this.#changed();
    else if (answer.approved) void this.#carryOut(entry, { decision: 'approved' }, answer.by);
    else this.#deny(entry, answer.reason, 'nobody');
    return { id, settled };
  }

  /** Runs the approved request. Never rejects, because a failure is an outcome too. */
  async #carryOut(entry: Entry<Outcome>, decision: Approval, by: string): Promise<void> {
    const { args, approved, modified, remember } = agreed(entry, decision);
    this.#close(entry, modified ? 'modified' : 'approved', by, chosenInWords(entry.card, decision, approved), true);
    const agreement = {
      args,
      approved: by === YOU ? { ...approved, byPerson: true } : { ...approved, by },
      modified,
      remember,
    };
    const settlement = await perform(entry, agreement, this.#options);
    entry.settle(settlement);
    const failure = settlement.denied
      ? settlement.reason
      : (entry.request.requester.failure?.(settlement.outcome) ?? null);
    if (failure === null) return;
    this.#decisions.setFailure(entry.id, failure);
    this.#changed();
  }

  async #redrawIfStale(entry: Entry<Outcome>, notice: string): Promise<DecisionAnswer | null> {
    let facts: CardFacts;
    try {
      facts = await entry.request.requester.draw(entry.request.arguments);
    } catch (error) {
      this.#deny(entry, `The request can no longer be done: ${messageOf(error)}`, 'the workbench');
      return impossible(messageOf(error));
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
    return DECISION_ANSWERS.redrawn;
  }

  #denyByPerson(
    entry: Entry<Outcome>,
    { reason, abort }: { reason: string; abort?: boolean | undefined },
    elsewhere: string | null,
  ): DecisionAnswer {
    this.#deny(entry, reason.trim() || NO_REASON, elsewhere ?? YOU, { byPerson: true, abort: abort ?? false });
    return DECISION_ANSWERS.accepted;
  }

  #deny(entry: Entry<Outcome>, reason: string, by: string, { byPerson = false, abort = false } = {}): void {
    if (entry.decided) return;
    this.#close(entry, 'denied', by, reason, byPerson);
    entry.settle({ denied: true, reason, ...(abort ? { abort } : {}), ...(byPerson ? {} : { by }) });
    this.#options.records?.remove(entry.id).catch(() => {}); // if that fails, the person is asked again after the next start
  }

  /** `retried`: true if a client that was away gets this decision when it sends the same call again (K4). */
  #close(
    entry: Entry<Outcome>,
    decision: DecidedApproval['decision'],
    by: string,
    reason: string | null,
    retried: boolean,
  ): void {
    entry.decided = true;
    entry.deadline.cancel();
    entry.card = { ...entry.card, state: decision };
    this.#entries.delete(entry.id);
    this.#waiters.forget(entry.handle);
    this.#admission.leave(entry.request.actor.id);
    if (retried) this.#decisions.keepForAgain(entry, decision === 'denied');
    const decided = this.#decisions.add(entry.card, entry, decision, by, reason);
    this.events.emit('decided', { card: entry.card, decision: decided, call: entry.request.call });
    this.#changed();
  }

  /**
   * Applies a change to a card. A change of the card's content counts as a redraw, so that a click meant for the old card does not count.
   */
  #update(entry: Entry<Outcome>, change: Partial<ApprovalCard>): void {
    const card = { ...entry.card, ...change, deadline: entry.deadline.at };
    if (card.abandoned !== entry.card.abandoned) {
      card.fingerprint = shownFingerprint(entry.bound, card.abandoned);
      entry.drawnAt = performance.now();
    }
    entry.card = card;
    this.#changed();
  }

  /**
   * Marks the cards of a handle as abandoned when the last waiter has given up. Removes the mark when a call waits for the handle again.
   */
  #attended(handle: string): void {
    const abandoned = this.#waiters.left(handle);
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
