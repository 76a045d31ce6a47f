/** A table of an image's checkpoint processes. */

export class Copies {
  readonly #pids = new Set<number>();
  readonly #end: (pid: number) => void;
  /**
   * The process of the latest checkpoint. It reports the end of the live process, so it must not end before another checkpoint's process
   * takes over this task.
   */
  #watcher: { readonly pid: number; unwanted: boolean } | null = null;

  /** Creates the table for one image. The function `end` ends a process. */
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

  /** Ends a checkpoint's process. The process of the latest checkpoint ends only when there is a later one. */
  drop(pid: number): void {
    if (this.#watcher?.pid === pid) this.#watcher.unwanted = true;
    else if (this.#pids.delete(pid)) this.#end(pid);
  }

  /** Removes a process from the table because it continues as the image. Returns false if the table does not contain it. */
  take(pid: number): boolean {
    return this.#pids.delete(pid);
  }

  clear(): void {
    this.#pids.clear();
  }
}
