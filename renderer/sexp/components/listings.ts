/**
 * Reads the components of the systems in the text of an `.asd`, with the files that they stand for. All paths are relative to the folder of
 * the `.asd` and have slashes. Pure.
 */
import { designatedName, operatorName } from '#contract/sexp/forms.ts';
import { type Form, readText } from '#contract/sexp/reader.ts';

/** A system or module, with the list of its components. */
export interface Listing {
  /** The name of the system. */
  readonly system: string;
  /** The `defsystem` form. */
  readonly top: Form;
  /** The folder of the components; '' for the folder of the `.asd`. */
  readonly folder: string;
  /** The forms that give the folder: a name or a pathname. */
  readonly own: Located;
  readonly parent: Listing | null;
  /** The list after `:components`. */
  readonly list: Form;
  readonly components: readonly Component[];
  /** True if each component depends on the ones before it. */
  readonly serial: boolean;
}

/** The forms that name a component and its place. */
interface Located {
  /** The form of the name. */
  readonly name: Form;
  /** The form after `:pathname`; null if the name is also the path. */
  readonly pathname: Form | null;
}

export interface Component extends Located {
  readonly form: Form;
  readonly kind: 'file' | 'module' | 'other';
  /** The name as ASDF stores it. */
  readonly title: string;
  /** The path of the file with its type, or of the folder of a module. */
  readonly path: string;
  /** The form after `:depends-on`; null if there is none. */
  readonly dependsOn: Form | null;
}

/** The types of components that are Lisp files, with the extensions of the files. */
const LISP_FILES: Readonly<Record<string, string>> = {
  ':file': '.lisp',
  ':cl-source-file': '.lisp',
  ':cl-source-file.cl': '.cl',
  ':cl-source-file.lsp': '.lsp',
};

/** Returns the lists of components in a text, outer ones before their modules. Lists in a folder that the text computes are left out. */
export function listingsIn(text: string): Listing[] {
  const found: Listing[] = [];
  for (const form of readText(text).forms) {
    const [operator, name] = form.children;
    if (form.kind !== 'list' || !operator || !name || operatorName(text, operator) !== 'defsystem') continue;
    const system = nameOf(text, name);
    if (system === null) continue;
    const pathname = valueAfter(text, form, 2, ':pathname');
    const folder = pathname === null ? '' : pathOf(text, pathname);
    if (folder !== null)
      addListings(text, { system, top: form, folder, own: { name, pathname }, parent: null }, form, found);
  }
  return found;
}

/** Returns true if a system in a text infers its components from packages, so that it lists none. */
export function infersComponents(text: string): boolean {
  return readText(text).forms.some((form) => {
    const [operator] = form.children;
    if (!operator || operatorName(text, operator) !== 'defsystem') return false;
    const value = valueAfter(text, form, 2, ':class');
    return value !== null && /package-inferred-system/i.test(text.slice(value.start, value.end));
  });
}

function addListings(
  text: string,
  place: Omit<Listing, 'list' | 'components' | 'serial'>,
  form: Form,
  found: Listing[],
): void {
  const list = valueAfter(text, form, 2, ':components');
  if (list?.kind !== 'list' || !list.closed) return;
  const serial = valueAfter(text, form, 2, ':serial');
  const components = list.children.flatMap((child) => componentOf(text, child, place.folder) ?? []);
  const isSerial = serial !== null && text.slice(serial.start, serial.end).toLowerCase() !== 'nil';
  const listing: Listing = { ...place, list, components, serial: isSerial };
  found.push(listing);
  for (const component of components)
    if (component.kind === 'module') {
      const { name, pathname, path } = component;
      const inner = { system: place.system, top: place.top, folder: path, own: { name, pathname }, parent: listing };
      addListings(text, inner, component.form, found);
    }
}

function componentOf(text: string, form: Form, folder: string): Component | null {
  const [type, name] = form.children;
  if (form.kind !== 'list' || !form.closed || type?.kind !== 'atom' || !name) return null;
  const title = nameOf(text, name);
  if (title === null) return null;
  const word = text.slice(type.body, type.end).toLowerCase();
  const extension = LISP_FILES[word];
  const kind = word === ':module' ? 'module' : extension === undefined ? 'other' : 'file';
  const pathname = valueAfter(text, form, 2, ':pathname');
  const own = pathname === null ? title : pathOf(text, pathname);
  if (own === null) return null;
  const typed = kind === 'file' && !own.endsWith(extension!) ? `${own}${extension}` : own;
  const path = joinedPath(folder, pathname === null && kind === 'file' ? `${title}${extension}` : typed);
  return path === null
    ? null
    : { form, kind, title, name, pathname, path, dependsOn: valueAfter(text, form, 2, ':depends-on') };
}

/** Returns the form after a keyword in a list of keywords and values; null if the keyword is missing. */
function valueAfter(text: string, { children }: Form, from: number, keyword: string): Form | null {
  for (let at = from; at + 1 < children.length; at += 2) {
    const key = children[at]!;
    if (key.kind === 'atom' && text.slice(key.start, key.end).toLowerCase() === keyword) return children[at + 1]!;
  }
  return null;
}

/** Returns the name of a system or component as ASDF reads it: a string as written, a symbol in lower case; null for other forms. */
export function nameOf(text: string, form: Form): string | null {
  const prefix = text.slice(form.start, form.body);
  if (prefix !== '') return null;
  const name = designatedName(text, form);
  if (name === null || form.kind === 'string') return name;
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase();
}

/** Returns a pathname that is written as a string or with `#p`; null for other forms and for absolute paths. */
function pathOf(text: string, form: Form): string | null {
  if (form.kind !== 'string' || !form.closed || !/^(?:#p)?$/i.test(text.slice(form.start, form.body))) return null;
  const path = designatedName(text, form)!;
  return path.startsWith('/') ? null : joinedPath('', path);
}

/** Returns a path in a folder without `.` and empty components; null if it leads out of the folder of the `.asd`. */
function joinedPath(folder: string, path: string): string | null {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}
