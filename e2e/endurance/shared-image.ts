/** The image that clients of a soak share, as far as they know it: which values it must have, whatever they do in which order. */

/** Many at once, or one alone: who goes back to a checkpoint changes what all others have defined. */
export class SharedImage {
  #values = new Map<string, number>();
  #inside = 0;
  #alone: Promise<void> = Promise.resolve();
  #left: (() => void) | null = null;

  /** Does `work` among others, and not while somebody is alone. */
  async among<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let last: Promise<void> | null = null; last !== this.#alone;) {
      last = this.#alone;
      await last;
    }
    this.#inside += 1;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) this.#left?.();
    }
  }

  /** Does `work` once all others have come to an end, while none begins. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = this.#alone;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#alone = promise;
    await before;
    if (this.#inside > 0) await new Promise<void>((settle) => (this.#left = settle));
    this.#left = null;
    try {
      return await work();
    } finally {
      resolve();
    }
  }

  /** The value that a name has, and undefined for one that has none. */
  value(name: string): number | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: number): void {
    this.#values.set(name, value);
  }

  /** Returns what puts back the values of this moment. */
  remember(): () => void {
    const values = new Map(this.#values);
    return () => {
      this.#values = new Map(values);
    };
  }
}
