/**
 * Idempotent retry: stores the result of a request that was decided while its client was away. If the client sends the same call again, it
 * gets that result, and the person is not asked twice (K4). An entry is removed when its result was delivered, after ten minutes, or when a
 * later request of the client was performed. If the client had given up on this request at least once, it may have missed the delivered
 * result too, so the entry remains a little longer.
 */
import type { Ticket } from '../request.ts';

const KEEP_MS = 10 * 60_000;
/**
 * How long, in milliseconds, a result remains stored after it was delivered to a client that had given up before. A model may think that
 * long before it retries.
 */
const GRACE_MS = 60_000;
const MOST = 200;

interface Kept<Outcome> {
  readonly key: string;
  readonly actor: string;
  /** The time of the decision, on the monotonic clock. */
  readonly decidedAt: number;
  /** True if the client gave up waiting for the request at least once. */
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

  /** Removes a result. The same request then counts as new. */
  forget(id: string): void {
    this.#kept = this.#kept.filter(({ ticket }) => ticket.id !== id);
  }

  /**
   * Removes this client's results that were decided before `askedAt`. Called when a request made at that time has been performed, because
   * older results may no longer be valid.
   */
  outdate(actor: string, askedAt: number): void {
    this.#kept = this.#kept.filter((each) => each.actor !== actor || each.decidedAt >= askedAt);
  }
}

function stands({ decidedAt, toldAt }: Pick<Kept<never>, 'decidedAt' | 'toldAt'>): boolean {
  const now = performance.now();
  return now - decidedAt < KEEP_MS && (toldAt === null || now - toldAt < GRACE_MS);
}
