/** The folder of a Quicklisp client: its dists, and what is installed in it. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';
import type { Dist } from './closure.ts';
import { parseDistInfo, parseReleases, parseSystems, type DistInfo } from './dist-index.ts';

/** Fetches a text. @throws WorkbenchError with advice for the person. */
export type FetchText = (address: string) => Promise<string>;

export class ClientHome {
  readonly folder: string;

  /** `folder` contains `setup.lisp`. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns the folder of a dist. */
  distFolder({ name }: Pick<DistInfo, 'name'>): string {
    return path.join(this.folder, 'dists', name);
  }

  /**
   * Returns the enabled dists with their index, the preferred one first. An index that the client has not fetched yet is fetched, but not
   * written. @throws WorkbenchError if a dist cannot be read.
   */
  async dists(fetchText: FetchText): Promise<Dist[]> {
    const folders = await readdir(path.join(this.folder, 'dists'), { withFileTypes: true }).catch(() => []);
    const enabled = folders
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => path.join(this.folder, 'dists', name))
      .filter(
        (folder) => existsSync(path.join(folder, 'enabled.txt')) && existsSync(path.join(folder, 'distinfo.txt')),
      );
    const read = await Promise.all(
      enabled.map(async (folder) => {
        const info = parseDistInfo(await readFile(path.join(folder, 'distinfo.txt'), 'utf8'));
        if (info.name !== path.basename(folder))
          throw new WorkbenchError('refused', `The dist in ${folder} describes itself as ${info.name}.`);
        const [releases, systems] = await Promise.all([
          textOf(path.join(folder, 'releases.txt'), info.releaseIndexUrl, fetchText),
          textOf(path.join(folder, 'systems.txt'), info.systemIndexUrl, fetchText),
        ]);
        return { dist: distOf(info, releases, systems), preference: await preferenceOf(folder) };
      }),
    );
    return read.toSorted((one, other) => other.preference - one.preference).map(({ dist }) => dist);
  }

  /** Returns true if the client has recorded the release as installed. */
  hasRelease(dist: Pick<DistInfo, 'name'>, project: string): boolean {
    return existsSync(path.join(this.distFolder(dist), 'installed', 'releases', `${project}.txt`));
  }
}

/** Returns a dist with tables of its systems and releases. */
function distOf(info: DistInfo, releases: string, systems: string): Dist {
  return {
    info,
    releases: new Map(parseReleases(releases).map((release) => [release.project, release])),
    systems: new Map(parseSystems(systems).map((system) => [system.name, system])),
  };
}

async function textOf(file: string, address: string, fetchText: FetchText): Promise<string> {
  return readFile(file, 'utf8').catch(() => fetchText(address));
}

/** Returns the number by which the client orders its dists. */
async function preferenceOf(folder: string): Promise<number> {
  const text = await readFile(path.join(folder, 'preference.txt'), 'utf8').catch(() => '0');
  return Number.parseInt(text, 10) || 0;
}
