/**
 * What the person decided while its client was away: the same call sent again is answered with it instead of asking twice
 * (K4). Only until it was told, for ten minutes, and as long as nothing that the client asked for later was done since.
 * Nobody knows whether an answer was heard: who gave up on this request before may have done so again just then, so for it
 * the answer stands a little longer.
 */
import type { Ticket } from './request.ts';

const KEEP_MS = 10 * 60_000;
/** After it was told to a client that had given up before. */
const GRACE_MS = 10_000;
const MOST = 200;

interface Kept<Outcome> {
  readonly key: string;
  readonly actor: string;
  /** By the clock that nobody sets. */
  readonly decidedAt: number;
  /** Its client gave up at least once. */
  readonly impatient: boolean;
  readonly toldAt: number | null;
  readonly ticket: Ticket<Outcome>;
}

export class Untold<Outcome> {
  #kept: Kept<Outcome>[] = [];

  keep(key: string, actor: string, { id, settled }: Ticket<Outcome>, impatient: boolean): void {
    const fresh = { key, actor, decidedAt: performance.now(), impatient, toldAt: null, ticket: { id, settled } };
    this.#kept = [...this.#kept.filter((each) => each.key !== key && stands(each)), fresh].slice(-MOST);
  }

  find(key: string): Ticket<Outcome> | null {
    return this.#kept.find((each) => each.key === key && stands(each))?.ticket ?? null;
  }

  told(id: string): void {
    const toldAt = performance.now();
    this.#kept = this.#kept.flatMap((each) => {
      if (each.ticket.id !== id) return [each];
      return each.impatient ? [{ ...each, toldAt: each.toldAt ?? toldAt }] : [];
    });
  }

  /** It is as if it had not been done. */
  forget(id: string): void {
    this.#kept = this.#kept.filter(({ ticket }) => ticket.id !== id);
  }

  /** Something that this client asked for at `askedAt` is done: what was decided before that may not hold any more. */
  outdate(actor: string, askedAt: number): void {
    this.#kept = this.#kept.filter((each) => each.actor !== actor || each.decidedAt >= askedAt);
  }
}

function stands({ decidedAt, toldAt }: Pick<Kept<never>, 'decidedAt' | 'toldAt'>): boolean {
  const now = performance.now();
  return now - decidedAt < KEEP_MS && (toldAt === null || now - toldAt < GRACE_MS);
}
