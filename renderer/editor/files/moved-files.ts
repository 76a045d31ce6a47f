/** Lets the open texts follow their files when the person moves, renames or deletes files in the window. */
import { fileName } from '../../base/text/paths.ts';
import { buffers, change, movePath, removeBuffer, type TextBuffer } from '../text/buffers.ts';
import { saveEnded } from './files.ts';
import { changeRecentFiles } from './recent-files.ts';

/** Waits until no save of a text of a file, or of files in a folder, is running. A save would create the old file again. */
export async function savesEnded(path: string): Promise<void> {
  await Promise.all(textsOf(path).map(({ id }) => saveEnded(id)));
}

/** Gives the texts of a moved file, or of the files in a moved folder, their new paths. Unsaved text stays as it is. */
export function followMove(from: string, to: string): void {
  const now = (path: string): string => (isWithin(path, from) ? to + path.slice(from.length) : path);
  for (const { id, path } of textsOf(from)) movePath(id, now(path), fileName(now(path)));
  changeRecentFiles(now);
}

/**
 * Closes the saved texts of a deleted file, or of the files in a deleted folder. A text with unsaved changes stays open, with a notice that
 * its file is gone. Returns the paths of the closed texts.
 */
export function followDeletion(path: string): string[] {
  const texts = textsOf(path);
  const closed = texts.filter(({ dirty }) => !dirty);
  for (const { id, dirty } of texts) {
    if (dirty) change(id, { notice: { kind: 'deleted' } });
    else removeBuffer(id);
  }
  changeRecentFiles((each) => (isWithin(each, path) ? null : each));
  return closed.map((each) => each.path);
}

function textsOf(path: string): (TextBuffer & { path: string })[] {
  return buffers
    .getState()
    .buffers.flatMap((buffer) =>
      buffer.path !== null && !buffer.passing && isWithin(buffer.path, path) ? [{ ...buffer, path: buffer.path }] : [],
    );
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}
