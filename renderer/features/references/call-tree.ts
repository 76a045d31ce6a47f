/**
 * The calls of a function as a tree: callers and their callers, or callees and their callees, down to the rows that the person opened.
 * Pure.
 */
import type { CrossReference } from '#contract/image/introspection.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

/** The relation between a row and the rows below it. */
export type CallRelation = 'called-by' | 'calls';

/** A function in the tree, with the places at which it calls the function above it or is called by it. */
export interface CallNode {
  /** The name to look up: a symbol, or `(SETF NAME)`. */
  readonly name: string;
  readonly kind: string;
  readonly places: readonly CrossReference[];
}

/** The functions below the opened ones, by the path of names that leads to them; null while they are being looked up. */
export type Opened = ReadonlyMap<string, readonly CallNode[] | null>;

export interface CallRow extends TreeRow {
  readonly path: readonly string[];
  readonly node: CallNode | null;
  /**
   * True for a function that also appears higher up on its own branch of the tree, because it calls itself directly or through other
   * functions.
   */
  readonly recursive: boolean;
}

/**
 * Groups references by function, in the order of each function's first reference. Methods are grouped under their generic function, and
 * their places are combined.
 */
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

/** Returns the name of the function to which a definition belongs. For a method, this is its name without qualifiers and specializers. */
function functionOf(name: string): string {
  const end = name.startsWith('(') ? name.indexOf(')') + 1 : name.indexOf(' ');
  return end <= 0 ? name : name.slice(0, end);
}

/** Returns the key of a path in `Opened`. */
export function pathKey(path: readonly string[]): string {
  return path.join('\n');
}

/** Returns the rows of the tree below `root`, down to the functions that were opened and are not folded. */
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

/** The kinds of definitions that call and can be called. */
const CALLABLE: ReadonlySet<string> = new Set([
  'function',
  'generic-function',
  'method',
  'macro',
  'setf-function',
  'setf-method',
  'compiler-macro',
]);

/** Returns the number of places if there are several, and a note if the function is recursive. */
export function placesWords({ places }: CallNode, recursive: boolean): string {
  return [places.length > 1 ? `${places.length.toLocaleString('en')} places` : '', recursive ? 'recursive' : '']
    .filter(Boolean)
    .join(', ');
}
