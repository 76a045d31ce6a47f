/** Watches a project's folder for changes by any program, so that the editor and the list of files stay up to date. */
import path from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import { listFolder, SKIPPED } from '../search/search.ts';

export interface FolderChange {
  /** Absolute paths, at most {@link MOST}. */
  readonly paths: readonly string[];
  readonly more: boolean;
  /** True if files or folders were created or removed. */
  readonly listing: boolean;
}

/** How long, in milliseconds, changes are collected, so that a checkout of another branch is one change. */
const GATHER_MS = 150;
const MOST = 500;
/**
 * The maximum number of entries in a watched folder. A larger folder, such as a home folder, would use up the system's watches for all
 * programs.
 */
const LARGEST = 20_000;
const DEEPEST = 40;

export class FolderWatch {
  readonly #tell: (change: FolderChange) => void;
  #watcher: FSWatcher | null = null;
  #root: string | null = null;
  #paths = new Set<string>();
  #listing = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(tell: (change: FolderChange) => void) {
    this.#tell = tell;
  }

  /** Watches this folder from now on instead of the previous one; with null, watches none. Resolves when the watch is ready. */
  async follow(root: string | null): Promise<void> {
    await this.close();
    this.#root = root;
    if (root === null || (await listFolder(root, DEEPEST, LARGEST)).more || this.#root !== root) return;
    const watcher = watch(root, {
      ignored: (file) => file !== root && SKIPPED.has(path.basename(file)),
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
    });
    this.#watcher = watcher;
    watcher.on('all', (event, file) => this.#note(file, event !== 'change'));
    watcher.on('error', () => {}); // parts that cannot be watched are checked when the window gets the focus
    await new Promise<void>((resolve) => void watcher.once('ready', () => resolve()));
  }

  async close(): Promise<void> {
    const watcher = this.#watcher;
    this.#watcher = null;
    this.#root = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#paths.clear();
    await watcher?.close();
  }

  #note(file: string, listing: boolean): void {
    this.#paths.add(file);
    this.#listing ||= listing;
    this.#timer ??= setTimeout(() => {
      const paths = [...this.#paths];
      const change = { paths: paths.slice(0, MOST), more: paths.length > MOST, listing: this.#listing };
      this.#paths.clear();
      this.#listing = false;
      this.#timer = null;
      this.#tell(change);
    }, GATHER_MS);
  }
}
