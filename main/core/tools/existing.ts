/** Files and folders that a tool is to look at: what is there, and what was probably meant where nothing is. */
import { stat } from 'node:fs/promises';
import { systemCode, WorkbenchError } from '#core/error.ts';
import { readable, type Project } from '#core/project/project.ts';
import { listFolder } from '#core/project/search.ts';
import { nearText } from './near.ts';

/** Enough for a project; the names of a larger one are compared as far as this. */
const MOST_NAMES = 3000;
const DEEPEST = 8;

export interface Existing {
  /** Canonical path. */
  readonly file: string;
  readonly folder: boolean;
  readonly bytes: number;
}

/**
 * What stands at a path of the project.
 * @throws WorkbenchError as `Project.locate`; `system` when nothing is there, with the paths that are near.
 */
export async function existing(project: Project, given: string): Promise<Existing> {
  const file = await project.locate(given);
  try {
    const found = await stat(file);
    return { file, folder: found.isDirectory(), bytes: found.size };
  } catch (error) {
    const { message } = readable(error, file);
    const near = systemCode(error) === 'ENOENT' ? await nearPaths(project, given) : '';
    throw new WorkbenchError('system', `${message}${near}`, { cause: error });
  }
}

/** As `existing`, for what must be a file: a folder is refused with a word on how to look into it. */
export async function existingFile(project: Project, given: string): Promise<string> {
  const { file, folder } = await existing(project, given);
  if (folder) throw new WorkbenchError('invalid', `${file} is a folder. list-directory shows what it holds.`);
  return file;
}

/** A sentence with the paths of the project that differ least from what was given; empty when none is near. */
async function nearPaths(project: Project, given: string): Promise<string> {
  if (project.root === null) return '';
  const { found } = await listFolder(project.root, DEEPEST, MOST_NAMES);
  const wanted = given.replaceAll('\\', '/').replace(/^\.\//, '');
  const names = found.map(({ file }) => project.display(file)).filter((name) => !wanted.startsWith(`${name}/`));
  return nearText(wanted, names);
}
