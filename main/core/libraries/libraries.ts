/** The libraries of the person's Quicklisp: searching its dists, installing from them and updating them, without running any Lisp code. */
import { homedir } from 'node:os';
import path from 'node:path';
import type { DistUpdate, FoundLibrary, InstallPlan, LibrariesOverview, PlanRelease } from '#contract/libraries.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { nearest, suggestionText } from '#core/base/suggestions.ts';
import { messageForPerson } from '#core/base/system-faults.ts';
import { ClientHome } from './client-home.ts';
import { closureOf, type Dist, type WantedRelease } from './closure.ts';
import { Descriptions, type DistDigest } from './descriptions.ts';
import { parseVersions, type DistSystem } from './dist-index.ts';
import { fetchDist, fetchIndex, type FetchedDist } from './dist-source.ts';
import { quicklispSetups } from './find-client.ts';
import { installReleases, type InstallRequest } from './install.ts';
import { SearchIndex } from './search-index.ts';
import { secure } from './secure-address.ts';
import { CLIENT_ADDRESS, setUpClient } from './set-up.ts';
import { differencesOf, releasesToReplace, updateDist } from './updates.ts';

interface LibrariesOptions {
  /** The folder; if omitted, that of the person's client, or the usual one. */
  readonly folder?: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Returns the addresses of the dists to which a folder without dists is subscribed, the preferred one first. */
  readonly addresses: () => readonly string[];
  /** Returns the digest with descriptions; the program's own if omitted. */
  readonly digest?: () => Promise<DistDigest>;
}

/** A report on an installation, a set-up or an update. */
export interface WorkReport {
  readonly signal: AbortSignal;
  /** Called with the part that is being installed, the number of finished parts, that of all parts, and a sentence about the part. */
  readonly progress: (part: string, done: number, total: number, words: string) => void;
}

export class ClientLibraries {
  readonly #options: LibrariesOptions;
  #home: ClientHome;
  #descriptions: Descriptions;
  #index: SearchIndex;
  /** The configured dists, which were fetched because the folder has none. */
  #fetched: Promise<FetchedDist[]> | null = null;

  constructor(options: LibrariesOptions) {
    this.#options = options;
    this.#home = new ClientHome(folderOf(options));
    this.#descriptions = new Descriptions(this.#home, options.digest);
    this.#index = new SearchIndex(this.#home, this.#descriptions);
  }

