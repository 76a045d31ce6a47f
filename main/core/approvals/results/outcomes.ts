/** The outcomes of requests that were decided, to be fetched by handle: bounded in time and for each client. */
import type { Actor } from '#contract/image/session.ts';
import type { Ticket } from '../request.ts';

const KEEP_MS = 24 * 3600 * 1000;
const KEEP_PER_CLIENT = 50;

export class Outcomes<Outcome> {
  readonly #kept = new Map<string, { actor: string; at: number; ticket: Ticket<Outcome> }>();

  keep({ id: actor }: Actor, { id, settled }: Ticket<Outcome>): void {
    const now = performance.now();
    this.#kept.set(id, { actor, at: now, ticket: { id, settled } });
    const own = [...this.#kept].filter(([, each]) => each.actor === actor);
    for (const [old] of own.slice(0, -KEEP_PER_CLIENT)) this.#kept.delete(old);
    for (const [old, { at }] of this.#kept) if (now - at > KEEP_MS) this.#kept.delete(old);
  }

  /** Returns the ticket of a handle; null for a handle that is unknown, too old, or another client's. */
  find(id: string, actor: Actor): Ticket<Outcome> | null {
    const found = this.#kept.get(id);
    return found?.actor === actor.id ? found.ticket : null;
  }
}
