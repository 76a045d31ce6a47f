/**
 * The parameters of a token bucket: the average number of tries that are allowed per second, and the number that are allowed at once after
 * an idle time.
 */

export interface Rate {
  readonly perSecond: number;
  /** The maximum number of tries at once, after an idle time. */
  readonly burst: number;
}

export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #left = new Map<string, { count: number; at: number }>();

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Counts one request of this client. Returns null if it is allowed; otherwise the message of the refusal. */
  take(client: string): string | null {
    const { perSecond, burst } = this.#rate;
    const now = this.#now();
    let known = this.#left.get(client);
    if (!known) this.#left.set(client, (known = { count: burst, at: now }));
    const count = Math.min(burst, known.count + ((now - known.at) / 1000) * perSecond);
    known.count = count >= 1 ? count - 1 : count;
    known.at = now;
    return count >= 1
      ? null
      : `Nothing was run, because this client has sent more than ${perSecond} requests a second for too long. Wait a second, then continue.`;
  }
}
