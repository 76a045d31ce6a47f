/** The folder of a Quicklisp client: its dists, and what is installed in it. The folder may have dists but no client. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import type { Dist } from './closure.ts';
import { parseDistInfo, type DistInfo } from './dist-index.ts';
import { distOf, type FetchedDist, type FetchText } from './dist-source.ts';

/** A dist that was read, and the state of its files at that time. */
interface ReadDist {
  readonly state: string;
  readonly dist: Dist;
}

/** The seconds between the epoch of Common Lisp's universal time (1900) and that of Unix. */
const EPOCH_SECONDS = 2_208_988_800;

export class ClientHome {
  readonly folder: string;
  readonly #read = new Map<string, ReadDist>();

  /** `folder` contains `setup.lisp` if it has a client. */
  constructor(folder: string) {
    this.folder = folder;
  }

  get setup(): string {
    return path.join(this.folder, 'setup.lisp');
  }

  get hasClient(): boolean {
    return existsSync(this.setup);
  }

  /** Returns the folder of a dist. */
  distFolder({ name }: Pick<DistInfo, 'name'>): string {
    return path.join(this.folder, 'dists', name);
  }

  /**
   * Returns the enabled dists with their index, the preferred one first. An index that the client has not fetched yet is fetched, but not
   * written. A dist is read again only after its files have changed. @throws WorkbenchError if a dist cannot be read.
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
      enabled.map(async (folder) => ({
        dist: await this.#distIn(folder, fetchText),
        preference: await preferenceOf(folder),
      })),
    );
    return read.toSorted((one, other) => other.preference - one.preference).map(({ dist }) => dist);
  }

  async #distIn(folder: string, fetchText: FetchText): Promise<Dist> {
    const state = (await Promise.all(INDEX_FILES.map((name) => stateOf(path.join(folder, name))))).join(' ');
    const known = this.#read.get(folder);
    if (known?.state === state) return known.dist;
    const described = path.join(folder, 'distinfo.txt');
    const info = inFile(described, parseDistInfo, await readFile(described, 'utf8'));
    if (info.name !== path.basename(folder))
      throw new WorkbenchError('refused', `The dist in ${folder} describes itself as ${info.name}.`);
    const dist = await this.#indexOf(info, folder, fetchText);
    this.#read.set(folder, { state, dist });
    return dist;
  }

  /** Returns the dist with its index. A damaged index is fetched again. @throws WorkbenchError if it cannot be read or fetched. */
  async #indexOf(info: DistInfo, folder: string, fetchText: FetchText): Promise<Dist> {
    const files = ['releases.txt', 'systems.txt'].map((name) => path.join(folder, name));
    const [releases, systems] = await Promise.all([
      textOf(files[0]!, info.releaseIndexUrl, fetchText),
      textOf(files[1]!, info.systemIndexUrl, fetchText),
    ]);
    try {
      if (releases.trim() === '' || systems.trim() === '') throw new WorkbenchError('refused', 'The index is empty.');
      return distOf(info, releases, systems);
    } catch (error) {
      const fetched = await Promise.all([fetchText(info.releaseIndexUrl), fetchText(info.systemIndexUrl)]).catch(() => {
        throw new WorkbenchError(
          'refused',
          `The index of the dist ${info.name} in ${folder} is damaged, and could not be fetched again. ${messageOf(error)}`,
        );
      });
      const dist = distOf(info, ...fetched);
      await replace(files[0]!, fetched[0]);
      await replace(files[1]!, fetched[1]);
      for (const table of TABLES) await rm(path.join(folder, table), { force: true });
      return dist;
    }
  }

  /** Returns true if the client has recorded the release as installed. */
  hasRelease(dist: Pick<DistInfo, 'name'>, project: string): boolean {
    return existsSync(path.join(this.distFolder(dist), 'installed', 'releases', `${project}.txt`));
  }

  /** Returns the state of what is recorded as installed from a dist; it changes whenever a release is installed or removed. */
  async installedState(dist: Pick<DistInfo, 'name'>): Promise<string> {
    const folder = path.join(this.distFolder(dist), 'installed');
    return (await Promise.all(['systems', 'releases'].map((name) => stateOf(path.join(folder, name))))).join(' ');
  }

  /** Returns the projects of a dist whose releases are recorded as installed. */
  async installed(dist: Pick<DistInfo, 'name'>): Promise<Set<string>> {
    return new Set((await this.#records(dist, 'releases')).map(nameOfRecord));
  }

  /**
   * Returns the definition files of the installed systems of a dist, as the client has recorded them, with absolute paths.
   */
  async installedFiles(dist: Pick<DistInfo, 'name'>): Promise<string[]> {
    const folder = path.join(this.distFolder(dist), 'installed', 'systems');
    const names = await this.#records(dist, 'systems');
    const files = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => '')));
    return files.map((file) => path.resolve(this.folder, file.trim()));
  }

  async #records(dist: Pick<DistInfo, 'name'>, kind: 'systems' | 'releases'): Promise<string[]> {
    const names = await readdir(path.join(this.distFolder(dist), 'installed', kind)).catch(() => []);
    return names.filter((name) => name.endsWith('.txt'));
  }

  /**
   * Subscribes to a dist: writes its files as the client does. The new dist is preferred to the others; of those that are added at the same
   * time, the one with the highest rank is.
   */
  async subscribe({ dist: { info }, texts }: FetchedDist, rank = 0): Promise<void> {
    const folder = this.distFolder(info);
    await mkdir(folder, { recursive: true });
    await this.writeDist(info, texts);
    await replace(path.join(folder, 'preference.txt'), String(Math.floor(Date.now() / 1_000) + EPOCH_SECONDS + rank));
    // The client ignores the dist until this file exists.
    await replace(path.join(folder, 'enabled.txt'), '');
  }

  /** Writes the description and the index of a dist, and removes the client's tables of the index, which it makes again. */
  async writeDist(info: Pick<DistInfo, 'name'>, texts: FetchedDist['texts']): Promise<void> {
    const folder = this.distFolder(info);
    await replace(path.join(folder, 'releases.txt'), texts['releases.txt']);
    await replace(path.join(folder, 'systems.txt'), texts['systems.txt']);
    for (const table of TABLES) await rm(path.join(folder, table), { force: true });
    await replace(path.join(folder, 'distinfo.txt'), texts['distinfo.txt']);
  }
}

/** The client's tables of the index, which it makes again. */
const TABLES = ['releases.cdb', 'systems.cdb'];
const INDEX_FILES = ['distinfo.txt', 'releases.txt', 'systems.txt'];

/** Writes a file through a temporary one that is renamed. */
export async function replace(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const part = `${file}.${randomUUID()}.part`;
  await writeFile(part, text);
  await rename(part, file);
}

/** Reads a file's text. An error names the file. */
function inFile<Value>(file: string, parse: (text: string) => Value, text: string): Value {
  try {
    return parse(text);
  } catch (error) {
    throw new WorkbenchError('refused', `${file} cannot be used. ${messageOf(error)}`, { cause: error });
  }
}

function nameOfRecord(name: string): string {
  return name.slice(0, -'.txt'.length);
}

async function stateOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found === null ? '-' : `${found.mtimeMs}/${found.size}/${found.ino}`;
}

async function textOf(file: string, address: string, fetchText: FetchText): Promise<string> {
  return readFile(file, 'utf8').catch(() => fetchText(address));
}

/** Returns the number by which the client orders its dists. */
async function preferenceOf(folder: string): Promise<number> {
  const text = await readFile(path.join(folder, 'preference.txt'), 'utf8').catch(() => '0');
  return Number.parseInt(text, 10) || 0;
}
