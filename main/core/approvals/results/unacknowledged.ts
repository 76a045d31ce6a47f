/**
 * Idempotent retry: keeps the result of a request that was decided while its client was away, so that the same call, sent again,
 * gets that result and does not ask the person twice (K4). An entry ends when it was delivered, after ten minutes, or when
 * something that the client asked for later was done. Nobody knows whether a delivered answer was received: a client that gave up
 * on this request before may have done so again just then, so for it the entry stands a little longer.
 */
import type { Ticket } from '../request.ts';

const KEEP_MS = 10 * 60_000;
/**
 * Time for which a result is kept after it was told to a client that had given up before: a model may think as long before it asks
 * again.
 */
const GRACE_MS = 60_000;
const MOST = 200;

interface Kept<Outcome> {
  readonly key: string;
  readonly actor: string;
  /** The time of the decision, by the monotonic clock. */
  readonly decidedAt: number;
  /** True when the client gave up waiting for the request at least once. */
  readonly impatient: boolean;
  readonly toldAt: number | null;
  readonly ticket: Ticket<Outcome>;
}

export class UnacknowledgedResults<Outcome> {
  #kept: Kept<Outcome>[] = [];

  keep(key: string, actor: string, { id, settled }: Ticket<Outcome>, impatient: boolean): void {
    const fresh = { key, actor, decidedAt: performance.now(), impatient, toldAt: null, ticket: { id, settled } };
    this.#kept = [...this.#kept.filter((each) => each.key !== key && stands(each)), fresh].slice(-MOST);
  }

  find(key: string): Ticket<Outcome> | null {
    return this.#kept.find((each) => each.key === key && stands(each))?.ticket ?? null;
  }

  acknowledge(id: string): void {
    const toldAt = performance.now();
    this.#kept = this.#kept.flatMap((each) => {
      if (each.ticket.id !== id) return [each];
      return each.impatient ? [{ ...each, toldAt: each.toldAt ?? toldAt }] : [];
    });
  }

  /** Forgets a result, as if the request had not been decided. */
  forget(id: string): void {
    this.#kept = this.#kept.filter(({ ticket }) => ticket.id !== id);
  }

  /**
   * Forgets the results of this client from before `askedAt`: a request of that time is done, so that they may not hold any more.
   */
  outdate(actor: string, askedAt: number): void {
    this.#kept = this.#kept.filter((each) => each.actor !== actor || each.decidedAt >= askedAt);
  }
}

function stands({ decidedAt, toldAt }: Pick<Kept<never>, 'decidedAt' | 'toldAt'>): boolean {
  const now = performance.now();
  return now - decidedAt < KEEP_MS && (toldAt === null || now - toldAt < GRACE_MS);
}
