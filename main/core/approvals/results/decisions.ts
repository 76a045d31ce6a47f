/** The latest decisions, newest first, which the person sees, and their outcomes, which the requesting clients fetch. */
import type { ApprovalCard, DecidedApproval } from '#contract/decisions/approval.ts';
import type { Actor } from '#contract/image/session.ts';
import type { Entry } from '../queue/entry.ts';
import type { Ticket } from '../request.ts';
import { UnacknowledgedResults } from './unacknowledged.ts';

const KEPT = 50;
/** How long an outcome can be fetched, in milliseconds. */
const KEEP_MS = 24 * 3600 * 1000;
const KEEP_PER_CLIENT = 50;

export class Decisions<Outcome> {
  readonly #outcomes = new Outcomes<Outcome>();
  readonly #unacknowledged = new UnacknowledgedResults<Outcome>();
  #list: DecidedApproval[] = [];

  get list(): DecidedApproval[] {
    return this.#list;
  }

  add(
    { id, actor, tool, headline }: Pick<ApprovalCard, 'id' | 'actor' | 'tool' | 'headline'>,
    ticket: Ticket<Outcome>,
    decision: DecidedApproval['decision'],
    by: string,
    reason: string | null,
  ): DecidedApproval {
    const decided = { id, actor, tool, headline, decision, by, reason, at: Date.now(), undo: null, failure: null };
    this.#list = [decided, ...this.#list].slice(0, KEPT);
    this.#outcomes.keep(actor, ticket);
    return decided;
  }

  keep(ticket: Ticket<Outcome>, actor: Actor): void {
    this.#outcomes.keep(actor, ticket);
  }

  /** Returns the outcome of this actor's request; null for a handle that is unknown, too old, or another client's. */
  outcome(id: string, actor: Actor): Ticket<Outcome> | null {
    return this.#outcomes.find(id, actor);
  }

  /** Stores a decision in case the client sends the same request again, because the client may have been away when the person decided. */
  keepForAgain(entry: Entry<Outcome>, denied: boolean): void {
    const { request, key, askedAt, wasLeft } = entry;
    if (request.transient) return;
    if (!denied) this.#unacknowledged.outdate(request.actor.id, askedAt);
    this.#unacknowledged.keep(key, request.actor.id, entry, wasLeft);
  }

  /** Returns the decision about a request with this key that was made while its client was away; null if the request is new. */
  forAgain(key: string): Ticket<Outcome> | null {
    return this.#unacknowledged.find(key);
  }

  /**
   * Records that the client has received the outcome of its request. If the client sends the same request again, it is treated as a new
   * request.
   */
  told(id: string): void {
    this.#unacknowledged.acknowledge(id);
  }

  setFailure(id: string, failure: string): void {
    this.#list = this.#list.map((each) => (each.id === id ? { ...each, failure } : each));
  }

  setUndo(id: string, undo: string | null): void {
    if (undo === null) this.#unacknowledged.forget(id);
    this.#list = this.#list.map((each) => (each.id === id ? { ...each, undo } : each));
  }
}

/** The outcomes of decided requests, which clients fetch by handle. Both the age of outcomes and their number per client are limited. */
class Outcomes<Outcome> {
  readonly #kept = new Map<string, { actor: string; at: number; ticket: Ticket<Outcome> }>();

  keep({ id: actor }: Actor, { id, settled }: Ticket<Outcome>): void {
    const now = performance.now();
    this.#kept.set(id, { actor, at: now, ticket: { id, settled } });
    const own = [...this.#kept].filter(([, each]) => each.actor === actor);
    for (const [old] of own.slice(0, -KEEP_PER_CLIENT)) this.#kept.delete(old);
    for (const [old, { at }] of this.#kept) if (now - at > KEEP_MS) this.#kept.delete(old);
  }

  /** Returns the ticket for a handle; null if the handle is unknown, too old, or belongs to another client. */
  find(id: string, actor: Actor): Ticket<Outcome> | null {
    const found = this.#kept.get(id);
    return found?.actor === actor.id ? found.ticket : null;
  }
}
