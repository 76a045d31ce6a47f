/** The waiters: calls that wait for the outcome of requests, by handle. */
import type { Actor } from '#contract/image/session.ts';

export class Waiters {
  readonly #held = new Map<string, number>();
  /** Handles whose waiters have all given up. */
  readonly #left = new Set<string>();
  /** The actor ids of running code, by handle. */
  readonly #followed = new Map<string, string>();
  readonly #changed: (handle: string) => void;

  /** `changed` is called with each handle that becomes abandoned or has a waiter again. */
  constructor(changed: (handle: string) => void) {
    this.#changed = changed;
  }

  /** Returns true if every caller that waited for the handle has given up. */
  left(handle: string): boolean {
    return this.#left.has(handle);
  }

  /**
   * Records that a call waits for the outcome of the handle. Call the returned function when the call stops waiting; pass true as `gone` if
   * the client gave up, and false if it got an answer. The handle is abandoned when its last waiter gives up.
   */
  begin(handle: string): (gone: boolean) => void {
    this.#held.set(handle, (this.#held.get(handle) ?? 0) + 1);
    if (this.#left.delete(handle)) this.#changed(handle);
    return (gone) => {
      const held = (this.#held.get(handle) ?? 1) - 1;
      if (held > 0) this.#held.set(handle, held);
      else this.#held.delete(handle);
      if (gone) this.leave(handle);
    };
  }

  /** Marks the handle of a disconnected client as abandoned, unless a call is still waiting for it. */
  leave(handle: string): void {
    if (this.#held.has(handle) || this.#left.has(handle)) return;
    this.#left.add(handle);
    this.#changed(handle);
  }

  /** Tracks a call that is still running after it was answered: its handle represents this client's code until `ended` settles. */
  follow(handle: string, { id }: Actor, ended: Promise<unknown>): void {
    this.#followed.set(handle, id);
    void ended.finally(() => {
      this.#followed.delete(handle);
      this.forget(handle);
    });
  }

  /** Returns the handles of this client's running code. */
  followedOf({ id }: Actor): string[] {
    return [...this.#followed].filter(([, actor]) => actor === id).map(([handle]) => handle);
  }

  /** Forgets a handle whose outcome is no longer pending. */
  forget(handle: string): void {
    if (!this.#followed.has(handle)) this.#left.delete(handle);
  }
}
