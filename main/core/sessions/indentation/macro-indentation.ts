/**
 * The indentation of an image's macros, for the editor. Only packages that the image reports as changed are queried; at its start, all
 * packages are queried. The data outlives the image, so that the editor's indentation does not change while no image is running.
 */
import type { PackageIndentation } from '#contract/image/indentation.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { Session } from '../session.ts';

export interface IndentationChange {
  packages: PackageIndentation[];
  removedPackages: string[];
}

/** The maximum number of stored packages. */
const MOST_PACKAGES = 2_000;

export class MacroIndentation {
  readonly #events = new Emitter<{ changed: IndentationChange }>();
  readonly #packages = new Map<string, PackageIndentation>();
  readonly #session: Session;
  /** Names of packages that changed since they were queried; null means all. */
  #stale: Set<string> | null = null;
  #watchers = 0;
  #asking = false;

  constructor(session: Session) {
    this.#session = session;
    session.events.on('definitions-changed', ({ packages, removedPackages }) => {
      for (const name of [...packages, ...removedPackages]) this.#stale?.add(name);
      this.#ask();
    });
    session.events.on('lifecycle', ({ change }) => {
      if (change !== 'started' && change !== 'rewound') return;
      this.#stale = null;
      this.#ask();
    });
  }

  /** Calls `listener` for each later change. Returns a function that stops the calls. */
  watch(listener: (change: IndentationChange) => void): () => void {
    this.#watchers += 1;
    const end = this.#events.on('changed', listener);
    if (this.#session.view().pid !== null) this.#ask();
    let watching = true;
    return () => {
      if (watching) this.#watchers -= 1;
      watching = false;
      end();
    };
  }

  all(): PackageIndentation[] {
    return [...this.#packages.values()];
  }

  /** Queries the image until no package is stale or no image answers. The next start or change queries again. */
  #ask(): void {
    if (this.#asking || this.#watchers === 0 || this.#stale?.size === 0) return;
    this.#asking = true;
    const names = this.#stale === null ? null : [...this.#stale];
    this.#stale = new Set();
    void this.#session
      .lookUp('macro-indentation', { packages: names })
      .then(
        ({ packages }) => {
          this.#take(names, packages.slice(0, MOST_PACKAGES));
          return true;
        },
        () => {
          if (names === null) this.#stale = null;
          else for (const name of names) this.#stale?.add(name);
          return false;
        },
      )
      .then((answered) => {
        this.#asking = false;
        if (answered) this.#ask();
      });
  }

  #take(asked: readonly string[] | null, packages: readonly PackageIndentation[]): void {
    const told = new Set(packages.map(({ name }) => name));
    const removedPackages = (asked ?? [...this.#packages.keys()]).filter(
      (name) => !told.has(name) && this.#packages.delete(name),
    );
    const changed = packages.filter((each) => JSON.stringify(each) !== JSON.stringify(this.#packages.get(each.name)));
    for (const each of changed) this.#packages.set(each.name, each);
    for (const name of [...this.#packages.keys()].slice(0, -MOST_PACKAGES)) {
      this.#packages.delete(name);
      removedPackages.push(name);
    }
    if (changed.length > 0 || removedPackages.length > 0)
      this.#events.emit('changed', { packages: [...changed], removedPackages });
  }
}
