/** The operations of the Files panel. Each changes the disk, then the open texts, the tree and the list of what can be undone. */
import { call } from '../../base/bridge.ts';
import { ask } from '../../base/notices/ask.tsx';
import { notify } from '../../base/notices/notices.tsx';
import { absolutePath, isLink, refreshProjectFiles } from '../../base/project-files.ts';
import { fileName, folderPath } from '../../base/text/paths.ts';
import { openFile } from '../../editor/files/files.ts';
import { followDeletion, followMove, savesEnded } from '../../editor/files/moved-files.ts';
import { workOnFile } from '../../editor/files/work-on-file.ts';
import { changeGroups, buffers } from '../../editor/text/buffers.ts';
import { focusedGroup, withoutTab } from '../../editor/groups/groups.ts';
import { recentTabs } from '../../editor/groups/recent-tabs.ts';
import { focusNeighbour, splitGroup } from '../../editor/groups/splitting.ts';
import { offerComponents } from './components.ts';
import { chooseInTree, filesView, type Target, targetFolder } from './files-store.ts';
import { addOperation } from './undone.ts';

/** Creates a file and opens it. Calls `done` when the file exists. */
export async function createFile(path: string, done: () => void): Promise<void> {
  const made = await call('files.create', { path, text: '' });
  done();
  await refreshProjectFiles();
  chooseInTree({ kind: 'file', path: made.path });
  await workOnFile(absolutePath(made.path));
}

export async function createFolder(path: string, done: () => void): Promise<void> {
  const made = await call('files.createFolder', { path });
  done();
  await refreshProjectFiles();
  chooseInTree({ kind: 'folder', path: made.path });
}

/** Moves or renames a file or folder. Then offers to change the system definitions that list it. */
export async function moveTo(target: Target, to: string, done?: () => void): Promise<void> {
  if (to !== target.path) await move(target, to);
  done?.();
  if (to === target.path) return;
  const moved = { ...target, path: to };
  const isRenamed = folderPath(to) === folderPath(target.path);
  const undo = addOperation({
    words: `moves ${fileName(to)} back to ${target.path}`,
    undo: async () => {
      await move(moved, target.path);
      return true;
    },
  });
  const where = folderPath(to) === '' ? 'the project folder' : folderPath(to);
  notify(
    isRenamed ? `${fileName(target.path)} is now ${fileName(to)}.` : `${fileName(to)} was moved to ${where}.`,
    'info',
    undo,
  );
  await offerComponents(target.path, to);
}

async function move(target: Target, to: string): Promise<void> {
  await savesEnded(absolutePath(target.path));
  const done = await call('files.move', { path: target.path, to });
  followMove(done.from, done.to);
  // A text that was opened through a link to its folder has another path than the canonical one.
  followMove(absolutePath(target.path), absolutePath(to));
  filesView.setState(({ cut, open }) => ({
    cut: cut?.path === target.path ? null : cut,
    open: new Set([...open].map((each) => movedPath(each, target.path, to))),
  }));
  await refreshProjectFiles();
  chooseInTree({ ...target, path: to });
}

function movedPath(path: string, from: string, to: string): string {
  return path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
}

/** Moves a file or folder into a folder and keeps its name. */
export async function moveInto(target: Target, folder: string): Promise<void> {
  const name = fileName(target.path);
  await moveTo(target, folder === '' ? name : `${folder}/${name}`);
}

/** Moves what was cut into the folder of a target. */
export async function paste(target: Target | null): Promise<void> {
  const { cut } = filesView.getState();
  if (cut) await moveInto(cut, targetFolder(target));
}

export async function duplicate(target: Target): Promise<void> {
  await savesEnded(absolutePath(target.path));
  const { path } = await call('files.duplicate', { path: target.path });
  await refreshProjectFiles();
  chooseInTree({ ...target, path });
}

/** Deletes a file or folder: to the system's trash, or permanently if the person agrees. `next` is then the active row. */
export async function deleteTarget(target: Target, next: Target | null): Promise<void> {
  const { path } = target;
  const name = fileName(path);
  const link = isLink(path);
  await savesEnded(absolutePath(path));
  let done = await call('files.delete', { path, permanently: false });
  if (!done.deleted) {
    if (!(await agreesToDelete(name, done.undoable))) return;
    done = await call('files.delete', { path, permanently: true });
  }
  if (!done.deleted) return;
  const { file, undo, trashed } = done;
  const closed = [...followDeletion(file), ...(file === absolutePath(path) ? [] : followDeletion(absolutePath(path)))];
  filesView.setState(({ cut }) => ({ cut: cut?.path === path ? null : cut }));
  await refreshProjectFiles();
  if (next) chooseInTree(next);
  else filesView.setState({ active: null });
  const action =
    undo === null ? null : addOperation({ words: `restores ${name}`, undo: () => restore(target, undo, closed) });
  const did = trashed
    ? `${name} was moved to the trash.`
    : link
      ? `The link ${name} was deleted. Its target stays.`
      : `${name} was deleted.`;
  notify(
    action || !trashed ? did : `${did} It is too large for Undo, but you can restore it from the trash.`,
    'info',
    action,
  );
}

async function agreesToDelete(name: string, undoable: boolean): Promise<boolean> {
  const answer = await ask({
    title: `Delete ${name} permanently?`,
    text: undoable
      ? 'It cannot be moved to a trash on this system. Undo File Operation can restore it while this project is open.'
      : 'It cannot be moved to a trash on this system, and is too large or too special for Undo. This cannot be undone.',
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'delete', title: 'Delete', kind: 'danger' },
    ],
  });
  return answer === 'delete';
}

async function restore(target: Target, undo: string, closed: readonly string[]): Promise<boolean> {
  const { restored, message } = await call('files.restore', { undo });
  await refreshProjectFiles();
  if (!restored) {
    notify(`${message} Move or rename it, then undo again.`, 'error');
    return false;
  }
  for (const path of closed) await openFile(path);
  chooseInTree(target);
  return true;
}

/** Opens a file in another group, beside the shown one. The shown text stays where it is. */
export async function openBeside(path: string): Promise<void> {
  await call('file.read', { path }); // an unreadable file does not divide the editor
  const { groups, active } = buffers.getState();
  if (groups.groups.length > 1) focusNeighbour(1);
  else if (active !== null) splitGroup('right');
  const isNew = groups.groups.length === 1 && active !== null;
  const group = focusedGroup(buffers.getState().groups).id;
  await workOnFile(path);
  const shown = buffers.getState().active;
  if (isNew && shown !== active) changeGroups((all) => withoutTab(all, group, active, recentTabs()));
}
