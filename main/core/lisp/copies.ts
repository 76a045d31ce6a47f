/** The processes that hold an image's checkpoints. */

export class Copies {
  readonly #pids = new Set<number>();
  readonly #end: (pid: number) => void;
  /** The latest one, which tells of the end of the present life; so it may not go before another takes its place. */
  #watcher: { readonly pid: number; unwanted: boolean } | null = null;

  /** Copies of one image; `end` ends a process of it. */
  constructor(end: (pid: number) => void) {
    this.#end = end;
  }

  /** Process ids of all of them. */
  get all(): readonly number[] {
    return [...this.#pids];
  }

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

  /** Ends a copy; the latest one as soon as there is a later one. */
  drop(pid: number): void {
    if (this.#watcher?.pid === pid) this.#watcher.unwanted = true;
    else if (this.#pids.delete(pid)) this.#end(pid);
  }

  /** Removes a copy from the table because it goes on as the image. Returns false when the process is no copy. */
  take(pid: number): boolean {
    return this.#pids.delete(pid);
  }

  clear(): void {
    this.#pids.clear();
  }
}
