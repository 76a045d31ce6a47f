/**
 * Limits the number of requests that a client may have open at the same time (K1). A program that waits for each answer is never limited,
 * even if it sends quickly. Clients take turns in the run queue.
 */

/** The limit on open requests. No program sends this many before it reads an answer, but they are few enough to store. */
const MOST_OPEN = 1000;

export class OpenRequests {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number = MOST_OPEN) {
    this.#most = most;
  }

  /** Admits one request of this client. Returns a function to call when the request is answered, or a text that refuses the request. */
  admit(client: string): (() => void) | string {
    const open = this.#open.get(client) ?? 0;
    if (open >= this.#most)
      return `Nothing was run, because this client already has ${open} requests without an answer, the most that are allowed. Wait for an answer, then send the request again.`;
    this.#open.set(client, open + 1);
    let closed = false;
    return () => {
      if (closed) return;
      closed = true;
      const left = this.#open.get(client)! - 1;
      if (left === 0) this.#open.delete(client);
      else this.#open.set(client, left);
    };
  }
}
