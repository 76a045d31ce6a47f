/** The state of the Files panel: its open folders, the active row, and the name that the person types. */
import { flushSync } from 'react-dom';
import { showLeft } from '../../base/layout/layout-store.ts';
import { focusedRegion, focusRegion } from '../../base/layout/regions.ts';
import { mirror } from '../../base/mirror.ts';
import { relativePath } from '../../base/project-files.ts';
import { makeStore } from '../../base/store.ts';
import { folderPath } from '../../base/text/paths.ts';
import { activeBuffer } from '../../editor/text/buffers.ts';

/** A file or folder of the tree, by its path relative to the project. */
export interface Target {
  readonly kind: 'file' | 'folder';
  readonly path: string;
}

/** A name that the person types in the tree. A new component is a Lisp file that a system lists; `beside` is the file after which it goes. */
export type Naming =
  | { readonly kind: 'new file' | 'new folder'; readonly folder: string }
  | { readonly kind: 'new component'; readonly folder: string; readonly beside: string | null }
  | { readonly kind: 'rename' | 'move'; readonly target: Target };

interface FilesState {
  readonly open: ReadonlySet<string>;
  readonly filter: string;
  readonly active: Target | null;
  /** The row to make active in the tree. Each new object makes its row active. */
  readonly chosen: { readonly id: string } | null;
  readonly naming: Naming | null;
  /** The file or folder that the next *Paste* moves; null if there is none. */
  readonly cut: Target | null;
}

const INITIAL: FilesState = {
  open: new Set(),
  filter: '',
  active: null,
  chosen: null,
  naming: null,
  cut: null,
};

export const [filesView, useFilesView] = makeStore<FilesState>(INITIAL);

/** True if the tree had the focus after the editor. Commands of the palette and of menus then act on its active row. */
let cameFromTree = false;

/** Tracks whether the tree or the editor had the focus last, and forgets the state of another project. */
export function followFilesView(): void {
  window.addEventListener('focusin', () => {
    const region = focusedRegion();
    if (region === 'Files') cameFromTree = true;
    else if (region === 'Editor') cameFromTree = false;
  });
  mirror.subscribe((state, before) => {
    if (state.project?.path !== before.project?.path) filesView.setState(INITIAL);
  });
}

/** Returns the file or folder on which a command acts: the active row if the person was in the tree last, otherwise the shown file. */
export function commandTarget(): Target | null {
  const { active } = filesView.getState();
  const shown = activeBuffer()?.path ?? null;
  const path = shown === null ? null : relativePath(shown);
  return cameFromTree || path === null ? active : { kind: 'file', path };
}

/** Returns the folder for new files: the target itself, or the folder that contains it; '' is the folder of the project. */
export function targetFolder(target: Target | null): string {
  if (target === null) return '';
  return target.kind === 'folder' ? target.path : folderPath(target.path);
}

export function idOf({ kind, path }: Target): string {
  return `${kind}:${path}`;
}

export function toggleFolder(folder: string, expanded: boolean): void {
  filesView.setState(({ open }) => {
    const next = new Set(open);
    if (expanded) next.add(folder);
    else next.delete(folder);
    return { open: next };
  });
}

/** Makes a file or folder the active row, and opens the folders around it. */
export function chooseInTree(target: Target): void {
  filesView.setState(({ open }) => ({
    open: new Set([...open, ...foldersAround(target.path)]),
    active: target,
    chosen: { id: idOf(target) },
  }));
}

/** Shows the tree with a row for a name, which takes the focus. */
export function startNaming(naming: Naming): void {
  const around =
    'target' in naming ? foldersAround(naming.target.path) : [...foldersAround(naming.folder), naming.folder];
  // The field takes the focus when it is drawn.
  flushSync(() => {
    showLeft('files');
    filesView.setState(({ open }) => ({
      naming,
      filter: '',
      open: new Set([...open, ...around.filter((each) => each !== '')]),
    }));
  });
}

/** Removes the row for a name. The tree gets the focus, if the field had it. */
export function endNaming(): void {
  const had = focusedRegion() === 'Files';
  flushSync(() => filesView.setState({ naming: null }));
  if (had) focusRegion('Files');
}

function foldersAround(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
