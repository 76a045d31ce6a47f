/** The folders of a path of programs that may be looked in, or handed on: none of the project, where a program could have been put to be started. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** Resolves with the folders that are absolute, since others would be looked for in the project, and that neither lie in it nor lead there. */
export async function foldersOutside(paths: string, project: string | null): Promise<string[]> {
  const isOfProject = await membership(project);
  const folders = paths.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => path.resolve(folder))));
  return folders.filter((folder, index) => !isOfProject(path.resolve(folder)) && !isOfProject(real[index]!));
}

/** Resolves with the test for what lies in the project, by both names of one that is opened through a link. */
export async function membership(project: string | null): Promise<(file: string) => boolean> {
  const root = project === null ? null : await realpath(project).catch(() => project);
  return (file) =>
    [project, root].some((folder) => folder !== null && `${file}${path.sep}`.startsWith(`${folder}${path.sep}`));
}
