/**
 * Descriptions and licences of systems, which the index of a dist does not have. They come from the definition files of installed systems,
 * and from the digest of a dist that `npm run dist-digest` makes for a release of the program.
 */
import { readFile } from 'node:fs/promises';
import type { ClientHome } from './client-home.ts';
import type { Dist } from './closure.ts';
import { factsIn, type SystemFacts } from './definition-text.ts';

/** The facts of the digest: for each system its description and its licence, empty where there is none. */
export interface DistDigest {
  /** The name and version of the dist; null if no digest was made. */
  readonly dist: string | null;
  readonly systems: Readonly<Record<string, readonly [description: string, licence: string]>>;
}

/** The maximum length of a definition file in characters; longer ones are not read. */
const MOST_CHARACTERS = 400_000;
const UNKNOWN: SystemFacts = { description: null, licence: null };

export class Descriptions {
  readonly #home: ClientHome;
  readonly #digest: () => Promise<DistDigest>;
  /** The facts in each definition file. The folder of a release has its version in its name, so the files do not change. */
  readonly #files = new Map<string, Map<string, SystemFacts>>();

  constructor(home: ClientHome, digest: () => Promise<DistDigest> = digestOfProgram) {
    this.#home = home;
    this.#digest = digest;
  }

  /** Returns a function that gives the facts about a system of the dists. */
  async of(dists: readonly Dist[]): Promise<(system: string) => SystemFacts> {
    const installed = new Map<string, SystemFacts>();
    for (const { info } of dists.toReversed())
      for (const file of await this.#home.installedFiles(info))
        for (const [system, facts] of await this.#factsOf(file)) installed.set(system, facts);
    const { systems } = await this.#digest();
    return (system) => {
      const known = installed.get(system);
      const [description = '', licence = ''] = systems[system] ?? [];
      if (known === undefined && description === '' && licence === '') return UNKNOWN;
      return { description: known?.description ?? (description || null), licence: known?.licence ?? (licence || null) };
    };
  }

  async #factsOf(file: string): Promise<Map<string, SystemFacts>> {
    const known = this.#files.get(file);
    if (known) return known;
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) return new Map();
    const facts = text.length > MOST_CHARACTERS ? new Map<string, SystemFacts>() : factsIn(text);
    this.#files.set(file, facts);
    return facts;
  }
}

async function digestOfProgram(): Promise<DistDigest> {
  const { default: digest } = await import('./dist-digest.json', { with: { type: 'json' } });
  return digest;
}
