/** Files and folders that a tool is asked to read, with suggestions for a path that does not exist. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { readable, type Project } from '#core/project/project.ts';
import { listFolder } from '#core/project/search/search.ts';
import type { ToolContext } from '../tool.ts';
import { suggestionText } from '#core/base/suggestions.ts';

/** The maximum number of names that are compared in a project. Usual projects have fewer. */
const MOST_NAMES = 3000;
const DEEPEST = 8;

export interface Existing {
  /** Canonical path. */
  readonly file: string;
  readonly folder: boolean;
  readonly bytes: number;
}

/**
 * Returns the file or folder at a path in the project.
 * @throws WorkbenchError as `Project.locate` does; `system`, with similar paths, if nothing exists there.
 */
async function existing(project: Project, given: string): Promise<Existing> {
  const file = await project.locate(given);
  try {
    const found = await stat(file);
    // Other kinds of files are refused, because opening a pipe can block forever.
    if (!found.isFile() && !found.isDirectory())
      throw new WorkbenchError('refused', `${file} is not a regular file, so it is neither read nor written.`);
    return { file, folder: found.isDirectory(), bytes: found.size };
  } catch (error) {
    if (error instanceof WorkbenchError) throw error;
    const { message } = readable(error, file);
    const near = systemCode(error) === 'ENOENT' ? await nearPaths(project, given) : '';
    throw new WorkbenchError('system', `${message}${near}`, { cause: error });
  }
}

/**
 * Returns the file or folder at a path that the caller only reads. The path is in the project, or in the folder of a loaded system.
 * @throws WorkbenchError as `existing` does.
 */
export async function readableAt(
  { project, session }: Pick<ToolContext, 'project' | 'session'>,
  given: string,
): Promise<Existing> {
  if (!path.isAbsolute(given)) return existing(project, given);
  const file = await realpath(given).catch(() => null);
  if (file === null || (project.root !== null && isWithin(project.root, file))) return existing(project, given);
  const found = await stat(file);
  if (
    (found.isFile() || found.isDirectory()) &&
    (await sourceFolders(session)).some((folder) => isWithin(folder, file))
  )
    return { file, folder: found.isDirectory(), bytes: found.size };
  throw new WorkbenchError(
    'refused',
    `${given} is outside the project ${project.root ?? '(none)'} and outside the source folders of loaded systems. Load the system that it belongs to with load-system, then read it again.`,
  );
}

/** Returns the canonical paths of the folders that contain the definitions of loaded systems. The root of a disk is left out. */
async function sourceFolders(session: ToolContext['session']): Promise<string[]> {
  const { systems } = await session.lookUp('systems', {});
  const folders = new Set(systems.flatMap(({ loaded, file }) => (loaded && file ? [path.dirname(file)] : [])));
  const real = await Promise.all([...folders].map((folder) => realpath(folder).catch(() => null)));
  return real.filter((folder) => folder !== null && path.dirname(folder) !== folder) as string[];
}

function isWithin(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder + path.sep);
}

/** Returns a file, as `existing` does. Refuses a folder, with advice on how to list it. */
export async function existingFile(project: Project, given: string): Promise<string> {
  return fileOf(await existing(project, given));
}

/** Returns the path of an existing file. @throws WorkbenchError for a folder. */
function fileOf({ file, folder }: Existing): string {
  if (folder) throw new WorkbenchError('invalid', `${file} is a folder. read-file lists its entries.`);
  return file;
}

/** Returns a sentence with the paths in the project that are most similar to the given one; empty if none is similar. */
async function nearPaths(project: Project, given: string): Promise<string> {
  if (project.root === null) return '';
  const { found } = await listFolder(project.root, DEEPEST, MOST_NAMES);
  const wanted = given.replaceAll('\\', '/').replace(/^\.\//, '');
  const names = found.map(({ file }) => project.display(file)).filter((name) => !wanted.startsWith(`${name}/`));
  return suggestionText(wanted, names);
}
