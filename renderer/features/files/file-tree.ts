/** The project's files as rows of a tree. Pure. */
import type { ProjectFiles, ProjectLink } from '#contract/project.ts';
import { counted } from '#contract/text/text.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

export interface FileRow extends TreeRow {
  /** `new` is the row in which the person types the name of a new file or folder. */
  readonly kind: 'folder' | 'file' | 'left' | 'new';
  /** The path relative to the project. For a row about files that are left out, and for a new name, the path of the folder. */
  readonly path: string;
  readonly name: string;
  /** The link that the row stands for; null for other files and folders. */
  readonly link: ProjectLink | null;
}

type Listed = { readonly [Part in keyof ProjectFiles]: Readonly<ProjectFiles[Part]> };

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
  /** The number of files that are not listed; null for a folder that was not read. */
  left: number | null;
}

/** The id of the row for a new name. */
export const NEW_ROW = 'new';

interface RowOptions {
  /** Called for each folder with its path. */
  readonly isOpen: (folder: string) => boolean;
  /** Only files whose path contains this text are shown, in any folder. */
  readonly filter?: string;
  /** The folder in which a name for a new file or folder is typed; null if there is none. */
  readonly newIn?: string | null;
}

/** Returns the rows of the open folders and their files: folders first, and last the number of files that are left out. */
export function fileRows(listed: Listed, { isOpen, filter = '', newIn = null }: RowOptions): FileRow[] {
  const wanted = filter.trim().toLowerCase();
  const fits = (file: string): boolean => file.toLowerCase().includes(wanted);
  const rows: FileRow[] = [];
  const links = new Map(listed.links.map((link) => [link.path, link]));
  const whole = wanted === '';
  const shown = whole
    ? listed
    : {
        files: listed.files.filter(fits),
        linked: listed.linked.filter(fits),
        links: listed.links.filter(({ path }) => fits(path)),
        empty: listed.empty.filter(fits),
        left: [],
      };
  addRows({ rows, links, isOpen: whole ? isOpen : () => true, newIn }, treeOf(shown), '', 1);
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

interface Drawing {
  readonly rows: FileRow[];
  readonly links: ReadonlyMap<string, ProjectLink>;
  readonly isOpen: (folder: string) => boolean;
  readonly newIn: string | null;
}

function addRows(drawing: Drawing, { folders, files, left }: Folder, at: string, level: number): void {
  const { rows, links, isOpen, newIn } = drawing;
  const names = [...folders.keys()].toSorted(byName);
  const first = newIn === at ? 1 : 0;
  const siblings = first + names.length + files.length + (left === 0 ? 0 : 1);
  const add = (kind: FileRow['kind'], path: string, name: string, expanded: boolean | null, position: number): void => {
    const id = kind === 'new' ? NEW_ROW : `${kind}:${path}`;
    const link = kind === 'file' || kind === 'folder' ? (links.get(path) ?? null) : null;
    const label = link ? `${name}, link to ${link.target}` : name;
    rows.push({ id, kind, path, name, link, label, level, expanded, position, siblings });
  };
  if (first > 0) add('new', at, 'New name', null, 1);
  for (const [index, name] of names.entries()) {
    const path = joined(at, name);
    const expanded = isOpen(path);
    add('folder', path, name, expanded, first + index + 1);
    if (expanded) addRows(drawing, folders.get(name)!, path, level + 1);
  }
  for (const [index, name] of files.toSorted(byName).entries())
    add('file', joined(at, name), name, null, first + names.length + index + 1);
  if (left !== 0)
    add('left', at, left === null ? '… not listed' : `… and ${left.toLocaleString('en')} more`, null, siblings);
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function treeOf({ files, linked, links, empty, left }: Listed): Folder {
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
  const addFile = (file: string): void => {
    const parts = file.split('/');
    const name = parts.pop()!;
    folderAt(parts).files.push(name);
  };
  for (const folder of empty) folderAt(folder.split('/'));
  for (const file of files) addFile(file);
  for (const file of linked) addFile(file);
  for (const { path, leads } of links) {
    if (leads === 'folder') folderAt(path.split('/'));
    else addFile(path);
  }
  for (const { folder, count } of left) folderAt(folder === '' ? [] : folder.split('/')).left = count;
  return root;
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: [], left: 0 };
}

const byName = new Intl.Collator(undefined, { numeric: true }).compare;
