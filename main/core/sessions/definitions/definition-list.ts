/**
 * The definitions of an image, for the window's list. The image reports which packages have changed. They are listed again only while there
 * is a watcher or on request, and for at most a tenth of the time, because listing a big package takes long. Very big packages are listed
 * only in part; a search by name finds the other definitions.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PackageDefinitions } from '#contract/image/definition.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { OperationReply } from '#core/lisp/messages.ts';
import type { Session } from '../session.ts';

export interface DefinitionsChange {
  packages: PackageDefinitions[];
  removedPackages: string[];
}

/** The maximum number of listed definitions of one package. The next constant is the maximum in total. */
export const MOST_LISTED = 2_000;
const MOST_IN_ALL = 20_000;

/** The pause in milliseconds for each millisecond that a listing took. */
const REST = 9;
/**
 * The minimum delay in milliseconds before a failed listing is tried again, because an image on a busy machine may take too long to answer.
 */
const AGAIN = 1_000;

const WITHOUT_IMAGE: ReadonlySet<string> = new Set(['no-image', 'no-sbcl', 'unsupported', 'cancelled']);

export class DefinitionList {
  readonly #events = new Emitter<{ changed: DefinitionsChange }>();
  readonly #packages = new Map<string, PackageDefinitions>();
  readonly #session: Session;
  /** Names of packages that changed since they were listed; null means all packages. */
  #stale: Set<string> | null = new Set();
  #watchers = 0;
  #listing: Promise<void> | null = null;

  constructor(session: Session) {
    this.#session = session;
    session.events.on('definitions-changed', ({ packages, removedPackages }) => {
      for (const name of packages) this.#stale?.add(name);
      this.#apply([], removedPackages);
      this.#listSoon();
    });
    session.events.on('lifecycle', ({ change }) => {
      if (change === 'started') {
        this.#stale = new Set();
        this.#apply([], [...this.#packages.keys()]);
      }
      if (change === 'rewound') {
        this.#stale = null;
        this.#listSoon();
      }
    });
  }

  /** Calls `listener` for each later change. Returns a function that stops the calls. */
  watch(listener: (change: DefinitionsChange) => void): () => void {
    this.#watchers += 1;
    const end = this.#events.on('changed', listener);
    this.#listSoon();
    let watching = true;
    return () => {
      if (watching) this.#watchers -= 1;
      watching = false;
      end();
    };
  }

  /** Returns the definitions from the latest listing. If there is a watcher, they are outdated only briefly. */
  all(): PackageDefinitions[] {
    return [...this.#packages.values()];
  }

  /**
   * Returns at most `most` definitions whose names contain `text`, including unlisted ones. Each package has the number of its other
   * matches.
   */
  async find(text: string, most: number): Promise<PackageDefinitions[]> {
    const reply = await this.#session.lookUp('definitions', { packages: null, text, most, room: most });
    return reply.packages.filter(({ definitions, more }) => definitions.length > 0 || more > 0);
  }

  /** Brings the list up to date, then returns the definitions like `all`. */
  async current(): Promise<PackageDefinitions[]> {
    await this.#list().catch(() => {}); // if the listing took too long, the previous one is used
    return this.all();
  }

  #listSoon(): void {
    if (this.#watchers === 0 || this.#isCurrent() || this.#listing) return;
    this.#listing = this.#listWhileStale().then((answered) => {
      this.#listing = null;
      // If there is no image, the start of the next one triggers a listing. An immediate retry would be repeated endlessly.
      if (answered) this.#listSoon();
    });
  }

  /** Lists until everything is current. Returns false if there is no image. */
  async #listWhileStale(): Promise<boolean> {
    while (this.#watchers > 0 && !this.#isCurrent()) {
      const began = performance.now();
      let least = 0;
      try {
        if (!(await this.#list())) return false;
      } catch {
        least = AGAIN;
      }
      const rest = Math.max(least, (performance.now() - began) * REST);
      if (this.#isCurrent() || least > 0) await delay(rest, undefined, { ref: false });
    }
    return true;
  }

  #isCurrent(): boolean {
    return this.#stale?.size === 0;
  }

  /**
   * Lists the changed packages. Returns false if there is no image; definitions that were lost with it are reported when it ends.
   * @throws WorkbenchError if the image did not answer; the changes remain to be listed.
   */
  async #list(): Promise<boolean> {
    if (this.#isCurrent()) return true;
    const names = this.#stale === null ? null : [...this.#stale];
    this.#stale = new Set();
    const asked = new Set(names ?? this.#packages.keys());
    const others = [...this.#packages].filter(([name]) => !asked.has(name));
    const room = Math.max(0, MOST_IN_ALL - others.reduce((sum, [, { definitions }]) => sum + definitions.length, 0));
    let reply: OperationReply<'definitions'>;
    try {
      reply = await this.#session.lookUp('definitions', { packages: names, text: null, most: MOST_LISTED, room });
    } catch (error) {
      if (names === null) this.#stale = null;
      else for (const name of names) this.#stale?.add(name);
      if (error instanceof WorkbenchError && WITHOUT_IMAGE.has(error.code)) return false;
      throw error;
    }
    const present = new Set(reply.packages.map((each) => each.package));
    this.#apply(
      reply.packages,
      [...asked].filter((name) => !present.has(name) && this.#packages.has(name)),
    );
    return true;
  }

  #apply(packages: PackageDefinitions[], removedPackages: string[]): void {
    if (packages.length === 0 && removedPackages.length === 0) return;
    for (const name of removedPackages) {
      this.#packages.delete(name);
      this.#stale?.delete(name);
    }
    for (const each of packages) this.#packages.set(each.package, each);
    this.#events.emit('changed', { packages, removedPackages });
  }
}
