/** The project's files as rows of a tree. Pure. */
import type { TreeRow } from '../../ui/tree.tsx';

export interface FileRow extends TreeRow {
  /** Path relative to the project. */
  readonly path: string;
  readonly name: string;
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
}

/**
 * The rows of the folders that are open and of the files in them, folders first. With `filter` the files whose path has it are shown, in
 * whatever folder. `isOpen` is asked about each folder by its path.
 */
export function fileRows(files: readonly string[], isOpen: (folder: string) => boolean, filter = ''): FileRow[] {
  const wanted = filter.trim().toLowerCase();
  const shown = wanted === '' ? files : files.filter((file) => file.toLowerCase().includes(wanted));
  const rows: FileRow[] = [];
  addRows(rows, treeOf(shown), '', 1, wanted === '' ? isOpen : () => true);
  return rows;
}

function addRows(
  rows: FileRow[],
  { folders, files }: Folder,
  at: string,
  level: number,
  isOpen: (folder: string) => boolean,
): void {
  const names = [...folders.keys()].toSorted(byName);
  const siblings = names.length + files.length;
  for (const [index, name] of names.entries()) {
    const path = at === '' ? name : `${at}/${name}`;
    const expanded = isOpen(path);
    rows.push({ id: `folder:${path}`, path, name, label: name, level, expanded, position: index + 1, siblings });
    if (expanded) addRows(rows, folders.get(name)!, path, level + 1, isOpen);
  }
  for (const [index, name] of files.toSorted(byName).entries()) {
    const path = at === '' ? name : `${at}/${name}`;
    const position = names.length + index + 1;
    rows.push({ id: `file:${path}`, path, name, label: name, level, expanded: null, position, siblings });
  }
}

function treeOf(files: readonly string[]): Folder {
  const root: Folder = { folders: new Map(), files: [] };
  for (const file of files) {
    const parts = file.split('/');
    const name = parts.pop()!;
    let folder = root;
    for (const part of parts) {
      const next = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push(name);
  }
  return root;
}

function byName(one: string, other: string): number {
  return one.localeCompare(other, undefined, { numeric: true });
}
