/** The time limit of an evaluation. Time in which the evaluation is suspended does not count. */
export class TimeLimit {
  readonly #stop: () => void;
  /** The remaining milliseconds; null if there is no limit. */
  #left: number | null;
  #timer: { readonly since: number; readonly timeout: NodeJS.Timeout } | null = null;
  #exceeded = false;

  /** Starts the limit at once. Calls `stop` when the seconds have passed; with null, never. */
  constructor(seconds: number | null, stop: () => void) {
    this.#left = seconds === null ? null : seconds * 1000;
    this.#stop = stop;
    this.resume();
  }

  /** True if the time ran out before the evaluation ended. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  pause(): void {
    if (this.#left === null || !this.#timer) return;
    clearTimeout(this.#timer.timeout);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#timer.since));
    this.#timer = null;
  }

  resume(): void {
    if (this.#left === null || this.#timer) return;
    const timeout = setTimeout(() => {
      this.#exceeded = true;
      this.#stop();
    }, this.#left);
    this.#timer = { since: performance.now(), timeout };
  }
}
