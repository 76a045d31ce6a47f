/** A deadline whose clock can be stopped. */
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
    return this.#startedAt === null ? null : this.#startedAt + this.#remaining;
  }

  pause(): void {
    if (this.#startedAt === null) return;
    clearTimeout(this.#timer);
    this.#remaining = Math.max(0, this.#remaining - (Date.now() - this.#startedAt));
    this.#startedAt = null;
  }

  resume(): void {
    if (this.#startedAt !== null) return;
    this.#startedAt = Date.now();
    this.#timer = setTimeout(this.#onPassed, this.#remaining);
    this.#timer.unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#startedAt = null;
  }
}
