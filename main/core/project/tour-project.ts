/** The sample project of the tour: a copy of `resources/tour` in one of the person's folders. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CreatedProject } from '#contract/new-project.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { messageForPerson } from '#core/base/system-faults.ts';
import { type ProjectFile, writeProject } from './new-project.ts';

/** The name of the project's folder and of its system. */
const NAME = 'lisp-tour';
/** The first file of the tour. */
const FIRST = 'try.lisp';

/** The result of creating the project. `fresh` is false if an earlier tour created it; its files are then unchanged. */
export type TourProject = CreatedProject & { readonly fresh: boolean };

/**
 * Copies the sample into a folder with its name in `place`. An existing copy is reused.
 * @param sample absolute path of the sample's folder.
 */
export async function makeTourProject(place: string, sample: string): Promise<TourProject> {
  const root = path.join(place, NAME);
  if (existsSync(path.join(root, `${NAME}.asd`)) && existsSync(path.join(root, FIRST)))
    return { created: true, path: root, source: path.join(root, FIRST), fresh: false };
  let files: ProjectFile[];
  try {
    files = await filesIn(sample);
  } catch (error) {
    return { created: false, field: 'place', problem: messageForPerson(error), fresh: false };
  }
  return { ...(await writeProject({ place, name: NAME, files, source: FIRST })), fresh: true };
}

/**
 * Finds the sample's folder by searching upwards from a folder of the program. @throws WorkbenchError `not-found` if the installation lacks
 * it.
 */
export function findTourSample(from: string): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const sample = path.join(folder, 'resources', 'tour');
    if (existsSync(path.join(sample, `${NAME}.asd`))) return sample;
    if (path.dirname(folder) === folder)
      throw new WorkbenchError('not-found', 'The sample project of the tour is missing. Install the program again.');
  }
}

async function filesIn(folder: string): Promise<ProjectFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ name, parentPath }) => {
      const file = path.join(parentPath, name);
      return { path: path.relative(folder, file).replaceAll(path.sep, '/'), text: await readFile(file, 'utf8') };
    }),
  );
}
