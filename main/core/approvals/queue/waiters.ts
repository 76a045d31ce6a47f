/** The waiters: calls that are held until requests have an outcome, by the handle that they wait for. */
import type { Actor } from '#contract/image/session.ts';

export class Waiters {
  readonly #held = new Map<string, number>();
  /** Handles that nobody waits for any more. */
  readonly #left = new Set<string>();
  /** Id of the actor whose running code a handle stands for. */
  readonly #followed = new Map<string, string>();
  readonly #changed: (handle: string) => void;

  /** `changed` is called with each handle that is abandoned, or waited for again. */
  constructor(changed: (handle: string) => void) {
    this.#changed = changed;
  }

  /** True when every caller that waited for the handle gave up. */
  left(handle: string): boolean {
    return this.#left.has(handle);
  }

  /**
   * Notes that a call waits for the outcome of the handle. The returned function ends that; its argument `gone` says that the
   * client gave up rather than being answered. The handle is abandoned when its last waiter gave up.
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

  /** Marks the handle of a client that is gone as abandoned, unless a call is held for it. */
  leave(handle: string): void {
    if (this.#held.has(handle) || this.#left.has(handle)) return;
    this.#left.add(handle);
    this.#changed(handle);
  }

  /** Follows a call that goes on after it was answered: its handle stands for code of this client until `ended` settles. */
  follow(handle: string, { id }: Actor, ended: Promise<unknown>): void {
    this.#followed.set(handle, id);
    void ended.finally(() => {
      this.#followed.delete(handle);
      this.forget(handle);
    });
  }

  /** Returns the handles of this client's code that goes on. */
  followedOf({ id }: Actor): string[] {
    return [...this.#followed].filter(([, actor]) => actor === id).map(([handle]) => handle);
  }

  /** Forgets a handle that has no outcome to wait for any more. */
  forget(handle: string): void {
    if (!this.#followed.has(handle)) this.#left.delete(handle);
  }
}
