/** Progress notifications during a call, for a client that requested them. Each has a larger value than the previous one. */

/** The progress of a running call. */
export interface CallProgress {
  readonly message: string;
  /** The number of completed steps, if steps are counted. `total` is then the number of all steps. */
  readonly done?: number;
  readonly total?: number;
}

export interface ProgressNotice {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

const EVERY_MS = 10_000;
/** A step that begins within this time, in milliseconds, after the last report is reported together with the next step. */
const STEP_MS = 200;

export interface Progress {
  readonly onProgress: (progress: CallProgress) => void;
  readonly stop: () => void;
}

/** Reports each new step and, every ten seconds, that the call is still running. Returns null if the client did not request progress. */
export function reportProgress(
  progressToken: string | number | undefined,
  notify: (notice: ProgressNotice) => Promise<void>,
  everyMs = EVERY_MS,
): Progress | null {
  if (progressToken === undefined) return null;
  const started = performance.now();
  const count = new Counting();
  let message: string | null = null;
  let toldAt = 0;
  const tell = (): void => {
    toldAt = performance.now();
    const seconds = (toldAt - started) / 1000;
    const text = message ?? `${Math.round(seconds)} s`;
    notify({ progressToken, ...count.next(seconds), message: text }).catch(() => {}); // ignored, because the end of the stream is handled elsewhere
  };
  const timer = setInterval(tell, everyMs);
  return {
    onProgress: ({ message: text, done, total }) => {
      message = text;
      const isLast = count.take(done, total);
      if (done === undefined || isLast || performance.now() - toldAt >= STEP_MS) tell();
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * The values of progress reports, which may only increase. They are seconds until steps are counted, and then steps. Reports between two
 * steps add a fraction of a step.
 */
class Counting {
  #value = 0;
  /** The value when the first step was counted. */
  #base: number | null = null;
  #done = 0;
  #total = 0;

  /** Takes the counts of a report. Returns true if all steps are done. */
  take(done: number | undefined, total: number | undefined): boolean {
    if (done === undefined || total === undefined) return false;
    this.#base ??= this.#value;
    this.#done = Math.max(this.#done, done);
    this.#total = Math.max(this.#total, total);
    return done >= total;
  }

  next(seconds: number): { progress: number; total?: number } {
    if (this.#base === null) {
      this.#value = Math.max(seconds, this.#value + 0.001);
      return { progress: this.#value };
    }
    const reached = this.#base + this.#done;
    this.#value = reached > this.#value ? reached : this.#value + (reached + 1 - this.#value) / 2;
    return { progress: this.#value, total: Math.max(this.#base + this.#total, Math.ceil(this.#value)) };
  }
}
