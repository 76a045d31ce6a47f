/**
 * Installs an agent's program: an npm package, an archive, or a Python package. The previous installation stays until the new one is
 * complete, and is restored if the installation fails or is cancelled.
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

/** The disk space that must be free for a program of unknown size, in megabytes. */
const UNKNOWN_MEGABYTES = 300;

/** Returns, in words for the person, the command or download that installs the program; null for a program that the person installs. */
export function installWords({ package: npm, download }: Recipe): string | null {
  if (npm !== null) return `npm ${npmArguments(npm).join(' ')}`;
  if (download === undefined) return null;
  if (download.kind === 'python') return `uv ${uvArguments(download).join(' ')}`;
  return `Download ${download.address} ${download.sha256 === null ? '(the list has no checksum for it)' : 'and check its SHA-256'}`;
}

/**
 * Installs the program. @throws WorkbenchError with advice for the person; `cancelled` if the signal was aborted. In both cases the
 * previous installation is unchanged.
 */
export async function install(request: InstallationRequest): Promise<void> {
  const { recipe, folder, signal, progress } = request;
  // A Python environment contains its own absolute paths, so it is created at its final place.
  const isMovable = recipe.download?.kind !== 'python';
  const made = isMovable ? freshBeside(folder) : folder;
  try {
    progress('Creating the folder');
    await restore(folder);
    if (!isMovable) await setAside(folder);
    await mkdir(made, { recursive: true, mode: 0o700 });
    await needRoom(recipe, made);
    signal.throwIfAborted();
    await fill(made, request);
    progress('Moving the files into place');
    signal.throwIfAborted(); // from here on, the installation cannot be cancelled
    if (isMovable) {
      await setAside(folder);
      await rename(made, folder);
    }
    await settle(folder);
  } catch (error) {
    await restore(folder).catch(() => {}); // if that fails, it is tried again at the next search
    await rmdir(path.dirname(folder)).catch(() => {}); // removes the folder only if it contains no other data of the agent
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

/** Checks that there is enough free disk space. @throws WorkbenchError if there is not. */
async function needRoom({ title, package: npm }: Recipe, folder: string): Promise<void> {
  const megabytes = npm?.megabytes ?? UNKNOWN_MEGABYTES;
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / 1_000_000);
  if (free < megabytes)
    throw new WorkbenchError(
      'system',
      `${title} takes about ${megabytes} MB, but ${folder} has only ${free} MB free. Make room on that disk, then install it again.`,
    );
}

/** Returns the error for an installation that failed with a system error. */
function systemFailure({ title }: Recipe, error: unknown): WorkbenchError {
  const code = systemCode(error) ?? '';
  const advice =
    code === 'ENOSPC'
      ? 'the disk is full. Make room, and install it again.'
      : /^(?:EACCES|EPERM|EROFS)$/.test(code)
        ? 'a folder is not writable. Change its permissions, then install it again.'
        : 'the system reports an error.';
  return new WorkbenchError('system', `${title} was not installed: ${advice} ${beginning(messageOf(error), 500)}`);
}
