/**
 * A model of the image that the clients of a soak share: the values that the image must have, regardless of the order in which the clients'
 * calls run.
 */

/**
 * A lock that can be held by many clients at the same time, or exclusively by one client. A client needs it exclusively to return to a
 * checkpoint, because that changes the definitions of all other clients.
 */
export class SharedImage {
  #values = new Map<string, number>();
  #inside = 0;
  #alone: Promise<void> = Promise.resolve();
  #left: (() => void) | null = null;

  /** Runs `work` at the same time as other clients' work, but never while a client has the lock exclusively. */
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

  /** Runs `work` exclusively: waits until all other work has finished, and makes new work wait. */
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
