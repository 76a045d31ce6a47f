/** Changes of the listed definitions that wait for the page: of each package the latest. */
import type { PackageDefinitions } from '#contract/definition.ts';
import type { DefinitionsChange } from '#core/sessions/definitions/definition-list.ts';
import type { Channel, PageEvent } from './outbox.ts';

export class DefinitionChanges implements Channel {
  readonly #wake: () => void;
  /** The packages by name; null for one that is gone. */
  readonly #packages = new Map<string, PackageDefinitions | null>();

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  get waits(): boolean {
    return this.#packages.size > 0;
  }

  add({ packages, removedPackages }: DefinitionsChange): void {
    for (const name of removedPackages) this.#packages.set(name, null);
    for (const each of packages) this.#packages.set(each.package, each);
    this.#wake();
  }

  take(): PageEvent[] {
    if (this.#packages.size === 0) return [];
    const all = [...this.#packages];
    this.#packages.clear();
    const change: DefinitionsChange = {
      packages: all.flatMap(([, each]) => each ?? []),
      removedPackages: all.flatMap(([name, each]) => (each === null ? [name] : [])),
    };
    return [['definitions-changed', change]];
  }

  clear(): void {
    this.#packages.clear();
  }
}
