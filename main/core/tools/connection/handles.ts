/**
 * The handles that a connection received. The image retains an object as long as the object has a holder. To retain only the latest
 * objects, a connection uses at most two holders: when the newer one is full, the older one is released and another one is started.
 */
import type { Session } from '#core/sessions/session.ts';

/** The maximum number of a holder's handles. If one page has more, all of its objects are retained. */
const MOST = 1_000;

export class Handles {
  readonly #session: Session;
  readonly #name: string;
  #count = 0;
  #newer = new Set<number>();
  #older = new Set<number>();

  constructor(session: Session, name: string) {
    this.#session = session;
    this.#name = name;
  }

  /** Returns the name of the holder for the next objects. */
  holder(): string {
    if (this.#newer.size >= MOST) {
      this.#release(this.#count - 1);
      this.#count += 1;
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    return this.#holder(this.#count);
  }

  /** Adds handles that were created for the latest holder that `holder` returned. */
  add(handles: Iterable<number | null>): void {
    for (const handle of handles) if (handle !== null) this.#newer.add(handle);
  }

  has(handle: number): boolean {
    return this.#newer.has(handle) || this.#older.has(handle);
  }

  /** Forgets all handles, because a new image may use the same numbers for other objects. */
  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }

  /** Releases all objects, because they will not be used again. */
  release(): void {
    this.#release(this.#count - 1);
    this.#release(this.#count);
    this.clear();
  }

  #release(count: number): void {
    if (count >= 0) this.#session.tell('release', { holder: this.#holder(count) });
  }

  #holder(count: number): string {
    return `${this.#name} ${count}`;
  }
}
