/** The calls of a function as a tree, callers of callers or callees of callees, as far as it was opened. Pure. */
import type { CrossReference } from '#contract/image/introspection.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

/** The relation by which the tree goes down. */
export type CallRelation = 'called-by' | 'calls';

/** A function in the tree, with the places at which it calls, or is called by, the one above it. */
export interface CallNode {
  /** The name as it is looked up: a symbol, or `(SETF NAME)`. */
  readonly name: string;
  readonly kind: string;
  readonly places: readonly CrossReference[];
}

/** The functions below those that were opened, by the path of names that leads there; null while they are looked up. */
export type Opened = ReadonlyMap<string, readonly CallNode[] | null>;

export interface CallRow extends TreeRow {
  readonly path: readonly string[];
  readonly node: CallNode | null;
  /** True for a function that is above itself in the tree: it calls itself by these others. */
  readonly recursive: boolean;
}

/** The functions of references: the methods of one as that one, the places of each together, in the order of their first. */
export function callNodes(references: readonly CrossReference[]): CallNode[] {
  const nodes = new Map<string, { name: string; kind: string; places: CrossReference[] }>();
  for (const reference of references) {
    const name = functionOf(reference.name);
    const known = nodes.get(name);
    if (known) known.places.push(reference);
    else nodes.set(name, { name, kind: reference.kind, places: [reference] });
  }
  return [...nodes.values()];
}

/** The name of the function that a definition is of: a method's without its qualifiers and specializers. */
function functionOf(name: string): string {
  const end = name.startsWith('(') ? name.indexOf(')') + 1 : name.indexOf(' ');
  return end <= 0 ? name : name.slice(0, end);
}

/** The key of a path in what was opened. */
export function pathKey(path: readonly string[]): string {
  return path.join('\n');
}

/** The rows of the tree below `root`, down to what was opened and is not folded again. */
export function callRows(root: string, opened: Opened, folded: ReadonlySet<string>): CallRow[] {
  const rowOf = (path: readonly string[], node: CallNode | null, position: number, siblings: number): CallRow[] => {
    const key = pathKey(path);
    const name = path.at(-1)!;
    const recursive = path.slice(0, -1).includes(name);
    const below = opened.get(key);
    const isLeaf = recursive || below?.length === 0 || (node !== null && !CALLABLE.has(node.kind));
    const expanded = isLeaf ? null : below !== undefined && !folded.has(key);
    const label = node === null ? name.toLowerCase() : `${name.toLowerCase()} ${placesWords(node, recursive)}`.trim();
    const row = { id: key, label, level: path.length, expanded, position, siblings, path, node, recursive };
    const rows = expanded === true ? (below ?? []) : [];
    return [row, ...rows.flatMap((each, index) => rowOf([...path, each.name], each, index + 1, rows.length))];
  };
  return rowOf([root], null, 1, 1);
}

/** Kinds of definitions that call and are called. */
const CALLABLE: ReadonlySet<string> = new Set([
  'function',
  'generic-function',
  'method',
  'macro',
  'setf-function',
  'setf-method',
  'compiler-macro',
]);

/** The number of places where it is not one, and that a function comes to itself again. */
export function placesWords({ places }: CallNode, recursive: boolean): string {
  return [places.length > 1 ? `${places.length.toLocaleString('en')} places` : '', recursive ? 'recursive' : '']
    .filter(Boolean)
    .join(', ');
}
