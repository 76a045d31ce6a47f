/**
 * The image that the clients of a soak share, as far as the clients know it: the values that it must have, regardless of the order of the
 * clients' calls.
 */

/**
 * A lock that either many clients share or one client has exclusively. A client that returns to a checkpoint needs it exclusively, because
 * that changes the definitions of all other clients.
 */
export class SharedImage {
  #values = new Map<string, number>();
  #inside = 0;
  #alone: Promise<void> = Promise.resolve();
  #left: (() => void) | null = null;

  /** Does `work` at the same time as other clients, but never while a client has the lock exclusively. */
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

  /** Does `work` exclusively: waits until all other work has finished, and makes new work wait. */
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

  /** Returns a function that restores the current values. */
  remember(): () => void {
    const values = new Map(this.#values);
    return () => {
      this.#values = new Map(values);
    };
  }
}
