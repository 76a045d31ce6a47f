/**
 * The image that the clients of a soak share, as far as they know it: the values that it must have, whatever the clients do in whatever
 * order.
 */

/**
 * A lock for many clients at once, or one client exclusively. A client that returns to a checkpoint needs it exclusively, because it
 * changes the definitions of all others.
 */
export class SharedImage {
  #values = new Map<string, number>();
  #inside = 0;
  #alone: Promise<void> = Promise.resolve();
  #left: (() => void) | null = null;

  /** Does `work` together with other clients, but not while one client has the lock exclusively. */
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

  /** Does `work` exclusively: waits until all others have finished, and keeps new ones waiting. */
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

  /** Returns the value of a name, or undefined if it has none. */
  value(name: string): number | undefined {
    return this.#values.get(name);
  }

  set(name: string, value: number): void {
    this.#values.set(name, value);
  }

  /** Returns a function that restores the present values. */
  remember(): () => void {
    const values = new Map(this.#values);
    return () => {
      this.#values = new Map(values);
    };
  }
}
