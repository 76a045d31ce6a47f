/** The processes that hold an image's checkpoints. */
import { end } from './process.ts';

export class Copies {
  readonly #pids = new Set<number>();
  /** The latest one, which tells of the end of the present life; so it may not go before another takes its place. */
  #watcher: { readonly pid: number; unwanted: boolean } | null = null;

  get size(): number {
    return this.#pids.size;
  }

  has(pid: number): boolean {
    return this.#pids.has(pid);
  }

  add(pid: number): void {
    const before = this.#watcher;
    this.#pids.add(pid);
    this.#watcher = { pid, unwanted: false };
    if (before?.unwanted) this.drop(before.pid);
  }

  /** Ends one; the latest as soon as there is a later one. */
  drop(pid: number): void {
    if (this.#watcher?.pid === pid) this.#watcher.unwanted = true;
    else if (this.#pids.delete(pid)) end(pid);
  }

  /** One that is to go on as the image is a copy no more. False when it is none. */
  take(pid: number): boolean {
    return this.#pids.delete(pid);
  }

  clear(): void {
    this.#pids.clear();
  }
}
