/** A deadline whose clock can be stopped. It runs by a clock that nobody sets: a change of the time of day moves nothing. */
export class Deadline {
  #remaining: number;
  #startedAt: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #onPassed: () => void;

  /** Starts at once; calls `onPassed` after `ms` milliseconds of running time. */
  constructor(ms: number, onPassed: () => void) {
    this.#remaining = ms;
    this.#onPassed = onPassed;
    this.resume();
  }

  /** Milliseconds since the epoch at which it passes; null while it stands still. */
  get at(): number | null {
    return this.#startedAt === null
      ? null
      : Math.round(Date.now() + this.#remaining - (performance.now() - this.#startedAt));
  }

  pause(): void {
    if (this.#startedAt === null) return;
    clearTimeout(this.#timer);
    this.#remaining = Math.max(0, this.#remaining - (performance.now() - this.#startedAt));
    this.#startedAt = null;
  }

  resume(): void {
    if (this.#startedAt !== null) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onPassed, this.#remaining);
    this.#timer.unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#startedAt = null;
  }
}