  /** The folder of the client, or the one in which a client would be set up. */
  get home(): ClientHome {
    const folder = folderOf(this.#options);
    if (folder !== this.#home.folder) {
      this.#home = new ClientHome(folder);
      this.#descriptions = new Descriptions(this.#home, this.#options.digest);
      this.#index = new SearchIndex(this.#home, this.#descriptions);
    }
    return this.#home;
  }

  /** Returns the state of the folder. Requires no network. */
  async overview(): Promise<Omit<LibrariesOverview, 'project' | 'work'>> {
    const { home } = this;
    const about = { folder: home.folder, hasClient: home.hasClient };
    try {
      const dists = await home.dists(this.#fetchText);
      const addresses = dists.map(({ info }) => info.subscriptionUrl).filter((address) => address !== null);
      const subscribed = new Set(addresses.map(secure));
      return {
        ...about,
        dists: await Promise.all(
          dists.map(async ({ info, systems, releases }) => ({
            name: info.name,
            version: info.version,
            address: info.subscriptionUrl,
            systems: systems.size,
            releases: releases.size,
            installed: (await home.installed(info)).size,
            hasVersions: info.versionsUrl !== null,
          })),
        ),
        unsubscribed:
          dists.length === 0
            ? [...this.#options.addresses()]
            : this.#options.addresses().filter((each) => !subscribed.has(secure(each))),
        problem: null,
      };
    } catch (error) {
      return { ...about, dists: [], unsubscribed: [], problem: messageForPerson(error) };
    }
  }

  /**
   * Searches the names and descriptions of all systems; those whose names match are first. If none matches, `similar` contains the names
   * that may have been meant. @throws WorkbenchError with advice.
   */
  async search(
    words: readonly string[],
    { installedOnly = false, most = Infinity }: { installedOnly?: boolean; most?: number } = {},
  ): Promise<{ found: FoundLibrary[]; more: number; similar: string[] }> {
    const dists = await this.dists();
    const all = await this.#index.search(dists, words, installedOnly);
    const similar = all.length > 0 ? [] : nearest(words.join('-'), systemNames(dists));
    return { found: all.slice(0, most), more: Math.max(0, all.length - most), similar };
  }

  /** Returns what the named systems need. @throws WorkbenchError `not-found` if no dist provides a named system. */
  async plan(given: readonly string[]): Promise<InstallPlan> {
    const names = given.map((name) => name.toLowerCase());
    const dists = await this.dists();
    const { releases, missing } = this.#closure(names, dists);
    const facts = await this.#descriptions.of(dists);
    const planned = releases.map(({ dist, release }): PlanRelease => {
      const { project, prefix, size, md5 } = release;
      const installed = this.home.hasRelease(dist, project);
      const { licence } = facts(project);
      return { dist: dist.name, version: dist.version, project, release: prefix, size, md5, licence, installed };
    });
    return {
      systems: [...names],
      releases: planned,
      size: planned.reduce((sum, { size, installed }) => sum + (installed ? 0 : size), 0),
      missing: [...missing],
      neededBy: (await this.#dependents(names, dists)).slice(0, MOST_DEPENDENTS),
    };
  }

  /**
   * Installs the named systems with everything that they need, and subscribes the folder to the dists first if it has none. @throws
   * WorkbenchError with advice; releases that were installed before the failure remain.
   */
  async install(names: readonly string[], report: WorkReport): Promise<void> {
    const { releases } = this.#closure(
      names.map((name) => name.toLowerCase()),
      await this.dists(),
    );
    await this.installReleases(releases, report);
  }

  /** Installs the releases of the dists of this folder. Otherwise like `install`. */
  async installReleases(releases: readonly WantedRelease[], report: WorkReport): Promise<void> {
    await this.#subscribe();
    const wanted = releases.filter(({ dist, release }) => !this.home.hasRelease(dist, release.project));
    await installReleases(this.home, wanted, this.#requestFor(report, wanted.length));
  }

  /** Returns the same functions for the client of another folder, such as one of qlot. It has the dists of that folder only. */
  inFolder(folder: string): ClientLibraries {
    return new ClientLibraries({ ...this.#options, folder, addresses: () => [] });
  }

  /**
   * Returns the releases that systems need, and those of projects, with a function that gives the licence of a project. Names that no dist
   * has are left out.
   */
  async releasesFor(
    systems: readonly string[],
    projects: readonly string[],
  ): Promise<{ releases: WantedRelease[]; licences: (project: string) => string | null }> {
    const dists = await this.dists();
    const facts = await this.#descriptions.of(dists);
    const named = projects.flatMap((project) => {
      const dist = dists.find(({ releases }) => releases.has(project));
      return dist ? [{ dist: dist.info, release: dist.releases.get(project)! }] : [];
    });
    return {
      releases: [...closureOf(systems, dists).releases, ...named],
      licences: (project) => facts(project).licence,
    };
  }

  /** Downloads the client and subscribes to the configured dists. @throws WorkbenchError with advice; then nothing was set up. */
  async setUp(report: WorkReport): Promise<void> {
    const { environment } = this.#options;
    await setUpClient(this.home, {
      address: environment['LISP_WORKBENCH_QUICKLISP_CLIENT'] || CLIENT_ADDRESS,
      fetchText: (address) => fetchIndex(address, environment, report.signal),
      signal: report.signal,
      environment,
      progress: (file, words) => report.progress(file, 0, 0, words),
      // The dists are fetched before the folder becomes that of a client, so that it never is one without a dist.
      before: async () => {
        await this.dists();
        await this.#subscribe();
      },
    });
  }

  /** Returns true if a dist of the folder provides a system; null if the folder has no dists. Requires no network. */
  async provides(system: string): Promise<boolean | null> {
    const dists = await this.#presentDists();
    return dists.length === 0 ? null : dists.some(({ systems }) => systems.has(system));
  }

  /** Returns the names of the systems in the folder's dists. Requires no network. */
  async names(): Promise<string[]> {
    return systemNames(await this.#presentDists());
  }

  /** Returns the dists of the folder whose indexes are present; empty if one is not. */
  async #presentDists(): Promise<Dist[]> {
    const offline = (): Promise<string> => Promise.reject(new Error('The index is not here.'));
    return this.home.dists(offline).catch(() => []);
  }

  /** Subscribes to the dist at an address. @throws WorkbenchError with advice. */
  async addDist(address: string): Promise<void> {
    const fetched = await fetchDist(address, this.#fetchText);
    const { name } = fetched.dist.info;
    if ((await this.home.dists(this.#fetchText)).some(({ info }) => info.name === name))
      throw new WorkbenchError('refused', `${this.home.folder} is already subscribed to a dist called ${name}.`);
    await this.home.subscribe(fetched);
  }

  /** Returns the versions of a dist, newest first. @throws WorkbenchError with advice. */
  async versions(name: string): Promise<string[]> {
    return (await this.#versionsOf(await this.#dist(name))).map(({ version }) => version);
  }

  /** Compares a dist with its newest version, or with the named one; null if it has that version. @throws WorkbenchError with advice. */
  async compare(name: string, version: string | null): Promise<DistUpdate | null> {
    const before = await this.#dist(name);
    const { dist: after } = await this.#fetchVersion(before, version);
    if (after.info.version === before.info.version) return null;
    const installed = await this.home.installed(before.info);
    const differences = differencesOf(before, after);
    const { added, changed, removed } = differences;
    const gone = new Set(removed.map(({ project }) => project));
    const projects = [...changed.map((pair) => pair.after), ...removed].map(({ project }) => project);
    return {
      dist: name,
      before: before.info.version,
      after: after.info.version,
      added: added.map(({ prefix }) => prefix),
      changed: changed.map((pair) => ({
        project: pair.after.project,
        before: pair.before.prefix,
        after: pair.after.prefix,
      })),
      removed: removed.map(({ project }) => ({ project, neededBy: dependentsOf(project, before, installed, gone) })),
      used: projects.filter((project) => installed.has(project)),
      size: releasesToReplace(differences, installed).reduce((sum, { size }) => sum + size, 0),
    };
  }

  /** Changes a dist to a version, with all installed releases. @throws WorkbenchError with advice; then the dist is as before. */
  async update(name: string, version: string, report: WorkReport): Promise<void> {
    const before = await this.#dist(name);
    const fetched = await this.#fetchVersion(before, version);
    const installed = await this.home.installed(before.info);
    const total = releasesToReplace(differencesOf(before, fetched.dist), installed).length;
    await updateDist(this.home, before, fetched, this.#requestFor(report, total));
  }

  readonly #fetchText = (address: string): Promise<string> => fetchIndex(address, this.#options.environment);

  /** Returns the enabled dists of the folder, or the configured ones if it has none. @throws WorkbenchError if one cannot be read. */
  async dists(): Promise<Dist[]> {
    const dists = await this.home.dists(this.#fetchText);
    if (dists.length > 0) return dists;
    this.#fetched ??= Promise.all(this.#options.addresses().map((address) => fetchDist(address, this.#fetchText))).then(
      firstOfEachName,
    );
    try {
      return (await this.#fetched).map(({ dist }) => dist);
    } catch (error) {
      this.#fetched = null;
      throw error;
    }
  }

  /** Subscribes the folder to the configured dists if it has none. */
  async #subscribe(): Promise<void> {
    const fetched = (await this.home.dists(this.#fetchText)).length === 0 ? ((await this.#fetched) ?? []) : [];
    for (const [index, each] of fetched.entries()) await this.home.subscribe(each, fetched.length - index);
    this.#fetched = null;
  }

  #closure(names: readonly string[], dists: readonly Dist[]): ReturnType<typeof closureOf> {
    const closure = closureOf(names, dists);
    const unknown = names.filter((name) => closure.missing.includes(name));
    if (unknown.length === 0) return closure;
    const of = dists.map(({ info }) => `${info.name} ${info.version}`).join(', ') || 'none';
    const near = unknown.length === 1 ? suggestionText(unknown[0]!, systemNames(dists)) : '';
    throw new WorkbenchError(
      'not-found',
      `No dist provides ${unknown.join(', ')}.${near} The enabled dists are: ${of}.`,
    );
  }

  /** Returns the installed systems that depend on one of the named systems. */
  async #dependents(names: readonly string[], dists: readonly Dist[]): Promise<string[]> {
    const found: DistSystem[] = [];
    for (const { info, systems } of dists) {
      const installed = await this.home.installed(info);
      for (const system of systems.values())
        if (installed.has(system.project) && system.dependencies.some((each) => names.includes(each)))
          found.push(system);
    }
    return [...new Set(found.map(({ name }) => name))].filter((name) => !names.includes(name)).toSorted();
  }

  async #dist(name: string): Promise<Dist> {
    const dist = (await this.home.dists(this.#fetchText)).find(({ info }) => info.name === name);
    if (dist) return dist;
    throw new WorkbenchError('not-found', `${this.home.folder} is not subscribed to a dist called ${name}.`);
  }

  async #versionsOf({ info }: Dist): Promise<{ version: string; address: string }[]> {
    if (info.versionsUrl === null)
      throw new WorkbenchError('not-found', `The dist ${info.name} has no list of versions.`);
    return parseVersions(await this.#fetchText(info.versionsUrl));
  }

  async #fetchVersion(current: Dist, version: string | null): Promise<FetchedDist> {
    const { info } = current;
    if (info.subscriptionUrl === null && version === null)
      throw new WorkbenchError('not-found', `The dist ${info.name} has no address for updates.`);
    const newest = info.subscriptionUrl === null ? null : await fetchDist(info.subscriptionUrl, this.#fetchText);
    const listed =
      newest !== null && (version === null || newest.dist.info.version === version)
        ? newest
        : await this.#listedVersion(current, version!);
    if (listed.dist.info.name === info.name) return listed;
    throw new WorkbenchError('refused', `The update of ${info.name} describes itself as ${listed.dist.info.name}.`);
  }

  async #listedVersion(dist: Dist, version: string): Promise<FetchedDist> {
    const found = (await this.#versionsOf(dist)).find((each) => each.version === version);
    if (found) return fetchDist(found.address, this.#fetchText);
    throw new WorkbenchError('not-found', `The dist ${dist.info.name} has no version ${version}.`);
  }

  #requestFor(report: WorkReport, total: number): InstallRequest {
    let done = -1;
    let last = '';
    return {
      signal: report.signal,
      environment: this.#options.environment,
      progress: ({ project }, words) => {
        if (project !== last) done += 1;
        last = project;
        report.progress(project, done, total, words);
      },
    };
  }
}

/** Leaves out dists that have the name of an earlier one, because they would have the same folder. */
function firstOfEachName(fetched: readonly FetchedDist[]): FetchedDist[] {
  const names = fetched.map(({ dist }) => dist.info.name);
  return fetched.filter(({ dist }, index) => names.indexOf(dist.info.name) === index);
}

/** Returns the installed projects whose systems depend on one of a project's systems, except those in `without`. Sorted. */
function dependentsOf(
  project: string,
  { systems }: Dist,
  installed: ReadonlySet<string>,
  without: ReadonlySet<string>,
): string[] {
  const own = new Set([...systems.values()].filter((each) => each.project === project).map(({ name }) => name));
  const needs = (each: DistSystem): boolean =>
    installed.has(each.project) && !without.has(each.project) && each.dependencies.some((name) => own.has(name));
  return [...new Set([...systems.values()].filter(needs).map((each) => each.project))].toSorted();
}

function systemNames(dists: readonly Dist[]): string[] {
  return dists.flatMap(({ systems }) => [...systems.keys()]);
}

const MOST_DEPENDENTS = 50;

/** Returns the given folder, that of the first client, or the usual one. */
function folderOf({ folder, environment }: LibrariesOptions): string {
  if (folder !== undefined) return folder;
  const [setup] = quicklispSetups(environment);
  return setup === undefined ? path.join(environment['HOME'] ?? homedir(), 'quicklisp') : path.dirname(setup);
}

/**
 * Returns the addresses of dists: those of the variable `LISP_WORKBENCH_DISTS`, which are separated by spaces or commas, or else those of
 * the setting `libraries.dists`. @throws WorkbenchError `invalid` for a variable with anything else.
 */
export function distAddresses(environment: NodeJS.ProcessEnv, configured: readonly string[]): string[] {
  const given = (environment['LISP_WORKBENCH_DISTS'] ?? '').split(/[\s,]+/).filter((address) => address !== '');
  const wrong = given.find((address) => !/^https?:$/.test(URL.parse(address)?.protocol ?? ''));
  if (wrong !== undefined)
    throw new WorkbenchError('invalid', `LISP_WORKBENCH_DISTS: ${JSON.stringify(wrong)} is not the address of a dist.`);
  return given.length > 0 ? given : [...configured];
}
