/**
 * What the person decided while its client was away: the same call sent again is answered with it instead of asking twice
 * (K4). Only until it was told, for ten minutes, and as long as nothing that the client asked for later was done since.
 */
import type { Ticket } from './request.ts';

const KEEP_MS = 10 * 60_000;
const MOST = 200;

interface Kept<Outcome> {
  readonly key: string;
  readonly actor: string;
  /** By the clock that nobody sets. */
  readonly decidedAt: number;
  readonly ticket: Ticket<Outcome>;
}

export class Untold<Outcome> {
  #kept: Kept<Outcome>[] = [];

  keep(key: string, actor: string, { id, settled }: Ticket<Outcome>): void {
    const now = performance.now();
    this.#kept = [
      ...this.#kept.filter((each) => each.key !== key && now - each.decidedAt < KEEP_MS),
      { key, actor, decidedAt: now, ticket: { id, settled } },
    ].slice(-MOST);
  }

  find(key: string): Ticket<Outcome> | null {
    const now = performance.now();
    return this.#kept.find((each) => each.key === key && now - each.decidedAt < KEEP_MS)?.ticket ?? null;
  }

  told(id: string): void {
    this.#kept = this.#kept.filter(({ ticket }) => ticket.id !== id);
  }

  /** Something that this client asked for at `askedAt` is done: what was decided before that may not hold any more. */
  outdate(actor: string, askedAt: number): void {
    this.#kept = this.#kept.filter((each) => each.actor !== actor || each.decidedAt >= askedAt);
  }
}
