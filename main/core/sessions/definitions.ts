/** The definitions of an image as the window lists them, kept current from the image's own notices. */
import type { PackageDefinitions } from '#contract/definition.ts';
import { Emitter } from '#core/emitter.ts';
import type { Session } from './session.ts';

export class DefinitionList {
  readonly events = new Emitter<{ changed: { packages: PackageDefinitions[]; removedPackages: string[] } }>();
  readonly #packages = new Map<string, PackageDefinitions>();

  constructor(session: Session) {
    session.events.on('definitions-changed', ({ packages, removedPackages }) => this.#apply(packages, removedPackages));
    session.events.on('life', ({ change }) => {
      if (change === 'started') this.#apply([], [...this.#packages.keys()]);
      if (change === 'rewound') void this.#readAgain(session);
    });
  }

  all(): PackageDefinitions[] {
    return [...this.#packages.values()];
  }

  async #readAgain(session: Session): Promise<void> {
    const reply = await session.lookUp('definitions', { packages: null }).catch(() => null);
    if (!reply) return;
    const present = new Set(reply.packages.map((each) => each.package));
    this.#apply(
      reply.packages,
      [...this.#packages.keys()].filter((name) => !present.has(name)),
    );
  }

  #apply(packages: PackageDefinitions[], removed: string[]): void {
    if (packages.length === 0 && removed.length === 0) return;
    for (const name of removed) this.#packages.delete(name);
    for (const each of packages) this.#packages.set(each.package, each);
    this.events.emit('changed', { packages, removedPackages: removed });
  }
}
