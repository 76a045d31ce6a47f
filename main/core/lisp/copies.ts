/** The processes of an image's checkpoints. */

export class Copies {
  readonly #pids = new Set<number>();
  readonly #end: (pid: number) => void;
  /** The latest process, which reports the end of the present life. It must not end before another one replaces it. */
  #watcher: { readonly pid: number; unwanted: boolean } | null = null;

  /** Creates the table for one image; `end` ends a process of it. */
  constructor(end: (pid: number) => void) {
    this.#end = end;
  }

  /** The ids of all checkpoint processes. */
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

  /** Ends a checkpoint's process. The latest one ends only when there is a later one. */
  drop(pid: number): void {
    if (this.#watcher?.pid === pid) this.#watcher.unwanted = true;
    else if (this.#pids.delete(pid)) this.#end(pid);
  }

  /** Removes a process from the table because it continues as the image. Returns false if it is not in the table. */
  take(pid: number): boolean {
    return this.#pids.delete(pid);
  }

  clear(): void {
    this.#pids.clear();
  }
}
