/**
 * A deadline that can be paused. It uses monotonic clocks, so that changes of the system time have no effect. The time while the machine
 * sleeps counts, so that a request from the day before cannot be approved by an accidental click.
 */
import { uptime } from 'node:os';

/**
 * How often, in milliseconds, to check whether the machine has slept. The checks are necessary because timers stop while the machine
 * sleeps.
 */
const LOOK_MS = 15_000;
/** The maximum difference between the two clocks, in milliseconds, that is not attributed to sleep. */
const COARSE_MS = 5_000;

interface Moment {
  readonly awake: number;
  /** Milliseconds since the machine started, including sleep; coarse. */
  readonly up: number;
}

export class Deadline {
  #remaining: number;
  #startedAt: Moment | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #onPassed: () => void;

  /** Starts the clock. Calls `onPassed` after `ms` milliseconds, not counting pauses. */
  constructor(ms: number, onPassed: () => void) {
    this.#remaining = ms;
    this.#onPassed = onPassed;
    this.resume();
  }

  /** The time at which the deadline passes, in milliseconds since the epoch; null while it is paused. */
  get at(): number | null {
    return this.#startedAt === null ? null : Math.round(Date.now() + this.#left());
  }

  /** True if the time has passed, even if the timer has not fired yet. */
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

  /** Ends the deadline early, as if its time had passed. */
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

/** Returns minutes in words: `5` becomes "5 minutes". */
export function minutesInWords(minutes: number): string {
  if (minutes < 1) return `${Math.round(minutes * 60)} seconds`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
