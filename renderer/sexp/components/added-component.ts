/** Adds a component for a new Lisp file to the text of an `.asd`. Pure. */
import type { Form } from '#contract/sexp/reader.ts';
import { type Component, infersComponents, type Listing, listingsIn } from './listings.ts';
import { writtenName } from './written-name.ts';

/** A replacement of a part of a text, by offsets. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface NewComponent {
  /** The path of the new file relative to the folder of the `.asd`, such as `src/cart.lisp`. */
  readonly path: string;
  /** The path of the file after which the component is added; null to add it after the last file of its folder. */
  readonly beside: string | null;
  /** True if the new file depends on that file, such as on the one that defines its package. */
  readonly needsIt: boolean;
}

/**
 * The result of adding a component. `fit` says which list was chosen: the one with the file beside it, one with files of the same folder,
 * or one of a folder above.
 */
export type AddedComponent =
  | { readonly edit: TextEdit; readonly system: string; readonly fit: 'beside' | 'folder' | 'above' }
  | { readonly edit: null; readonly why: 'listed' | 'inferred' | 'no-list' };

/** Returns the edit that adds a component for a file: after the component beside it, in the same list and in the same style. */
export function addedComponent(text: string, { path, beside, needsIt }: NewComponent): AddedComponent {
  const listings = listingsIn(text);
  if (listings.some(({ components }) => components.some((each) => each.path === path)))
    return { edit: null, why: 'listed' };
  const chosen = listingFor(listings, path, beside);
  if (chosen === null) return { edit: null, why: infersComponents(text) ? 'inferred' : 'no-list' };
  const { listing, neighbour, fit } = chosen;
  const own = path.slice(listing.folder === '' ? 0 : listing.folder.length + 1).replace(/\.lisp$/, '');
  const written = componentText(text, listing, neighbour, own, needsIt && fit === 'beside');
  return { edit: insertion(text, listing, neighbour, written), system: listing.system, fit };
}

interface Chosen {
  readonly listing: Listing;
  /** The component after which the new one is added; null for an empty list. */
  readonly neighbour: Component | null;
  readonly fit: 'beside' | 'folder' | 'above';
}

function listingFor(listings: readonly Listing[], path: string, beside: string | null): Chosen | null {
  const folder = folderOf(path);
  const reaches = (listing: Listing): boolean => isWithin(path, listing.folder);
  for (const listing of listings) {
    const neighbour = listing.components.find((each) => each.path === beside);
    if (neighbour && reaches(listing)) return { listing, neighbour, fit: 'beside' };
  }
  for (const listing of listings) {
    const neighbour = listing.components.findLast((each) => each.kind === 'file' && folderOf(each.path) === folder);
    if (neighbour && reaches(listing)) return { listing, neighbour, fit: 'folder' };
  }
  const above = listings.filter(reaches).toSorted((one, other) => other.folder.length - one.folder.length)[0];
  if (!above) return null;
  const neighbour = above.components.findLast(({ kind }) => kind === 'file') ?? above.components.at(-1) ?? null;
  return { listing: above, neighbour, fit: above.folder === folder ? 'folder' : 'above' };
}

/** Returns a component such as `(:file "cart" :depends-on ("package"))`, in the style of the component before it. */
function componentText(
  text: string,
  { serial }: Listing,
  neighbour: Component | null,
  name: string,
  needsIt: boolean,
): string {
  const isFile = neighbour?.kind === 'file' && neighbour.path.endsWith('.lisp');
  const type = isFile ? neighbour.form.children[0]! : null;
  const head = `(${type ? text.slice(type.start, type.end) : ':file'} ${writtenName(text, neighbour?.name ?? null, name)}`;
  const needed = serial || !isFile ? [] : dependencies(text, neighbour, needsIt);
  return needed.length === 0 ? `${head})` : `${head} :depends-on (${needed.join(' ')}))`;
}

/** Returns the dependencies of a component as written, and its own name if the new component depends on it. */
function dependencies(text: string, { dependsOn, name }: Component, needsIt: boolean): string[] {
  const own = needsIt ? [text.slice(name.start, name.end)] : [];
  if (dependsOn?.kind !== 'list' || dependsOn.start !== dependsOn.body) return own;
  const inner = text.slice(dependsOn.body + 1, dependsOn.end - 1);
  // With a comment or a reader conditional, the dependencies cannot be put on one line, or their forms are not all of them.
  const whole = /[;#]/.test(inner)
    ? dependsOn.children.map(({ start, end }) => text.slice(start, end))
    : [inner.replaceAll(/\s+/g, ' ').trim()];
  return [...whole.filter((each) => each !== ''), ...own];
}

function insertion(
  text: string,
  { top, list, components }: Listing,
  neighbour: Component | null,
  written: string,
): TextEdit {
  if (neighbour === null) {
    const gap = list.children.length > 0 ? ' ' : '';
    return { start: list.body + 1, end: list.body + 1, text: `${written}${gap}` };
  }
  const { form } = neighbour;
  if (sharesLine(text, top, components, neighbour)) return { start: form.end, end: form.end, text: ` ${written}` };
  // A comment at the end of the line belongs to the component before it.
  const comment = /^[ \t]*(?:;[^\r\n]*)?/.exec(text.slice(form.end))![0];
  const at = comment.includes(';') ? form.end + comment.length : form.end;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  return { start: at, end: at, text: `${lineEnd}${indentOf(text, form)}${written}` };
}

/** True if a component is on one line with another one, or if the whole system is on one line. */
function sharesLine(text: string, top: Form, components: readonly Component[], neighbour: Component): boolean {
  if (!text.slice(top.start, top.end).includes('\n')) return true;
  const at = components.indexOf(neighbour);
  const [before, after] = [components[at - 1], components[at + 1]];
  const gaps = [
    before ? text.slice(before.form.end, neighbour.form.start) : '\n',
    after ? text.slice(neighbour.form.end, after.form.start) : '\n',
  ];
  return gaps.some((gap) => !gap.includes('\n'));
}

/** Returns the white space that puts a form below another one. A reader conditional before that form does not count. */
function indentOf(text: string, form: Form): string {
  const line = text.slice(text.lastIndexOf('\n', form.start - 1) + 1, form.start);
  const before = /^\s*(?=#[+-])/.exec(line)?.[0] ?? line;
  return before.replaceAll(/[^\t]/g, ' ');
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}
