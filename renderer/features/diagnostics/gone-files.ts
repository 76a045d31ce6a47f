/** Removes the problems of deleted or moved files, unless the text is still open. */
import { call, messageOf, on } from '../../base/bridge.ts';
import { forgetFile, problems } from './problems.ts';
import { buffers } from '../../editor/text/buffers.ts';

/** Starts to remove the problems of a file when the file is deleted, or when the text of a deleted file is closed. */
export function followGoneFiles(): void {
  on('files-changed', ({ paths, more }) => {
    const changed = new Set(paths);
    void forgetGone((file) => more || changed.has(file));
  });
  buffers.subscribe((state, before) => {
    if (state.buffers === before.buffers) return;
    const kept = new Set(state.buffers.map(({ id }) => id));
    const closed = new Set(before.buffers.filter(({ id }) => !kept.has(id)).map(({ path }) => path));
    if (closed.size > 0) void forgetGone((file) => closed.has(file));
  });
}

/** Removes the problems of each file that `isMeant` accepts, if the file is not open and no longer exists. */
async function forgetGone(isMeant: (file: string) => boolean): Promise<void> {
  const open = new Set(buffers.getState().buffers.map(({ path }) => path));
  const told = [...problems.getState().compiled.values()].flat();
  for (const file of new Set(told.map((each) => each.file)))
    if (file !== null && isMeant(file) && !open.has(file) && (await isGone(file))) forgetFile(file);
}

async function isGone(path: string): Promise<boolean> {
  return call('file.read', { path }).then(
    () => false,
    (error: unknown) => /does not exist/.test(messageOf(error)),
  );
}
