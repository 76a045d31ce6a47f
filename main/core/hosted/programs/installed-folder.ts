/**
 * The folder of an installation while another one takes its place. What is in it is set aside until the new one is complete; an installation that fails, or is ended
 * at any moment, is undone by `restore`, at once or at the next look.
 */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';

/** The folder beside it in which an installation is made that can be moved. */
export function freshBeside(folder: string): string {
  return `${folder}.new`;
}

/** Sets the installation aside. From here on `restore` brings it back, or nothing if there was none, until `settle`. */
export async function setAside(folder: string): Promise<void> {
  if (existsSync(folder)) await rename(folder, oldBeside(folder));
  else await mkdir(oldBeside(folder), { recursive: true, mode: 0o700 });
}

/** Says that what is in the folder is complete. */
export async function settle(folder: string): Promise<void> {
  await rename(oldBeside(folder), goneBeside(folder));
  await removeAll(goneBeside(folder)).catch(() => {}); // what is left there goes at the next look
}

/** Undoes an installation that is not complete, and deletes what was left beside the folder. */
export async function restore(folder: string): Promise<void> {
  for (const left of [freshBeside(folder), goneBeside(folder)]) await removeAll(left);
  if (!existsSync(oldBeside(folder))) return;
  await removeAll(folder);
  await rename(oldBeside(folder), folder);
  await rmdir(folder).catch(() => {}); // succeeds for an empty one: there was no installation before
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
