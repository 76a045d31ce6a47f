/** Texts that are open in the person's editor, including unsaved changes; without a window, the project's files. */
import path from 'node:path';
import { WorkbenchError } from '#core/base/error.ts';
import { readText } from './files.ts';
import type { Project } from '../project.ts';

/** A text that is open in an editor. */
export interface OpenBuffer {
  readonly title: string;
  /** Absolute path of the buffer's file; null for a buffer that was never saved. */
  readonly path: string | null;
  /** The unsaved text; null if the text equals the file's content. */
  readonly text: string | null;
  readonly active: boolean;
}

export interface FoundBuffer {
  readonly title: string;
  readonly text: string;
  readonly unsaved: boolean;
}

/**
 * Returns the buffer with a name, which is a title or a path in the project; null means the buffer that the person is viewing. Buffers of
 * files outside the project are private to the person.
 * @throws WorkbenchError `not-found` with the available buffers, or an error of `Project.locate` or of reading.
 */
export async function findBuffer(
  name: string | null,
  open: readonly OpenBuffer[],
  project: Project,
): Promise<FoundBuffer> {
  const shared = open.filter((buffer) => buffer.path === null || isInside(buffer.path, project));
  const found = shared.find((buffer) => (name === null ? buffer.active : isNamed(buffer, name, project)));
  if (found?.text !== null && found?.text !== undefined)
    return { title: titleOf(found, project), text: found.text, unsaved: true };
  const named = found?.path ?? name;
  const file = named === null ? null : await project.locate(named);
  if (file === null) {
    const names = shared.map((buffer) => titleOf(buffer, project));
    const open = names.length > 0 ? `Open buffers: ${names.join(', ')}.` : 'No buffers are open.';
    throw new WorkbenchError(
      'not-found',
      `No buffer of the project is in the foreground. ${open} You can also name a file of the project by its path.`,
    );
  }
  const { text } = await readText(file);
  return { title: project.display(file), text, unsaved: false };
}

function isNamed(buffer: OpenBuffer, name: string, project: Project): boolean {
  return buffer.title === name || (buffer.path !== null && [buffer.path, project.display(buffer.path)].includes(name));
}

function titleOf(buffer: OpenBuffer, project: Project): string {
  return buffer.path === null ? buffer.title : project.display(buffer.path);
}

function isInside(file: string, { root }: Project): boolean {
  return root !== null && file.startsWith(root + path.sep);
}
