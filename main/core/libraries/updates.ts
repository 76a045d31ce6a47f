/**
 * Changing a dist to another version. All archives are downloaded and checked first, so that a failed or cancelled update changes nothing.
 * After that, the releases and the index are replaced, and what the new version does not use is removed.
 */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ClientHome } from './client-home.ts';
import type { Dist } from './closure.ts';
import type { Release } from './dist-index.ts';
import type { FetchedDist } from './dist-source.ts';
import { archiveName, placeRelease, prepareRelease, type InstallRequest, type PreparedRelease } from './install.ts';

export interface DistDifferences {
  /** Projects that only the new version has. */
  readonly added: readonly Release[];
  readonly changed: readonly { readonly before: Release; readonly after: Release }[];
  /** Projects that only the old version has. */
  readonly removed: readonly Release[];
}

/** Returns the differences between the releases of two versions of a dist, each list sorted by name. */
export function differencesOf(before: Dist, after: Dist): DistDifferences {
  const byName = (one: Release, other: Release): number => (one.project < other.project ? -1 : 1);
  const all = [...after.releases.values()].toSorted(byName);
  return {
    added: all.filter(({ project }) => !before.releases.has(project)),
    changed: all
      .map((release) => ({ before: before.releases.get(release.project), after: release }))
      .filter((pair): pair is { before: Release; after: Release } => pair.before !== undefined)
      .filter((pair) => pair.before.contentSha1 !== pair.after.contentSha1 || pair.before.prefix !== pair.after.prefix),
    removed: [...before.releases.values()].filter(({ project }) => !after.releases.has(project)).toSorted(byName),
  };
}

/** Returns the installed releases that an update to `after` downloads. */
export function releasesToReplace({ changed }: DistDifferences, installed: ReadonlySet<string>): Release[] {
  return changed.filter(({ after }) => installed.has(after.project)).map(({ after }) => after);
}

/**
 * Changes a dist to the fetched version, with all installed releases. Releases that the new version does not have are removed, as the client
 * does. @throws WorkbenchError with the reason; then the dist is as before.
 */
export async function updateDist(
  home: ClientHome,
  before: Dist,
  { dist: after, texts }: FetchedDist,
  request: InstallRequest,
): Promise<void> {
  const differences = differencesOf(before, after);
  const installed = await home.installed(before.info);
  const prepared: PreparedRelease[] = [];
  try {
    for (const release of releasesToReplace(differences, installed)) {
      request.signal.throwIfAborted();
      prepared.push(await prepareRelease(home, { dist: after.info, release }, request));
    }
    request.signal.throwIfAborted();
    for (const release of prepared) await placeRelease(home, release);
    await forgetSystems(home, before, after, installed);
    await home.writeDist(after.info, texts);
    await removeUnused(home, after);
  } finally {
    for (const each of prepared) await each.discard();
  }
}

/** Removes the records of installed systems and releases that the new version does not have. */
async function forgetSystems(
  home: ClientHome,
  before: Dist,
  after: Dist,
  installed: ReadonlySet<string>,
): Promise<void> {
  const folder = path.join(home.distFolder(after.info), 'installed');
  for (const project of installed) {
    const old = before.releases.get(project);
    const kept = after.releases.get(project);
    const files = new Set((kept?.systemFiles ?? []).map(nameOfDefinition));
    for (const name of (old?.systemFiles ?? []).map(nameOfDefinition))
      if (!files.has(name)) await rm(path.join(folder, 'systems', `${name}.txt`), { force: true });
    if (kept === undefined) await rm(path.join(folder, 'releases', `${project}.txt`), { force: true });
  }
}

function nameOfDefinition(file: string): string {
  return path.posix.basename(file, '.asd');
}

/** Removes the folders and archives that the new version does not name. A folder that cannot be removed stays; it does no harm. */
async function removeUnused(home: ClientHome, { info, releases }: Dist): Promise<void> {
  const folder = home.distFolder(info);
  const named = [...releases.values()];
  const kept = { software: new Set(named.map(({ prefix }) => prefix)), archives: new Set(named.map(archiveName)) };
  for (const part of ['software', 'archives'] as const) {
    const names = await readdir(path.join(folder, part)).catch(() => []);
    for (const name of names)
      if (!kept[part].has(name))
        await rm(path.join(folder, part, name), { recursive: true, force: true }).catch(() => {});
  }
}
