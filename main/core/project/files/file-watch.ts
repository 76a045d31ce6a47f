/**
 * Watches the files that are open in the editor for changes by any program, in any folder. The folder watch misses files in other folders
 * or in folders that are too large, and writes to the target of a symbolic link. A system watch is bound to an inode, which the next atomic
 * write replaces. Therefore each file is checked once a second.
 */
import { unwatchFile, watchFile } from 'node:fs';

const LOOK_MS = 1_000;

export class FileWatch {
  readonly #tell: (paths: readonly string[]) => void;
  readonly #listeners = new Map<string, () => void>();

  constructor(tell: (paths: readonly string[]) => void) {
    this.#tell = tell;
  }

  /** Watches these files from now on, instead of the previous ones. Paths are absolute. */
  follow(files: readonly string[]): void {
    const wanted = new Set(files);
    for (const file of this.#listeners.keys()) if (!wanted.has(file)) this.#leave(file);
    for (const file of wanted) {
      if (this.#listeners.has(file)) continue;
      const listener = (): void => this.#tell([file]);
      this.#listeners.set(file, listener);
      watchFile(file, { interval: LOOK_MS, persistent: false }, listener);
    }
  }

  close(): void {
    for (const file of this.#listeners.keys()) this.#leave(file);
  }

  #leave(file: string): void {
    unwatchFile(file, this.#listeners.get(file));
    this.#listeners.delete(file);
  }
}
