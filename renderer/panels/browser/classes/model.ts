/** The classes of a graph as a tree of rows, and as boxes and lines of a drawing. Pure. */
import type { ClassGraph } from '#contract/introspection.ts';
import { bareName } from '../../../sexp/symbols.ts';
import type { TreeRow } from '../../../ui/tree.tsx';

type ClassNode = ClassGraph['nodes'][number];

/** The classes of a graph by their names, with those below and above each of them in the graph. */
export interface Hierarchy {
  readonly nodes: ReadonlyMap<string, ClassNode>;
  readonly subclasses: ReadonlyMap<string, readonly string[]>;
  readonly superclasses: ReadonlyMap<string, readonly string[]>;
  /** Names of the classes without a superclass in the graph. */
  readonly roots: readonly string[];
}

/** The hierarchy of a graph; subclasses in the order of their names, superclasses in their own. */
export function hierarchyOf({ nodes, edges }: Pick<ClassGraph, 'nodes' | 'edges'>): Hierarchy {
  const subclasses = new Map<string, string[]>();
  const superclasses = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, key: string, name: string): void => {
    const known = map.get(key);
    if (known) known.push(name);
    else map.set(key, [name]);
  };
  for (const { class: name, superclass } of edges) {
    add(subclasses, superclass, name);
    add(superclasses, name, superclass);
  }
  for (const names of subclasses.values()) names.sort(byName);
  return {
    nodes: new Map(nodes.map((node) => [node.name, node])),
    subclasses,
    superclasses,
    roots: nodes
      .map(({ name }) => name)
      .filter((name) => !superclasses.has(name))
      .toSorted(byName),
  };
}

function byName(one: string, other: string): number {
  const [a, b] = [bareName(one), bareName(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface ClassRow extends TreeRow {
  readonly node: ClassNode;
}

/**
 * The rows of a hierarchy: a class stands below each of its superclasses. `folds` says of rows, by their ids, whether they are open;
 * the others are open when a class of the user's is below them.
 */
export function classRows(hierarchy: Hierarchy, folds: ReadonlyMap<string, boolean>): ClassRow[] {
  const rows: ClassRow[] = [];
  const opens = opensByItself(hierarchy);
  const add = (names: readonly string[], path: string, level: number): void => {
    for (const [index, name] of names.entries()) {
      const id = `${path}/${name}`;
      const below = hierarchy.subclasses.get(name) ?? [];
      const expanded = below.length === 0 ? null : (folds.get(id) ?? opens.has(name));
      rows.push(rowOf(hierarchy, name, { id, level, expanded, position: index + 1, siblings: names.length }));
      if (expanded === true) add(below, id, level + 1);
    }
  };
  add(hierarchy.roots, '', 1);
  return rows;
}

/** The classes that have a part of a name in theirs, as rows without any below. */
export function filteredRows(hierarchy: Hierarchy, filter: string): ClassRow[] {
  const wanted = filter.trim().toLowerCase();
  const names = [...hierarchy.nodes.keys()].filter((name) => name.toLowerCase().includes(wanted)).toSorted(byName);
  return names.map((name, index) =>
    rowOf(hierarchy, name, { id: name, level: 1, expanded: null, position: index + 1, siblings: names.length }),
  );
}

function rowOf({ nodes }: Hierarchy, name: string, place: Omit<TreeRow, 'label'>): ClassRow {
  const node = nodes.get(name)!;
  return { ...place, node, label: `${shownName(name)}, ${node.kind}` };
}

/** The name as it is shown: as programmers write it. */
export function shownName(name: string): string {
  return name.toLowerCase();
}

/** Names of the classes that have one of the user's below them. */
function opensByItself({ nodes, superclasses }: Hierarchy): Set<string> {
  const open = new Set<string>();
  const visit = (name: string): void => {
    for (const above of superclasses.get(name) ?? []) {
      if (open.has(above)) continue;
      open.add(above);
      visit(above);
    }
  };
  for (const { name, user } of nodes.values()) if (user) visit(name);
  return open;
}

/** A class in a drawing: its column from the left, and its row from the top, which is between two where it stands in the middle. */
interface DrawnClass {
  readonly name: string;
  readonly column: number;
  readonly row: number;
}

export interface Drawing {
  readonly classes: readonly DrawnClass[];
  readonly lines: readonly { readonly from: DrawnClass; readonly to: DrawnClass }[];
  readonly columns: number;
  readonly rows: number;
}

/**
 * The drawing of a hierarchy, superclasses at the left. A class without subclasses has a row of its own; another one stands in the
 * middle of those that have it as their first superclass. A class is right of all its superclasses.
 */
export function drawingOf(hierarchy: Hierarchy): Drawing {
  const { nodes, subclasses, superclasses, roots } = hierarchy;
  const drawn = new Map<string, DrawnClass>();
  const columns = columnsOf(hierarchy);
  let rows = 0;
  const place = (name: string): DrawnClass => {
    const own = (subclasses.get(name) ?? []).filter((below) => superclasses.get(below)?.[0] === name);
    const placed = own.map(place);
    const row = placed.length === 0 ? rows : (placed[0]!.row + placed.at(-1)!.row) / 2;
    if (placed.length === 0) rows += 1;
    const at = { name, column: columns.get(name) ?? 0, row };
    drawn.set(name, at);
    return at;
  };
  for (const root of roots) place(root);
  const classes = [...nodes.keys()].flatMap((name) => drawn.get(name) ?? []);
  const lines = classes.flatMap((to) =>
    (superclasses.get(to.name) ?? []).flatMap((above) => {
      const from = drawn.get(above);
      return from ? [{ from, to }] : [];
    }),
  );
  return { classes, lines, rows, columns: Math.max(0, ...columns.values()) + 1 };
}

/** The column of each class: one more than the last of those of its superclasses. */
function columnsOf({ nodes, superclasses }: Hierarchy): Map<string, number> {
  const columns = new Map<string, number>();
  const columnOf = (name: string): number => {
    const known = columns.get(name);
    if (known !== undefined) return known;
    // Stands until the answer is there, so that a circle, which there can be none of, would end here.
    columns.set(name, 0);
    const column = Math.max(-1, ...(superclasses.get(name) ?? []).map(columnOf)) + 1;
    columns.set(name, column);
    return column;
  };
  for (const name of nodes.keys()) columnOf(name);
  return columns;
}
