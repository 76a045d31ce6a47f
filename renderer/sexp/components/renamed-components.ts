/** Changes the components in the text of an `.asd` after a file or folder was renamed or moved. Pure. */
import { designatedName } from '#contract/sexp/forms.ts';
import type { Form } from '#contract/sexp/reader.ts';
import type { TextEdit } from './added-component.ts';
import { type Component, type Listing, listingsIn, nameOf } from './listings.ts';
import { writtenName } from './written-name.ts';

export interface RenamedComponents {
  readonly edits: readonly TextEdit[];
  /** The paths of components that no name in their list can stand for, because the file is outside its folder or is not a Lisp file. */
  readonly left: readonly string[];
}

/**
 * Returns the edits that make the components of a file or folder stand for its new path, in their order. Paths are relative to the folder
 * of the `.asd`. Names in `:depends-on` of the same list are changed, too. Returns no edits if the text does not list the file.
 */
export function renamedComponents(text: string, from: string, to: string): RenamedComponents {
  const now = (path: string): string =>
    path === from ? to : path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
  const edits: TextEdit[] = [];
  const left: string[] = [];
  for (const listing of listingsIn(text)) {
    if (listing.parent === null && listing.own.pathname && now(listing.folder) !== listing.folder)
      edits.push(pathEdit(text, listing.own.pathname, now(listing.folder)));
    for (const component of listing.components) {
      const [before, after] = [
        within(component.path, listing.folder),
        within(now(component.path), now(listing.folder)),
      ];
      if (after === before) continue;
      const own = after === null ? null : ownName(component, after);
      if (own === null) left.push(component.path);
      else edits.push(...editsOf(text, listing, component, own));
    }
  }
  return { edits: edits.toSorted((one, other) => one.start - other.start), left };
}

/** Returns a path relative to a folder; null if it is not inside. */
function within(path: string, folder: string): string | null {
  if (folder === '') return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path === folder ? '' : null;
}

/** Returns the name for a relative path; null if a component of this kind cannot have that path. */
function ownName({ kind, path }: Component, relative: string): string | null {
  if (relative === '') return null;
  if (kind !== 'file') return relative;
  const extension = path.slice(path.lastIndexOf('.'));
  return relative.endsWith(extension) ? relative.slice(0, -extension.length) : null;
}

function editsOf(text: string, { components }: Listing, component: Component, own: string): TextEdit[] {
  const { name, pathname, path, title } = component;
  if (pathname) {
    const extension = path.slice(path.lastIndexOf('.'));
    const isTyped = designatedName(text, pathname)!.endsWith(extension);
    return [pathEdit(text, pathname, component.kind === 'file' && isTyped ? own + extension : own)];
  }
  const users = components.flatMap(({ dependsOn }) => (dependsOn ? namesIn(text, dependsOn, title) : []));
  return [name, ...users].map((form) => ({ start: form.start, end: form.end, text: writtenName(text, form, own) }));
}

/** Returns the forms in a list of dependencies that name a component, also those with a feature or version. */
function namesIn(text: string, form: Form, title: string): Form[] {
  if (form.kind !== 'list') return nameOf(text, form) === title ? [form] : [];
  return form.children.flatMap((child) => {
    if (child.kind !== 'list') return namesIn(text, child, title);
    const operator = child.children[0];
    const word = operator ? text.slice(operator.start, operator.end).toLowerCase() : '';
    const named = word === ':feature' ? child.children[2] : word === ':version' ? child.children[1] : undefined;
    return named ? namesIn(text, named, title) : [];
  });
}

/** Returns the edit of a pathname. A slash at its end stays. */
function pathEdit(text: string, { body, end }: Form, path: string): TextEdit {
  const slash = text.slice(body, end).endsWith('/"') ? '/' : '';
  return { start: body, end, text: `"${path.replaceAll(/["\\]/g, '\\$&')}${path === '' ? '' : slash}"` };
}
