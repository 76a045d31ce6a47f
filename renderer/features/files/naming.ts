/** The name that the person types in the tree: what it is for, its faults, and what Enter does. */
import type { ProjectFiles } from '#contract/project.ts';
import { nameFault } from '#contract/file-names.ts';
import { mirror } from '../../base/mirror.ts';
import { fileName, folderPath } from '../../base/text/paths.ts';
import { createFile, createFolder, moveTo } from './file-actions.ts';
import { createComponent } from './components.ts';
import type { Naming } from './files-store.ts';

/** Returns the accessible name of the field. */
export function namingLabel(naming: Naming): string {
  switch (naming.kind) {
    case 'new file':
      return 'Name of the new file';
    case 'new folder':
      return 'Name of the new folder';
    case 'new component':
      return 'Name of the new component';
    case 'rename':
      return `New name of ${fileName(naming.target.path)}`;
    case 'move':
      return `New path of ${naming.target.path}`;
  }
}

/** Returns the text with which the field starts. */
export function initialName(naming: Naming): string {
  if (naming.kind === 'rename') return fileName(naming.target.path);
  return naming.kind === 'move' ? naming.target.path : '';
}

/** Returns the path for a typed name, relative to the project. */
function pathFor(naming: Naming, name: string): string {
  const typed = naming.kind === 'new component' && !name.endsWith('.lisp') ? `${name}.lisp` : name;
  const folder = naming.kind === 'move' ? '' : 'folder' in naming ? naming.folder : folderPath(naming.target.path);
  return folder === '' ? typed : `${folder}/${typed}`;
}

/** Returns the reason why a typed name cannot be used; null if it can be used, or if nothing was changed. */
export function typedFault(
  naming: Naming,
  name: string,
  {
    files,
    linked,
    links,
    empty,
  }: Pick<ProjectFiles, 'linked' | 'links' | 'empty'> & { files: readonly string[] | null },
): string | null {
  const wanted = name.replace(/\/$/, '');
  const isFile = naming.kind === 'new file' || naming.kind === 'new component';
  if (isFile && name.endsWith('/')) return 'Enter a name after the slash, or use New Folder….';
  const fault = nameFault(wanted, mirror.getState().platform);
  if (fault !== null) return fault;
  const path = pathFor(naming, wanted);
  if ('target' in naming && path === naming.target.path) return null;
  const isTaken =
    (files ?? []).some((file) => file === path || file.startsWith(`${path}/`)) ||
    linked.includes(path) ||
    links.some((link) => link.path === path) ||
    empty.some((folder) => folder === path || folder.startsWith(`${path}/`));
  return isTaken ? `${path} already exists. Enter another name.` : null;
}

/** Does what Enter in the field means. Calls `done` when the disk is changed, before the file is opened. */
export async function applyName(naming: Naming, name: string, done: () => void): Promise<void> {
  const path = pathFor(naming, name.replace(/\/$/, ''));
  switch (naming.kind) {
    case 'new file':
      return createFile(path, done);
    case 'new folder':
      return createFolder(path, done);
    case 'new component':
      return createComponent(path, naming.beside, done);
    case 'rename':
    case 'move':
      return moveTo(naming.target, path, done);
  }
}
