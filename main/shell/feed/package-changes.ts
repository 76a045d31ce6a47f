/** Changes to facts about packages that are waiting for the page. Only the latest change to each package is kept. */
import type { Channel, PageEvent } from './outbox.ts';

interface Change<Item> {
  readonly packages: readonly Item[];
  readonly removedPackages: readonly string[];
}

export class PackageChanges<Item> implements Channel {
  readonly #event: string;
  readonly #nameOf: (item: Item) => string;
  readonly #wake: () => void;
  /** The latest change of each package, by name; null for a deleted package. */
  readonly #packages = new Map<string, Item | null>();

  constructor(event: string, nameOf: (item: Item) => string, wake: () => void) {
    this.#event = event;
    this.#nameOf = nameOf;
    this.#wake = wake;
  }

  get waits(): boolean {
    return this.#packages.size > 0;
  }

  add({ packages, removedPackages }: Change<Item>): void {
    for (const name of removedPackages) this.#packages.set(name, null);
    for (const each of packages) this.#packages.set(this.#nameOf(each), each);
    this.#wake();
  }

  take(): PageEvent[] {
    if (this.#packages.size === 0) return [];
    const all = [...this.#packages];
    this.#packages.clear();
    const change: Change<Item> = {
      packages: all.flatMap(([, each]) => (each === null ? [] : [each])),
      removedPackages: all.flatMap(([name, each]) => (each === null ? [name] : [])),
    };
    return [[this.#event, change]];
  }

  clear(): void {
    this.#packages.clear();
  }
}
