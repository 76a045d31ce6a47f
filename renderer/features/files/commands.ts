/** The commands on files and folders of the project. They act on the active row of the Files panel, or on the shown file. */
import {
  ClipboardCopy,
  ClipboardPaste,
  Columns2,
  Copy,
  FileCode,
  FilePlus,
  FolderOpen,
  FolderPlus,
  FolderInput,
  Pencil,
  Scissors,
  Trash2,
  Undo2,
} from 'lucide-react';
import { call } from '../../base/bridge.ts';
import type { Command } from '../../base/keys/command-registry.ts';
import { mirror } from '../../base/mirror.ts';
import { absolutePath } from '../../base/project-files.ts';
import { deleteTarget, duplicate, openBeside, paste } from './file-actions.ts';
import { commandTarget, filesView, startNaming, type Target, targetFolder } from './files-store.ts';
import { rowAfterDeletion } from './tree-rows.ts';
import { lastOperation, undoLast } from './undone.ts';

/** The key context of the tree. */
export const TREE = 'Files tree';

const withProject = (): true | string => mirror.getState().project !== null || 'with an open folder';
const withTarget = (): true | string => (commandTarget() ? true : 'with a file of the project, or a row of Files');
const withFile = (): true | string =>
  commandTarget()?.kind === 'file' || 'with a file of the project, or a file in Files';
const path = (): string | undefined => commandTarget()?.path;
const folder = (): string | undefined =>
  mirror.getState().project ? targetFolder(commandTarget()) || 'the project folder' : undefined;

function onTarget(action: (target: Target) => unknown): () => unknown {
  return () => {
    const target = commandTarget();
    return target ? action(target) : undefined;
  };
}

export const fileCommands: Command[] = [
  {
    id: 'file.newIn',
    title: 'New File in Folder…',
    keys: 'Ctrl+N',
    keysIn: TREE,
    icon: FilePlus,
    when: withProject,
    detail: folder,
    run: () => startNaming({ kind: 'new file', folder: targetFolder(commandTarget()) }),
  },
  {
    id: 'file.newFolder',
    title: 'New Folder…',
    keys: 'Ctrl+Shift+N',
    keysIn: TREE,
    icon: FolderPlus,
    when: withProject,
    detail: folder,
    run: () => startNaming({ kind: 'new folder', folder: targetFolder(commandTarget()) }),
  },
  {
    id: 'file.newComponent',
    title: 'New Component…',
    keys: 'Ctrl+Alt+N',
    keysIn: TREE,
    icon: FileCode,
    when: withProject,
    detail: () => (folder() === undefined ? undefined : `a Lisp file in ${folder()}, and in its system definition`),
    run: () => {
      const target = commandTarget();
      const beside = target?.kind === 'file' && target.path.endsWith('.lisp') ? target.path : null;
      startNaming({ kind: 'new component', folder: targetFolder(target), beside });
    },
  },
  {
    id: 'file.openBeside',
    title: 'Open Beside',
    keys: 'Ctrl+Enter',
    keysIn: TREE,
    icon: Columns2,
    when: withFile,
    detail: path,
    run: onTarget(({ path: file }) => openBeside(absolutePath(file))),
  },
  {
    id: 'file.rename',
    title: 'Rename File…',
    keys: 'F2',
    keysIn: TREE,
    icon: Pencil,
    when: withTarget,
    detail: path,
    run: onTarget((target) => startNaming({ kind: 'rename', target })),
  },
  {
    id: 'file.move',
    title: 'Move File…',
    icon: FolderInput,
    when: withTarget,
    detail: path,
    run: onTarget((target) => startNaming({ kind: 'move', target })),
  },
  {
    id: 'file.cut',
    title: 'Cut File',
    keys: 'Ctrl+X',
    keysIn: TREE,
    icon: Scissors,
    when: withTarget,
    detail: path,
    run: onTarget((cut) => filesView.setState({ cut })),
  },
  {
    id: 'file.paste',
    title: 'Paste File',
    keys: 'Ctrl+V',
    keysIn: TREE,
    icon: ClipboardPaste,
    when: () => filesView.getState().cut !== null || 'after a file was cut',
    detail: () => {
      const { cut } = filesView.getState();
      return cut ? `moves ${cut.path} to ${folder() ?? ''}` : undefined;
    },
    run: () => paste(commandTarget()),
  },
  {
    id: 'file.duplicate',
    title: 'Duplicate File',
    keys: 'Ctrl+D',
    keysIn: TREE,
    icon: Copy,
    when: withTarget,
    detail: path,
    run: onTarget(duplicate),
  },
  {
    id: 'file.delete',
    title: 'Delete File',
    keys: 'Delete',
    keysIn: TREE,
    icon: Trash2,
    when: withTarget,
    detail: path,
    run: onTarget((target) => deleteTarget(target, rowAfterDeletion(target))),
  },
  {
    id: 'file.undo',
    title: 'Undo File Operation',
    keys: 'Ctrl+Z',
    keysIn: TREE,
    icon: Undo2,
    when: () => lastOperation() !== null || 'after a file was deleted, moved or renamed here',
    detail: () => lastOperation() ?? undefined,
    run: undoLast,
  },
  {
    id: 'file.copyPath',
    title: 'Copy Path',
    keys: 'Shift+Alt+C',
    keysIn: TREE,
    icon: ClipboardCopy,
    when: withTarget,
    detail: path,
    run: onTarget(({ path: file }) => call('app.copy', { text: absolutePath(file) })),
  },
  {
    id: 'file.copyRelativePath',
    title: 'Copy Relative Path',
    icon: ClipboardCopy,
    when: withTarget,
    detail: path,
    run: onTarget(({ path: file }) => call('app.copy', { text: file })),
  },
  {
    id: 'file.reveal',
    title: 'Reveal in File Manager',
    keys: 'Shift+Alt+R',
    keysIn: TREE,
    icon: FolderOpen,
    when: withTarget,
    detail: path,
    run: onTarget(({ path: file }) => call('files.reveal', { path: file })),
  },
];

/** The commands of a row's menu, in groups. */
export const ROW_MENU: readonly (readonly string[])[] = [
  ['file.newIn', 'file.newFolder', 'file.newComponent'],
  ['file.openBeside', 'file.reveal'],
  ['file.cut', 'file.paste', 'file.duplicate'],
  ['file.copyPath', 'file.copyRelativePath'],
  ['file.rename', 'file.move', 'file.delete', 'file.undo'],
];
