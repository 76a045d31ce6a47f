/**
 * The handles that a connection was given. Objects stay in memory as long as they are held, so only the latest are: they are
 * held for two names in turn, and what the older one holds is released as soon as the newer is full.
 */
import type { Session } from '#core/sessions/session.ts';

/** Handles of one name. A page with more of them is held whole. */
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

  /** Returns the name under which the next objects are to be held. */
  holder(): string {
    if (this.#newer.size >= MOST) {
      this.#release(this.#count - 1);
      this.#count += 1;
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    return this.#holder(this.#count);
  }

  /** Adds handles that were given under the name that `holder` returned last. */
  add(handles: Iterable<number | null>): void {
    for (const handle of handles) if (handle !== null) this.#newer.add(handle);
  }

  has(handle: number): boolean {
    return this.#newer.has(handle) || this.#older.has(handle);
  }

  /** The image is another one: what it gives next may bear the same numbers. */
  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }

  /** Releases all objects: nobody will ask for them again. */
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
