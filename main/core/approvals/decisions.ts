/** What was decided, newest first, for the person; and what became of it, for whoever asked. */
import type { ApprovalCard, DecidedApproval } from '#contract/approval.ts';
import type { Actor } from '#contract/session.ts';
import { Outcomes } from './outcomes.ts';
import type { Ticket } from './request.ts';

const KEPT = 50;

export class Decisions<Outcome> {
  readonly #outcomes = new Outcomes<Outcome>();
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
    const decided = { id, actor, tool, headline, decision, by, reason, at: Date.now(), undo: null };
    this.#list = [decided, ...this.#list].slice(0, KEPT);
    this.#outcomes.keep(actor, ticket);
    return decided;
  }

  keep(ticket: Ticket<Outcome>, actor: Actor): void {
    this.#outcomes.keep(actor, ticket);
  }

  /** The outcome of a request of this actor; null for a handle that is unknown, too old, or another client's. */
  outcome(id: string, actor: Actor): Ticket<Outcome> | null {
    return this.#outcomes.find(id, actor);
  }

  setUndo(id: string, undo: string | null): void {
    this.#list = this.#list.map((each) => (each.id === id ? { ...each, undo } : each));
  }
}
