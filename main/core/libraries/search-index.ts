/** Searching the systems of dists by their names and descriptions. */
import type { FoundLibrary } from '#contract/libraries.ts';
import type { ClientHome } from './client-home.ts';
import type { Dist } from './closure.ts';
import type { Descriptions } from './descriptions.ts';

interface Entry {
  readonly library: FoundLibrary;
  readonly name: string;
  /** The name and the description in lower case. */
  readonly text: string;
}

export class SearchIndex {
  readonly #home: ClientHome;
  readonly #descriptions: Descriptions;
  #known: { readonly dists: readonly Dist[]; readonly state: string; readonly entries: readonly Entry[] } | null = null;

  constructor(home: ClientHome, descriptions: Descriptions) {
    this.#home = home;
    this.#descriptions = descriptions;
  }

  /** Returns the systems whose names or descriptions contain all words, in any case; those whose names match are first. */
  async search(dists: readonly Dist[], words: readonly string[], installedOnly: boolean): Promise<FoundLibrary[]> {
    const wanted = words.map((word) => word.toLowerCase()).filter((word) => word !== '');
    const entries = (await this.#entries(dists)).filter(
      ({ text, library }) => (library.installed || !installedOnly) && wanted.every((word) => text.includes(word)),
    );
    const whole = wanted.join('-');
    const rank = ({ name }: Entry): number => {
      if (name === whole) return 0;
      if (name.startsWith(whole)) return 1;
      return wanted.every((word) => name.includes(word)) ? 2 : 3;
    };
    const ranks = new Map(entries.map((entry) => [entry, rank(entry)]));
    const inOrder = (one: Entry, other: Entry): number =>
      ranks.get(one)! - ranks.get(other)! || (one.library.system < other.library.system ? -1 : 1);
    return entries.toSorted(inOrder).map(({ library }) => library);
  }

  async #entries(dists: readonly Dist[]): Promise<readonly Entry[]> {
    const states = await Promise.all(dists.map(({ info }) => this.#home.installedState(info)));
    const state = states.join('\n');
    const known = this.#known;
    if (known?.state === state && known.dists.every((dist, index) => dist === dists[index])) return known.entries;
    const facts = await this.#descriptions.of(dists);
    const entries: Entry[] = [];
    for (const { info, systems, releases } of dists) {
      const installed = await this.#home.installed(info);
      for (const { name: system, project } of systems.values()) {
        const { description, licence } = facts(system);
        const release = releases.get(project)?.prefix ?? project;
        const name = system.toLowerCase();
        const library = {
          system,
          project,
          dist: info.name,
          release,
          installed: installed.has(project),
          description,
          licence,
        };
        entries.push({ library, name, text: `${name} ${description?.toLowerCase() ?? ''}` });
      }
    }
    this.#known = { dists, state, entries };
    return entries;
  }
}
