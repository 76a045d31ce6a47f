/**
 * A deadline whose clock can be stopped. It runs by clocks that nobody sets: a change of the time of day moves nothing. The
 * time that the machine slept counts: who comes back to it the next day finds nothing waiting for a click.
 */
import { uptime } from 'node:os';

/** Timers stand still while the machine sleeps; after that it is noticed this soon. */
const LOOK_MS = 15_000;
/** The difference between the two clocks, in milliseconds, that has other causes than a sleeping computer. */
const COARSE_MS = 5_000;

interface Moment {
  readonly awake: number;
  /** Milliseconds since the machine started, with the time that it slept; coarse. */
  readonly up: number;
}

export class Deadline {
  #remaining: number;
  #startedAt: Moment | null = null;
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
    return this.#startedAt === null ? null : Math.round(Date.now() + this.#left());
  }

  /** True when the time is over, though the timer may be late. */
  get passed(): boolean {
    return this.#startedAt !== null && this.#left() <= 0;
  }

  pause(): void {
    if (this.#startedAt === null) return;
    clearTimeout(this.#timer);
    this.#remaining = Math.max(0, this.#left());
    this.#startedAt = null;
  }

  resume(): void {
    if (this.#startedAt !== null) return;
    this.#startedAt = now();
    this.#await();
  }

  /** Ends the deadline as when its time is over. */
  end(): void {
    this.cancel();
    this.#onPassed();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#startedAt = null;
  }

  #await(): void {
    this.#timer = setTimeout(() => (this.passed ? this.end() : this.#await()), Math.min(this.#left(), LOOK_MS));
    this.#timer.unref();
  }

  #left(): number {
    const { awake, up } = now();
    const started = this.#startedAt ?? { awake, up };
    const ran = awake - started.awake;
    const slept = up - started.up - ran;
    return this.#remaining - ran - (slept > COARSE_MS ? slept : 0);
  }
}

function now(): Moment {
  return { awake: performance.now(), up: uptime() * 1000 };
}

/** `5` as "5 minutes". */
export function minutesInWords(minutes: number): string {
  if (minutes < 1) return `${Math.round(minutes * 60)} seconds`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
