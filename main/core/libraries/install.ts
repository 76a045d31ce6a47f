/**
 * Installs releases of a dist in the folder of a Quicklisp client, in the client's own layout. An archive is used only if its size, its MD5
 * and the digest of its contents are those of the dist's index. A release is complete or absent: its folder is renamed last, and a cancelled
 * installation leaves nothing.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { downloadFile } from '#core/downloads/download.ts';
import { readTar } from '#core/downloads/tar.ts';
import { UnpackedFolder, type ArchiveEntry } from '#core/downloads/unpacked-folder.ts';
import { replace, type ClientHome } from './client-home.ts';
import type { WantedRelease } from './closure.ts';
import { contentDigests } from './content-digest.ts';
import type { DistInfo, Release } from './dist-index.ts';
import { secure } from './secure-address.ts';

export interface InstallRequest {
  readonly signal: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
  /** Called with the release that is being installed and a sentence about its progress. */
  readonly progress: (release: Release, words: string) => void;
}

/** The maximum numbers of entries and octets of an unpacked release. */
const LIMITS = { entries: 100_000, octets: 2_000_000_000 };

/** Installs the releases in their order, except those that are installed. @throws WorkbenchError with the release that failed and advice. */
export async function installReleases(
  home: ClientHome,
  releases: readonly WantedRelease[],
  request: InstallRequest,
): Promise<void> {
  for (const name of new Set(releases.map(({ dist }) => dist.name))) await removeAbandoned(home.distFolder({ name }));
  for (const { dist, release } of releases) {
    request.signal.throwIfAborted();
    if (home.hasRelease(dist, release.project)) continue;
    await installRelease(home, dist, release, request);
  }
}

/** The beginning of the name of a folder in which a release is prepared; the process's id follows. */
const WORK = '.installing-';

/** Removes the folders of installations whose process was killed. */
async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(WORK)))
    if (!isRunning(Number.parseInt(name.slice(WORK.length), 10)))
      await rm(path.join(folder, name), { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

async function installRelease(
  home: ClientHome,
  dist: DistInfo,
  release: Release,
  request: InstallRequest,
): Promise<void> {
  const prepared = await prepareRelease(home, { dist, release }, request);
  try {
    request.signal.throwIfAborted();
    await placeRelease(home, prepared);
  } finally {
    await prepared.discard();
  }
}

/** A release that was downloaded, checked and unpacked in a folder of its own, but is not installed yet. */
export interface PreparedRelease extends WantedRelease {
  readonly work: string;
  readonly archive: string;
  /** Removes what is left of it. */
  discard(): Promise<void>;
}

/** Downloads, checks and unpacks a release beside its place. @throws WorkbenchError with the reason; then nothing of it is left. */
export async function prepareRelease(
  home: ClientHome,
  { dist, release }: WantedRelease,
  request: InstallRequest,
): Promise<PreparedRelease> {
  const work = path.join(home.distFolder(dist), `${WORK}${process.pid}-${randomUUID()}`);
  const discard = (): Promise<void> => rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  try {
    const archive = await verifiedArchive(work, dist, release, request);
    request.progress(release, 'Unpacking it');
    await unpack(archive, work, dist, release, request.signal);
    return { dist, release, work, archive, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Downloads the archive into the folder `work`, and checks its size and MD5. @throws WorkbenchError for an archive that differs. */
async function verifiedArchive(
  work: string,
  dist: DistInfo,
  release: Release,
  { signal, environment, progress }: InstallRequest,
): Promise<string> {
  const file = path.join(work, archiveName(release));
  const md5 = await downloadFile(secure(release.url), file, {
    what: `The release ${release.project}`,
    most: Math.max(release.size, 1),
    signal,
    progress: (words) => progress(release, words),
    environment,
    checksum: 'md5',
    resume: true,
  }).catch((error: unknown) => {
    if (error instanceof WorkbenchError && error.code === 'too-large') throw unlike(dist, release, 'size');
    throw error;
  });
  const { size } = await stat(file);
  if (size !== release.size) throw unlike(dist, release, 'size');
  if (md5 !== release.md5) throw unlike(dist, release, 'MD5');
  return file;
}

/** Unpacks the archive into `work/software` and checks the digest of its contents. @throws WorkbenchError for an archive that differs. */
async function unpack(
  archive: string,
  work: string,
  dist: DistInfo,
  release: Release,
  signal: AbortSignal,
): Promise<void> {
  const software = path.join(work, 'software');
  await mkdir(software);
  const unpacked = new UnpackedFolder(software, LIMITS, signal);
  const files: string[] = [];
  await readTar(createReadStream(archive), async (entry: ArchiveEntry) => {
    // The client leaves out symbolic links, too; some releases have links that lead nowhere.
    if (entry.kind === 'symbolic link') return;
    if (entry.kind === 'file') files.push(entry.name);
    await unpacked.put(entry);
  });
  await unpacked.finish();
  const outside = files.find((file) => !file.startsWith(`${release.prefix}/`));
  if (outside !== undefined)
    throw new WorkbenchError(
      'refused',
      `The archive of ${release.project} has a file outside its folder ${release.prefix}, so it was not installed.`,
    );
  const digests = await contentDigests(software, files);
  if (!digests.includes(release.contentSha1)) throw unlike(dist, release, 'contents');
  const absent = release.systemFiles.find((file) => !existsSync(path.join(software, release.prefix, file)));
  if (absent !== undefined)
    throw new WorkbenchError('refused', `The archive of ${release.project} has no ${absent}, so it was not installed.`);
}

/** Moves a prepared release to its place, and then records it as the client does. */
export async function placeRelease(home: ClientHome, { dist, release, work, archive }: PreparedRelease): Promise<void> {
  const folder = home.distFolder(dist);
  const target = path.join(folder, 'software', release.prefix);
  await mkdir(path.dirname(target), { recursive: true });
  await moveInto(path.join(work, 'software', release.prefix), target, work);
  await mkdir(path.join(folder, 'archives'), { recursive: true });
  await rename(archive, path.join(folder, 'archives', archiveName(release)));
  const here = `dists/${dist.name}/software/${release.prefix}/`;
  for (const file of release.systemFiles) {
    const name = path.posix.basename(file, '.asd');
    await replace(path.join(folder, 'installed', 'systems', `${name}.txt`), `${here}${file}\n`);
  }
  await replace(path.join(folder, 'installed', 'releases', `${release.project}.txt`), `${here}\n`);
}

/**
 * Renames a folder to `target`. Moves a folder that is there into `work` first: an interrupted installation left it, or another process has
 * just installed the same release. That process may be faster again, so the move is tried some times.
 */
async function moveInto(folder: string, target: string, work: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await rename(target, path.join(work, `before-${tries}`)).catch(ignoreAbsence);
    try {
      return await rename(folder, target);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (tries === MOST_TRIES || (code !== 'ENOTEMPTY' && code !== 'EEXIST')) throw error;
    }
  }
}

const MOST_TRIES = 5;

function ignoreAbsence(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** Returns the name of the archive's file, as the client names it. */
export function archiveName({ url, prefix }: Release): string {
  const name = URL.canParse(url) ? path.posix.basename(new URL(url).pathname) : '';
  return name === '' ? `${prefix}.tgz` : name;
}

function unlike({ name }: DistInfo, { project }: Release, what: string): WorkbenchError {
  return new WorkbenchError(
    'refused',
    `The archive of ${project} does not have the ${what} that the dist ${name} states, so it was not installed. The server or the network may have changed it.`,
  );
}
