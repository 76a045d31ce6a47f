/** The references of a name as rows: by relation, then by file, those of the project first, each with its line. Pure. */
import type { CrossReference, Relation } from '#contract/image/introspection.ts';
import { pathWithin } from '../../base/text/paths.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

export interface RelationFound {
  readonly relation: Relation;
  readonly references: readonly CrossReference[];
  readonly total: number;
  /** How many of the total, the last ones, are in code that the Lisp came with. */
  readonly implementation: number;
}

interface Row extends TreeRow {
  /** Where the row stands in the tree: the key by which it is folded. */
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

/** The relations that are looked up, in the order in which they are shown. */
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
 * The rows of what was found. `toggled` are the keys of the rows that are not as at first, when only those of the implementation are folded;
 * `folder` is that of the project.
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
    const label = `${file === '' ? 'Of no file' : file}, ${within.length.toLocaleString('en')}`;
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

/** The title of the row under which the references of the implementation are. */
export const IMPLEMENTATION = 'In the Lisp implementation';

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

/** The line of a reference, the name that it stands in, and the text of that line, as they are shown and read out. */
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

/** The references by file, those in the project's folder first; those that stand in no file come last, under an empty name. */
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
