/** Progress notifications for a client that asked for them, while its call goes on. Each has a larger value than the one before. */

/** The progress of a call under way. */
export interface CallProgress {
  readonly message: string;
  /** Steps that are done and steps in all, where they are counted. */
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
/** Steps that follow sooner than this are told with the next one. */
const STEP_MS = 200;

export interface Progress {
  readonly onProgress: (progress: CallProgress) => void;
  readonly stop: () => void;
}

/** Tells every ten seconds that the call goes on, and what is new of it; null where the client did not ask for it. */
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
    notify({ progressToken, ...count.next(seconds), message: text }).catch(() => {}); // the end of the stream ends the call elsewhere
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

/** Values that only grow: seconds while nothing is counted, then steps, and between two steps a part of the next one. */
class Counting {
  #value = 0;
  /** The value when the first step was done. */
  #base: number | null = null;
  #done = 0;
  #total = 0;

  /** Takes in a count; true when it is complete. */
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
