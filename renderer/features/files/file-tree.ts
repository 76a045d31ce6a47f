/** The project's files as rows of a tree. Pure. */
import type { ProjectFiles } from '#contract/project.ts';
import { counted } from '#contract/text/text.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

export interface FileRow extends TreeRow {
  readonly kind: 'folder' | 'file' | 'left';
  /** The path relative to the project. For a row about files that are left out, the path of their folder. */
  readonly path: string;
  readonly name: string;
}

interface Listed {
  readonly files: readonly string[];
  readonly left: ProjectFiles['left'];
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
  /** The number of files that are not listed; null for a folder that was not read. */
  left: number | null;
}

/**
 * Returns the rows of the open folders and their files: folders first, and last the number of files that are left out. With `filter`,
 * returns the files whose path contains it, in any folder. `isOpen` is called for each folder with its path.
 */
export function fileRows({ files, left }: Listed, isOpen: (folder: string) => boolean, filter = ''): FileRow[] {
  const wanted = filter.trim().toLowerCase();
  const rows: FileRow[] = [];
  if (wanted === '') addRows(rows, treeOf(files, left), '', 1, isOpen);
  else {
    const fitting = files.filter((file) => file.toLowerCase().includes(wanted));
    addRows(rows, treeOf(fitting, []), '', 1, () => true);
  }
  return rows;
}

/** Returns a sentence about the number of files that are not listed, and their folders; null if all are listed. */
export function leftWords(left: ProjectFiles['left']): string | null {
  if (left.length === 0) return null;
  const [first] = left;
  const count = left.reduce((sum, each) => sum + (each.count ?? 0), 0);
  const where =
    left.length > 1
      ? `${left.length.toLocaleString('en')} folders`
      : first!.folder === ''
        ? 'the folder itself'
        : first!.folder;
  if (count === 0) return `The files in ${where} are not listed.`;
  const least = left.some((each) => each.count === null) ? 'At least ' : '';
  return `${least}${counted(count, 'file')} of ${where} ${count === 1 && least === '' ? 'is' : 'are'} not listed.`;
}

function addRows(
  rows: FileRow[],
  { folders, files, left }: Folder,
  at: string,
  level: number,
  isOpen: (folder: string) => boolean,
): void {
  const names = [...folders.keys()].toSorted(byName);
  const siblings = names.length + files.length + (left === 0 ? 0 : 1);
  for (const [index, name] of names.entries()) {
    const path = at === '' ? name : `${at}/${name}`;
    const expanded = isOpen(path);
    rows.push({
      id: `folder:${path}`,
      kind: 'folder',
      path,
      name,
      label: name,
      level,
      expanded,
      position: index + 1,
      siblings,
    });
    if (expanded) addRows(rows, folders.get(name)!, path, level + 1, isOpen);
  }
  for (const [index, name] of files.toSorted(byName).entries()) {
    const path = at === '' ? name : `${at}/${name}`;
    const position = names.length + index + 1;
    rows.push({ id: `file:${path}`, kind: 'file', path, name, label: name, level, expanded: null, position, siblings });
  }
  if (left === 0) return;
  const name = left === null ? '… not listed' : `… and ${left.toLocaleString('en')} more`;
  rows.push({
    id: `left:${at}`,
    kind: 'left',
    path: at,
    name,
    label: name,
    level,
    expanded: null,
    position: siblings,
    siblings,
  });
}

function treeOf(files: readonly string[], left: ProjectFiles['left']): Folder {
  const root = emptyFolder();
  const folderAt = (parts: readonly string[]): Folder => {
    let folder = root;
    for (const part of parts) {
      const next = folder.folders.get(part) ?? emptyFolder();
      folder.folders.set(part, next);
      folder = next;
    }
    return folder;
  };
  for (const file of files) {
    const parts = file.split('/');
    const name = parts.pop()!;
    folderAt(parts).files.push(name);
  }
  for (const { folder, count } of left) folderAt(folder === '' ? [] : folder.split('/')).left = count;
  return root;
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: [], left: 0 };
}

const byName = new Intl.Collator(undefined, { numeric: true }).compare;
