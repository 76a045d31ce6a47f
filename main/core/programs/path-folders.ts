/**
 * The folders of a search path that may be searched or passed on. Folders in the project are excluded, because another person may have
 * planted a program there.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

/**
 * Resolves with the absolute folders of a path that are neither in the project nor links into it. Relative folders are left out, because
 * they would be searched in the project.
 */
export async function foldersOutside(paths: string, project: string | null): Promise<string[]> {
  const isOfProject = await membership(project);
  const folders = paths.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => path.resolve(folder))));
  return folders.filter((folder, index) => !isOfProject(path.resolve(folder)) && !isOfProject(real[index]!));
}

/** Resolves with a function that tests whether a file is inside the project, given by the project's path or its real path. */
export async function membership(project: string | null): Promise<(file: string) => boolean> {
  const root = project === null ? null : await realpath(project).catch(() => project);
  return (file) =>
    [project, root].some((folder) => folder !== null && `${file}${path.sep}`.startsWith(`${folder}${path.sep}`));
}
