/** How often a client may ask (K1): so many times a second, and at once as many as it has saved up. */

export interface Rate {
  readonly perSecond: number;
  /** At once, after a quiet time. */
  readonly burst: number;
}

/** Far above what any agent needs, and far below what keeps the machine busy. */
export const USUAL_RATE: Rate = { perSecond: 100, burst: 3000 };

export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #left = new Map<string, { count: number; at: number }>();

  /** `now`: milliseconds by a clock that nobody sets. */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Takes one request of this client. Null when it may go on; else what it is told. */
  take(client: string): string | null {
    const { perSecond, burst } = this.#rate;
    const now = this.#now();
    const known = this.#left.get(client) ?? { count: burst, at: now };
    const count = Math.min(burst, known.count + ((now - known.at) / 1000) * perSecond);
    this.#left.set(client, { count: count >= 1 ? count - 1 : count, at: now });
    return count >= 1
      ? null
      : `This client asks more than ${perSecond} times a second for too long. Nothing was run. Wait a second, then go on.`;
  }
}
