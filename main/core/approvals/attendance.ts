/** Who waits for what comes of requests: calls that are held, by the handle that they wait for. */
import type { Actor } from '#contract/session.ts';

export class Attendance {
  readonly #held = new Map<string, number>();
  /** Handles that nobody waits for any more. */
  readonly #left = new Set<string>();
  /** Whose running code a handle stands for. */
  readonly #followed = new Map<string, string>();
  readonly #changed: (handle: string) => void;

  /** `changed` is told each handle that is left, or waited for again. */
  constructor(changed: (handle: string) => void) {
    this.#changed = changed;
  }

  /** Whether whoever waited for it gave up. */
  left(handle: string): boolean {
    return this.#left.has(handle);
  }

  /**
   * A call is held for it from now on. The returned function ends that; `gone` says that the client gave up rather than
   * being answered meanwhile. It is left when nobody else waits and the last one gave up.
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

  /** Its client is gone: it is left unless a call is held for it. */
  leave(handle: string): void {
    if (this.#held.has(handle) || this.#left.has(handle)) return;
    this.#left.add(handle);
    this.#changed(handle);
  }

  /** A call of this client goes on after it was answered, until `ended`. */
  follow(handle: string, { id }: Actor, ended: Promise<unknown>): void {
    this.#followed.set(handle, id);
    void ended.finally(() => {
      this.#followed.delete(handle);
      this.forget(handle);
    });
  }

  /** What goes on of this client. */
  followedOf({ id }: Actor): string[] {
    return [...this.#followed].filter(([, actor]) => actor === id).map(([handle]) => handle);
  }

  /** Nothing comes of it any more. */
  forget(handle: string): void {
    if (!this.#followed.has(handle)) this.#left.delete(handle);
  }
}
