/**
 * Counts requests that were refused before they reached the workbench. They are reported together, so that many refusals cause few reports.
 */

export interface Refused {
  /** The number of refusals since the server started. */
  readonly count: number;
  /** The reason for the latest refusal. */
  readonly why: string;
  /** The time of the latest refusal, in milliseconds since the epoch. */
  readonly at: number;
}

const TELL_EVERY_MS = 10_000;

export class Refusals {
  readonly #tell: (refused: Refused, since: number) => void;
  readonly #everyMs: number;
  #refused: Refused | null = null;
  #told = 0;
  #timer: NodeJS.Timeout | null = null;

  /**
   * `tell` receives the first refusal at once and combines later refusals. `since` is the number of refusals since the previous call of
   * `tell`.
   */
  constructor(tell: (refused: Refused, since: number) => void, everyMs = TELL_EVERY_MS) {
    this.#tell = tell;
    this.#everyMs = everyMs;
  }

  add(why: string): void {
    this.#refused = { count: (this.#refused?.count ?? 0) + 1, why, at: Date.now() };
    if (this.#timer !== null) return;
    this.#report();
    this.#timer = setTimeout(() => this.#again(), this.#everyMs).unref();
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#report();
  }

  #again(): void {
    this.#timer = null;
    if (!this.#report()) return;
    this.#timer = setTimeout(() => this.#again(), this.#everyMs).unref();
  }

  /** Reports new refusals. Returns false if there are none. */
  #report(): boolean {
    const refused = this.#refused;
    if (refused === null || refused.count === this.#told) return false;
    this.#tell(refused, refused.count - this.#told);
    this.#told = refused.count;
    return true;
  }
}

/** Returns text such as `3 requests were refused, the last one: Requests from web pages are refused.` */
export function refusedInWords({ why }: Refused, since: number): string {
  return since === 1 ? `A request was refused. ${why}` : `${since} requests were refused, the last one: ${why}`;
}
