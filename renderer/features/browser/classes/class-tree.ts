/** Converts the classes of a graph to rows of a tree, and to the links of a drawing. Pure. */
import type { ClassGraph } from '#contract/image/introspection.ts';
import { bareName } from '../../../sexp/symbols.ts';
import type { Links } from '../../../ui/graph/drawing.ts';
import type { TreeRow } from '../../../ui/panels/tree.tsx';

type ClassNode = ClassGraph['nodes'][number];

/** The classes of a graph by name, with each class's subclasses and superclasses in the graph. */
export interface Hierarchy {
  readonly nodes: ReadonlyMap<string, ClassNode>;
  readonly subclasses: ReadonlyMap<string, readonly string[]>;
  readonly superclasses: ReadonlyMap<string, readonly string[]>;
  /** Names of the classes that have no superclass in the graph. */
  readonly roots: readonly string[];
}

/** Returns the hierarchy of a graph. Subclasses are sorted by name; superclasses keep their order. */
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
 * Returns the rows of a hierarchy, in which a class appears below each of its superclasses. `folds` specifies, by row id, whether a row is
 * open. Any other row is open if a class of the user is below it.
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

/** Returns the classes whose names contain the filter text, as a flat list of rows. */
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

/** Returns the name in lower case, as names are usually written in source code. */
export function shownName(name: string): string {
  return name.toLowerCase();
}

/** Returns the names of classes that have a class of the user below them. */
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

/** Returns the links of a hierarchy for drawing. */
export function linksOf({ nodes, subclasses, superclasses, roots }: Hierarchy): Links {
  const others = [...nodes.keys()].filter((name) => superclasses.has(name));
  return { names: [...roots, ...others], below: subclasses, above: superclasses };
}
