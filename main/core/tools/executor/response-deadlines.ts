/**
 * The times by which running calls must be answered. One timer watches all of them, because a timer for each call would take as long as a
 * short call itself.
 */

interface Deadline {
  /** The deadline, in milliseconds on the monotonic clock. */
  readonly at: number;
  readonly onLate: () => void;
}

export class ResponseDeadlines {
  /** Deadlines that have not passed yet, by the ids of their calls. */
  readonly #deadlines = new Map<string, Deadline>();
  /** The time at which the timer fires. If the call for which it was set ends, the timer is not rescheduled. */
  #firesAt = Infinity;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `onLate` if the call `id` is still running after `ms` milliseconds. */
  set(id: string, ms: number, onLate: () => void): void {
    const at = performance.now() + ms;
    this.#deadlines.set(id, { at, onLate });
    if (at < this.#firesAt) this.#fireAt(at);
  }

  /** Forgets the deadline of a call that was answered. */
  clear(id: string): void {
    this.#deadlines.delete(id);
  }

  #fireAt(at: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = at;
    // Unreferenced, because only the image of a running call should keep the process alive.
    this.#timer = setTimeout(() => this.#look(), Math.ceil(at - performance.now())).unref();
  }

  #look(): void {
    this.#firesAt = Infinity;
    const now = performance.now();
    const late = [...this.#deadlines].filter(([, { at }]) => at <= now);
    for (const [id] of late) this.#deadlines.delete(id);
    const next = Math.min(...[...this.#deadlines.values()].map(({ at }) => at));
    if (next < Infinity) this.#fireAt(next);
    for (const [, { onLate }] of late) onLate();
  }
}
