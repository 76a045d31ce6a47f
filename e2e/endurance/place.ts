/**
 * The folders of one run: a home, a project and a folder for temporary files. No other folders are used, so all remaining files can be
 * found.
 */
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mountSmallDisk, type SmallDisk } from '#core/settings/small-disk.fixture.ts';

export interface Place {
  readonly root: string;
  /** LISP_WORKBENCH_HOME for the programs of the run. */
  readonly home: string;
  readonly project: string;
  /** TMPDIR for the programs of the run. It also marks all their processes, because it is in their environment. */
  readonly temporary: string;
  /** The environment of the programs of the run. */
  readonly environment: NodeJS.ProcessEnv;
}

/** The folders of a run whose home is on a disk that can be filled. */
export interface PlaceWithDisk extends Place {
  readonly disk: SmallDisk;
  /** The folder of the cores. No other run uses it. */
  readonly cores: string;
}

/** The size of the small disk in megabytes. The cores are not on it. */
const DISK = 48;

/** Creates the folders, which are deleted with `scope`. Uses the cores in `cache` unless it is null. */
export async function openPlace(scope: AsyncDisposableStack, cache: string | null): Promise<Place> {
  const { root, ...folders } = await openFolders(scope);
  const place = placeOf(root, path.join(root, 'home'), folders);
  await mkdir(place.home);
  if (cache !== null) await symlink(cache, path.join(place.home, 'cache'));
  return place;
}

/** Creates the folders, with the home on a separate small disk. The cores are copied from `cache`. */
export async function openPlaceWithDisk(scope: AsyncDisposableStack, cache: string | null): Promise<PlaceWithDisk> {
  const { root, ...folders } = await openFolders(scope);
  const disk = mountSmallDisk(DISK);
  scope.defer(() => disk.unmount());
  const place = placeOf(root, path.join(disk.folder, 'home'), folders);
  const cores = path.join(root, 'cores');
  await (cache === null ? mkdir(cores) : cp(cache, cores, { recursive: true }));
  await mkdir(place.home);
  await symlink(cores, path.join(place.home, 'cache'));
  return { ...place, disk, cores };
}

async function openFolders(scope: AsyncDisposableStack): Promise<Pick<Place, 'root' | 'project' | 'temporary'>> {
  const root = await mkdtemp(path.join(tmpdir(), 'endurance-'));
  scope.defer(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const folders = { root, project: path.join(root, 'project'), temporary: path.join(root, 'tmp') };
  for (const folder of [folders.project, folders.temporary]) await mkdir(folder);
  return folders;
}

function placeOf(root: string, home: string, { project, temporary }: Pick<Place, 'project' | 'temporary'>): Place {
  const environment = {
    ...process.env,
    LISP_WORKBENCH_HOME: home,
    TMPDIR: temporary,
    XDG_CACHE_HOME: path.join(root, 'cache'), // where ASDF stores compiled files
    SHELL: '/bin/sh',
  };
  return { root, home, project, temporary, environment };
}
