/** Creates a new project on the disk. Existing files are never overwritten, and after a failure the created files are removed. */
import { mkdir, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nameFault } from '#contract/new-project-name.ts';
import type { CreatedProject, NewProject } from '#contract/new-project.ts';
import { systemCode } from '#core/base/error.ts';
import { messageForPerson } from '#core/base/system-faults.ts';
import { filesOf, type ProjectFile, sourceOf } from './new-project-files.ts';

export type { ProjectFile } from './new-project-files.ts';

/** Writes a project's files into a new folder with the project's name. A problem with the name or the location is returned as a message. */
export async function createProject(project: NewProject): Promise<CreatedProject> {
  const { name, place } = project;
  const fault = nameFault(name);
  if (fault !== null) return { created: false, field: 'name', problem: fault };
  return writeProject({ place, name, files: filesOf(project), source: sourceOf(name) });
}

interface WrittenProject {
  /** The absolute path of the folder in which the project's folder is created. */
  readonly place: string;
  readonly name: string;
  readonly files: readonly ProjectFile[];
  /** The first file to open, relative to the project's folder. */
  readonly source: string;
}

/** Writes files into a new folder `name` in `place`: all of them or none. */
export async function writeProject({ place, name, files, source }: WrittenProject): Promise<CreatedProject> {
  const trouble = await placeFault(place);
  if (trouble !== null) return { created: false, field: 'place', problem: trouble };
  const root = path.join(place, name);
  const made: string[] = [];
  try {
    const occupied = await occupant(root);
    if (occupied !== null) return { created: false, field: 'name', problem: occupied };
    for (const file of files) {
      const target = path.join(root, file.path);
      await makeFolders(place, path.dirname(target), made);
      await writeFile(target, file.text, { flag: 'wx' });
      made.push(target);
    }
  } catch (error) {
    for (const each of made.toReversed()) await rm(each).catch(() => rmdir(each).catch(() => {}));
    return { created: false, field: 'place', problem: messageForPerson(error) };
  }
  return { created: true, path: root, source: path.join(root, source) };
}

async function placeFault(place: string): Promise<string | null> {
  if (!path.isAbsolute(place)) return 'Enter the absolute path of a folder.';
  try {
    return (await stat(place)).isDirectory() ? null : `${place} is not a folder. Choose a folder.`;
  } catch (error) {
    return messageForPerson(error);
  }
}

/** Returns a sentence about an existing file or folder at the project's path; null if there is none, or only an empty folder. */
async function occupant(root: string): Promise<string | null> {
  try {
    const held = await readdir(root);
    return held.length === 0 ? null : `${root} already exists and is not empty. Choose another name or another place.`;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    if (systemCode(error) === 'ENOTDIR') return `${root} is a file. Choose another name or another place.`;
    throw error;
  }
}

/** Creates the missing folders between `above` and `folder`, and appends them to `made`. */
async function makeFolders(above: string, folder: string, made: string[]): Promise<void> {
  if (folder === path.resolve(above)) return;
  await makeFolders(above, path.dirname(folder), made);
  try {
    await mkdir(folder);
    made.push(folder);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
