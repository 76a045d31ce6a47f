/**
 * Watches single files for changes by whoever: those that are open in the editor, wherever they are. The folder's own watch does not see
 * files of other folders, of one that is too large to be watched, nor what is written to the file that a symbolic link leads to. A watch
 * of the system is one of an inode, which the next atomic write replaces; so each file is looked at once a second.
 */
import { unwatchFile, watchFile } from 'node:fs';

const LOOK_MS = 1_000;

export class FileWatch {
  readonly #tell: (paths: readonly string[]) => void;
  readonly #listeners = new Map<string, () => void>();

  constructor(tell: (paths: readonly string[]) => void) {
    this.#tell = tell;
  }

  /** Watches these files, absolute paths, from now on in place of those before. */
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
