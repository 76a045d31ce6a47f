/** The references of a name as rows with their lines: by relation, then by file, the project's files first. Pure. */
import type { CrossReference, Relation } from '#contract/image/introspection.ts';
import { pathWithin } from '../../base/text/paths.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

export interface RelationFound {
  readonly relation: Relation;
  readonly references: readonly CrossReference[];
  readonly total: number;
  /** The number of references in the Lisp implementation's own code. These references come last. */
  readonly implementation: number;
}

interface Row extends TreeRow {
  /** The key under which the row is stored in `toggled`. */
  readonly key: string;
}

export type ReferenceRow =
  | (Row & { readonly kind: 'relation'; readonly title: string; readonly total: number })
  | (Row & { readonly kind: 'file'; readonly file: string; readonly count: number })
  | (Row & { readonly kind: 'reference'; readonly reference: CrossReference })
  | (Row & { readonly kind: 'implementation'; readonly count: number })
  | (Row & { readonly kind: 'more'; readonly count: number });

const TITLES: Record<Relation, string> = {
  'called-by': 'Called by',
  calls: 'Calls',
  references: 'Read in',
  binds: 'Bound in',
  sets: 'Set in',
  macroexpands: 'Expanded in',
  specializes: 'Specialized by',
  'callers-by-object': 'Called by, as an object',
};

/** The relations that are looked up, in the order of display. */
export const RELATIONS: Relation[] = [
  'called-by',
  'macroexpands',
  'references',
  'sets',
  'binds',
  'specializes',
  'calls',
];

/**
 * Returns the rows of the found references. `toggled` contains the keys of rows that differ from the initial state, in which only the
 * implementation's rows are folded. `folder` is the project's folder.
 */
export function referenceRows(
  found: readonly RelationFound[],
  toggled: ReadonlySet<string>,
  folder: string | null,
): ReferenceRow[] {
  const known = found.filter(({ total }) => total > 0);
  return known.flatMap((each, index) => {
    const { relation, total } = each;
    const title = TITLES[relation];
    const isOpen = !toggled.has(relation);
    const head: ReferenceRow = {
      ...place(relation, `${title}, ${total.toLocaleString('en')}`, 1, index, known.length, isOpen),
      kind: 'relation',
      title,
      total,
    };
    return isOpen ? [head, ...rowsOf(each, toggled, folder)] : [head];
  });
}

function rowsOf(
  { relation, references, total, implementation }: RelationFound,
  toggled: ReadonlySet<string>,
  folder: string | null,
): ReferenceRow[] {
  const own = references.slice(0, total - implementation);
  const isOwnCut = own.length < total - implementation;
  const files = byFile(own, folder);
  const siblings = files.length + (isOwnCut ? 1 : 0) + (implementation > 0 ? 1 : 0);
  const rows = files.flatMap(([file, within], index): ReferenceRow[] => {
    const key = `${relation}:${file}`;
    const isOpen = !toggled.has(key);
    const label = `${file === '' ? 'Not in a file' : file}, ${within.length.toLocaleString('en')}`;
    const head: ReferenceRow = {
      ...place(key, label, 2, index, siblings, isOpen),
      kind: 'file',
      file,
      count: within.length,
    };
    return isOpen ? [head, ...leaves(key, within, 0)] : [head];
  });
  if (isOwnCut) rows.push(moreRow(relation, total - implementation - own.length, 2, files.length, siblings));
  if (implementation === 0) return rows;
  const key = `${relation}:implementation`;
  const isOpen = toggled.has(key);
  const label = `${IMPLEMENTATION}, ${implementation.toLocaleString('en')}`;
  rows.push({ ...place(key, label, 2, siblings - 1, siblings, isOpen), kind: 'implementation', count: implementation });
  if (!isOpen) return rows;
  const theirs = references.slice(own.length);
  const left = implementation - theirs.length;
  rows.push(...leaves(key, theirs, left > 0 ? 1 : 0));
  if (left > 0) rows.push(moreRow(key, left, 3, theirs.length, theirs.length + 1));
  return rows;
}

/** The title of the row above the references in the implementation. */
export const IMPLEMENTATION = 'In SBCL';

function leaves(key: string, references: readonly CrossReference[], more: number): ReferenceRow[] {
  const siblings = references.length + more;
  return references.map((reference, at) => ({
    ...place(`${key}:${at}`, Object.values(referenceWords(reference)).join(' ').trim(), 3, at, siblings, null),
    kind: 'reference',
    reference,
  }));
}

function moreRow(under: string, count: number, level: number, index: number, siblings: number): ReferenceRow {
  return {
    ...place(`${under}:more`, `${count.toLocaleString('en')} more`, level, index, siblings, null),
    kind: 'more',
    count,
  };
}

/** Returns the line of a reference, the name of its definition, and the text of the line, as shown and read aloud. */
export function referenceWords({ source, name, snippet }: CrossReference): {
  line: string;
  name: string;
  text: string;
} {
  return { line: source?.line?.toString() ?? '', name: name.toLowerCase(), text: snippet?.trim() ?? '' };
}

function place(
  key: string,
  label: string,
  level: number,
  index: number,
  siblings: number,
  expanded: boolean | null,
): Row {
  return { id: key, key, label, level, position: index + 1, siblings, expanded };
}

/** Returns the references by file, the files in the project's folder first. References without a file come last, under an empty name. */
function byFile(references: readonly CrossReference[], folder: string | null): [string, CrossReference[]][] {
  const files = new Map<string, CrossReference[]>();
  for (const reference of references) {
    const file = reference.source?.file ?? '';
    const within = files.get(file);
    if (within) within.push(reference);
    else files.set(file, [reference]);
  }
  const line = ({ source }: CrossReference): number => source?.line ?? source?.offset ?? 0;
  const rank = (file: string): number =>
    file === '' ? 2 : folder !== null && pathWithin(folder, file) !== null ? 0 : 1;
  return [...files]
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .map(([file, within]) => [file, within.toSorted((one, other) => line(one) - line(other))]);
}
