/**
 * The folder of an installation while it is being replaced. The old content is set aside until the new content is complete. `restore`
 * undoes an installation that failed or was interrupted, immediately or at the next search.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';

/** Returns the folder in which a movable installation is created. It is beside the installation's own folder. */
export function freshBeside(folder: string): string {
  return `${folder}.new`;
}

/**
 * Sets the current installation aside. Until `settle` is called, `restore` can bring it back; if there was none, `restore` removes the
 * folder.
 */
export async function setAside(folder: string): Promise<void> {
  if (existsSync(folder)) await rename(folder, oldBeside(folder));
  else await mkdir(oldBeside(folder), { recursive: true, mode: 0o700 });
}

/** Marks the new content of the folder as complete. */
export async function settle(folder: string): Promise<void> {
  await rename(oldBeside(folder), goneBeside(folder));
  await removeAll(goneBeside(folder)).catch(() => {}); // if that fails, the old files are deleted at the next search
}

/** Undoes an incomplete installation, and deletes leftovers beside the folder. */
export async function restore(folder: string): Promise<void> {
  for (const left of [freshBeside(folder), goneBeside(folder)]) await removeAll(left);
  if (!existsSync(oldBeside(folder))) return;
  await removeAll(folder);
  await rename(oldBeside(folder), folder);
  await rmdir(folder).catch(() => {}); // succeeds only if the folder is empty, which means that there was no installation before
}

function oldBeside(folder: string): string {
  return `${folder}.old`;
}

function goneBeside(folder: string): string {
  return `${folder}.removed`;
}

function removeAll(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
