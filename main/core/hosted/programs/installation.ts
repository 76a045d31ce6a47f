/**
 * Installs the program of an agent: a package of npm, an archive, or a package of Python. The installation of before stays until the new one is complete, and
 * comes back if that fails or is cancelled.
 */
import { mkdir, rename, rmdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import { beginning } from '#contract/text/text.ts';
import { messageOf, systemCode, WorkbenchError } from '#core/base/error.ts';
import { installArchive } from './archive-package.ts';
import { freshBeside, restore, setAside, settle } from './installed-folder.ts';
import type { InstallationRequest } from './installation-request.ts';
import { installNpmPackage, npmArguments } from './npm-package.ts';
import { installPythonPackage, uvArguments } from './python-package.ts';
import type { Recipe } from '../recipes/recipe.ts';

/** The room that a program of unknown size gets. */
const UNKNOWN_MEGABYTES = 300;

/** Returns the command that is run, or the download that is made, as it is shown; null for a program that the person installs. */
export function installWords({ package: npm, download }: Recipe): string | null {
  if (npm !== null) return `npm ${npmArguments(npm).join(' ')}`;
  if (download === undefined) return null;
  if (download.kind === 'python') return `uv ${uvArguments(download).join(' ')}`;
  return `Download ${download.address} ${download.sha256 === null ? '(the list has no checksum for it)' : 'and check its SHA-256'}`;
}

/** @throws WorkbenchError with what to do; `cancelled` when the signal came. What was installed before is as it was then. */
export async function install(request: InstallationRequest): Promise<void> {
  const { recipe, folder, signal, progress } = request;
  // An environment of Python has the names of its own files in them, so it is made where it stays.
  const isMovable = recipe.download?.kind !== 'python';
  const made = isMovable ? freshBeside(folder) : folder;
  try {
    progress('Making the folder');
    await restore(folder);
    if (!isMovable) await setAside(folder);
    await mkdir(made, { recursive: true, mode: 0o700 });
    await needRoom(recipe, made);
    signal.throwIfAborted();
    await fill(made, request);
    progress('Putting it into its place');
    signal.throwIfAborted(); // beyond this nothing is cancelled any more
    if (isMovable) {
      await setAside(folder);
      await rename(made, folder);
    }
    await settle(folder);
  } catch (error) {
    await restore(folder).catch(() => {}); // tried again at the next look
    await rmdir(path.dirname(folder)).catch(() => {}); // succeeds where the agent has nothing else
    if (signal.aborted) throw new WorkbenchError('cancelled', `The installation of ${recipe.title} was cancelled.`);
    throw error instanceof WorkbenchError ? error : systemFailure(recipe, error);
  }
}

async function fill(folder: string, request: InstallationRequest): Promise<void> {
  const { title, package: npm, download } = request.recipe;
  if (npm !== null) return installNpmPackage(npm, folder, request);
  if (download?.kind === 'archive') return installArchive(download, folder, request);
  if (download?.kind === 'python') return installPythonPackage(download, folder, request);
  throw new WorkbenchError('unsupported', `${title} is not installed by the workbench. Install it as its vendor says.`);
}

/** @throws WorkbenchError where the disk has too little room. */
async function needRoom({ title, package: npm }: Recipe, folder: string): Promise<void> {
  const megabytes = npm?.megabytes ?? UNKNOWN_MEGABYTES;
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / 1_000_000);
  if (free < megabytes)
    throw new WorkbenchError(
      'system',
      `${title} takes about ${megabytes} MB, and ${folder} has room for ${free} MB. Make room on that disk, and install it then.`,
    );
}

/** The failure of an installation for which the system has an error. */
function systemFailure({ title }: Recipe, error: unknown): WorkbenchError {
  const code = systemCode(error) ?? '';
  const advice =
    code === 'ENOSPC'
      ? 'the disk is full. Make room, and install it again.'
      : /^(?:EACCES|EPERM|EROFS)$/.test(code)
        ? 'a folder may not be written.'
        : 'the system reports an error.';
  return new WorkbenchError('system', `${title} was not installed: ${advice} ${beginning(messageOf(error), 500)}`);
}
