/** The libraries of the person's Quicklisp client: searching its dists, and installing from them without running any Lisp code. */
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { WorkbenchError } from '#core/base/error.ts';
import { fetchFailure, fetchOverHttps } from '#core/downloads/https-fetch.ts';
import { ClientHome } from './client-home.ts';
import { closureOf, type Closure, type Dist, type WantedRelease } from './closure.ts';
import type { DistSystem } from './dist-index.ts';
import { quicklispSetups } from './find-client.ts';
import { installReleases, secure, type InstallRequest } from './install.ts';

/** A closure, divided into what is installed and what is not. */
export interface InstallPlan {
  readonly wanted: readonly WantedRelease[];
  readonly installed: readonly WantedRelease[];
  /** Names of dependencies that no dist provides; the image may have them. */
  readonly missing: readonly string[];
  /** The size of the wanted archives in octets. */
  readonly size: number;
}

/** A system that a search found. */
export interface FoundSystem {
  readonly system: DistSystem;
  readonly dist: string;
  readonly version: string;
  readonly installed: boolean;
}

export class ClientLibraries {
  readonly #home: ClientHome;
  readonly #environment: NodeJS.ProcessEnv;
  #dists: Promise<Dist[]> | null = null;

  /** @throws WorkbenchError `not-found` if the home has no Quicklisp client. */
  constructor(environment: NodeJS.ProcessEnv) {
    const [setup] = quicklispSetups(environment);
    if (setup === undefined)
      throw new WorkbenchError(
        'not-found',
        'No Quicklisp was found in ~/quicklisp or ~/.quicklisp, and ~/.sbclrc loads none. Install it as https://www.quicklisp.org/beta/ describes.',
      );
    this.#home = new ClientHome(path.dirname(setup));
    this.#environment = environment;
  }

  get folder(): string {
    return this.#home.folder;
  }

  /** Returns the systems whose names contain all words, in any case, sorted by name. */
  async search(words: readonly string[]): Promise<FoundSystem[]> {
    const wanted = words.map((word) => word.toLowerCase());
    return (await this.#read())
      .flatMap(({ info, systems }) =>
        [...systems.values()]
          .filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)))
          .map((system) => ({
            system,
            dist: info.name,
            version: info.version,
            installed: this.#home.hasRelease(info, system.project),
          })),
      )
      .toSorted((one, other) => (one.system.name < other.system.name ? -1 : 1));
  }

  /** Returns what the named systems need. @throws WorkbenchError `not-found` if no dist provides a named system. */
  async plan(names: readonly string[]): Promise<InstallPlan> {
    const dists = await this.#read();
    const { releases, missing }: Closure = closureOf(names, dists);
    const unknown = names.filter((name) => missing.includes(name));
    if (unknown.length > 0) {
      const of = dists.map(({ info }) => `${info.name} ${info.version}`).join(', ') || 'none';
      throw new WorkbenchError('not-found', `No dist provides ${unknown.join(', ')}. The enabled dists are: ${of}.`);
    }
    const installed = releases.filter(({ dist, release }) => this.#home.hasRelease(dist, release.project));
    const wanted = releases.filter((each) => !installed.includes(each));
    return { wanted, installed, missing, size: wanted.reduce((sum, { release }) => sum + release.size, 0) };
  }

  /** Installs the releases of a plan. @throws WorkbenchError with advice; releases that were installed before it remain. */
  install({ wanted }: InstallPlan, request: Omit<InstallRequest, 'environment'>): Promise<void> {
    return installReleases(this.#home, wanted, { ...request, environment: this.#environment });
  }

  #read(): Promise<Dist[]> {
    this.#dists ??= this.#home.dists((address) => fetchIndex(address, this.#environment));
    return this.#dists;
  }
}

/** Fetches an index file of a dist. @throws WorkbenchError with advice. */
export async function fetchIndex(address: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const from = secure(address);
  try {
    const response = await fetchOverHttps({
      address: from,
      what: 'The index of the dist',
      headers: {},
      signal: AbortSignal.timeout(INDEX_MS),
      environment,
    });
    return response.body === null ? '' : await text(response.body);
  } catch (error) {
    throw fetchFailure(from, error);
  }
}

/** The time limit for fetching an index file, in milliseconds. */
const INDEX_MS = 60_000;
