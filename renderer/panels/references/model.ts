/** The references of a name as rows: by relation, then by file, each with its line. Pure. */
import type { CrossReference, Relation } from '#contract/introspection.ts';
import type { TreeRow } from '../../ui/tree.tsx';

export interface RelationFound {
  readonly relation: Relation;
  readonly references: readonly CrossReference[];
  readonly total: number;
}

interface Row extends TreeRow {
  /** Where the row stands in the tree: the key by which it is folded. */
  readonly key: string;
}

export type ReferenceRow =
  | (Row & { readonly kind: 'relation'; readonly title: string; readonly total: number })
  | (Row & { readonly kind: 'file'; readonly file: string; readonly count: number })
  | (Row & { readonly kind: 'reference'; readonly reference: CrossReference })
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

/** The rows of what was found. `closed` are the keys of relations and files that are folded. */
export function referenceRows(found: readonly RelationFound[], closed: ReadonlySet<string>): ReferenceRow[] {
  const known = found.filter(({ total }) => total > 0);
  return known.flatMap(({ relation, references, total }, index) => {
    const title = TITLES[relation];
    const head: ReferenceRow = {
      ...place(relation, `${title}, ${total.toLocaleString('en')}`, 1, index, known.length, !closed.has(relation)),
      kind: 'relation',
      title,
      total,
    };
    return closed.has(relation) ? [head] : [head, ...rowsOf(relation, references, total, closed)];
  });
}

function rowsOf(
  relation: Relation,
  references: readonly CrossReference[],
  total: number,
  closed: ReadonlySet<string>,
): ReferenceRow[] {
  const files = byFile(references);
  const isCut = total > references.length;
  const siblings = files.length + (isCut ? 1 : 0);
  const rows = files.flatMap(([file, within], index): ReferenceRow[] => {
    const key = `${relation}:${file}`;
    const label = `${file === '' ? 'Of no file' : file}, ${within.length.toLocaleString('en')}`;
    const head: ReferenceRow = {
      ...place(key, label, 2, index, siblings, !closed.has(key)),
      kind: 'file',
      file,
      count: within.length,
    };
    if (closed.has(key)) return [head];
    return [
      head,
      ...within.map((reference, at): ReferenceRow => ({
        ...place(`${key}:${at}`, Object.values(referenceWords(reference)).join(' ').trim(), 3, at, within.length, null),
        kind: 'reference',
        reference,
      })),
    ];
  });
  if (!isCut) return rows;
  const count = total - references.length;
  return [
    ...rows,
    { ...place(`${relation}:more`, `${count} more`, 2, files.length, siblings, null), kind: 'more', count },
  ];
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

/** The references by file; those that stand in no file come last, under an empty name. */
function byFile(references: readonly CrossReference[]): [string, CrossReference[]][] {
  const files = new Map<string, CrossReference[]>();
  for (const reference of references) {
    const file = reference.source?.file ?? '';
    const within = files.get(file);
    if (within) within.push(reference);
    else files.set(file, [reference]);
  }
  const line = ({ source }: CrossReference): number => source?.line ?? source?.offset ?? 0;
  return [...files]
    .toSorted(([one], [other]) => Number(one === '') - Number(other === ''))
    .map(([file, within]) => [file, within.toSorted((one, other) => line(one) - line(other))]);
}
