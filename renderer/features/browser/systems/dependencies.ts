/** Converts the dependencies of systems to links of a drawing, to tree rows, and to text. Pure. */
import type { SystemGraph } from '#contract/image/system.ts';
import { plural } from '#contract/text/text.ts';
import type { Links } from '../../../ui/graph/drawing.ts';
import type { TreeRow } from '../../../ui/panels/tree.tsx';

/**
 * A system in a graph. `outdatedBy` lists the changed systems on which it depends, directly or indirectly. If there are any, loading the
 * system would also reload it.
 */
export type SystemNode = SystemGraph['nodes'][number] & { readonly outdatedBy: readonly string[] };

/** A graph in which each loaded system has a list of the changed systems that make it out of date. */
export type Dependencies = Omit<SystemGraph, 'nodes'> & { readonly nodes: readonly SystemNode[] };

export function withOutdated(graph: SystemGraph): Dependencies {
  const needs = new Map<string, string[]>();
  for (const { from, to } of graph.edges) add(needs, from, to);
  const changed = new Set(graph.nodes.flatMap(({ name, state }) => (state === 'changed' ? [name] : [])));
  const nodes = graph.nodes.map((node) => ({
    ...node,
    outdatedBy: node.state === 'loaded' ? [...reached([node.name], needs)].filter((name) => changed.has(name)) : [],
  }));
  return { ...graph, nodes };
}

/** The direction in which dependencies are shown: the systems that a system needs, the systems that need it, or both. */
export type Direction = 'both' | 'needs' | 'needed-by';

const STATES: Record<SystemNode['state'], string> = {
  loaded: 'loaded',
  changed: 'loaded, changed since',
  failed: 'failed',
  defined: 'not loaded',
  missing: 'missing',
  broken: 'broken',
};

/** Describes the state of a system. */
export function stateWords({
  state,
  changed,
  outdatedBy,
}: Pick<SystemNode, 'state' | 'changed' | 'outdatedBy'>): string {
  if (outdatedBy.length > 0) return `loaded, outdated by ${outdatedBy.join(', ')}`;
  return state === 'changed' && changed > 0 ? `loaded, ${plural(changed, 'file')} changed since` : STATES[state];
}

/** Returns the state that a system's mark shows; an outdated system is marked like a changed one. */
export function markOf({ state, outdatedBy }: SystemNode): SystemNode['state'] {
  return outdatedBy.length > 0 ? 'changed' : state;
}

/** Returns the links of a graph, from each system to the systems that it needs, limited to the systems that the direction includes. */
export function linksOf({ from, nodes, edges }: Dependencies, direction: Direction): Links {
  const needs = new Map<string, string[]>();
  const neededBy = new Map<string, string[]>();
  for (const edge of edges) {
    add(needs, edge.from, edge.to);
    add(neededBy, edge.to, edge.from);
  }
  const shown = new Set([
    ...(direction === 'needed-by' ? [] : reached(from, needs)),
    ...(direction === 'needs' ? [] : reached(from, neededBy)),
  ]);
  const names = nodes.map(({ name }) => name).filter((name) => shown.has(name));
  const within = (links: ReadonlyMap<string, readonly string[]>): Map<string, string[]> =>
    new Map(
      names.flatMap((name): [string, string[]][] => {
        const others = (links.get(name) ?? []).filter((other) => shown.has(other));
        return others.length === 0 ? [] : [[name, others]];
      }),
    );
  return { names, below: within(needs), above: within(neededBy) };
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (!known) map.set(key, [value]);
  else if (!known.includes(value)) known.push(value);
}

/** Returns the given names and all names that can be reached from them through links. */
function reached(from: readonly string[], links: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(from);
  for (const name of found) for (const next of links.get(name) ?? []) found.add(next);
  return found;
}

export interface SystemRow extends TreeRow {
  readonly node: SystemNode;
}

/** The number of levels that are open initially. */
const OPEN = 2;

/**
 * Returns the rows of a tree: below each system the systems that it needs, or those that need it. A system that appears again on its own
 * path is not expanded. `folds` specifies, by row id, whether a row is open.
 */
export function systemRows(
  graph: Dependencies,
  direction: Direction,
  folds: ReadonlyMap<string, boolean>,
): SystemRow[] {
  const { names, below, above } = linksOf(graph, direction);
  const [down, up] = direction === 'needed-by' ? [above, below] : [below, above];
  const nodes = new Map(graph.nodes.map((node) => [node.name, node]));
  const tops = names.filter((name) => (up.get(name) ?? []).length === 0);
  const rows: SystemRow[] = [];
  const addAll = (those: readonly string[], path: readonly string[]): void => {
    for (const [index, name] of those.entries()) {
      const id = [...path, name].join('>');
      const under = path.includes(name) ? [] : (down.get(name) ?? []);
      const expanded = under.length === 0 ? null : (folds.get(id) ?? path.length + 1 < OPEN);
      const node = nodes.get(name)!;
      const label = `${name} ${stateWords(node)}`;
      rows.push({
        id,
        label,
        node,
        expanded,
        level: path.length + 1,
        position: index + 1,
        siblings: those.length,
      });
      if (expanded === true) addAll(under, [...path, name]);
    }
  };
  // A cyclic graph has no top, so start at the requested systems.
  addAll(tops.length > 0 ? tops : graph.from, []);
  return rows;
}

/** Describes the number of systems, and how many of them have a problem. */
export function graphWords({ nodes, more }: Dependencies): string {
  const counted = (state: SystemNode['state'], words: string): string[] => {
    const count = nodes.filter((node) => node.state === state).length;
    return count === 0 ? [] : [`${count} ${words}`];
  };
  const parts = [
    plural(nodes.length, 'system'),
    ...counted('missing', 'missing'),
    ...counted('broken', 'broken'),
    ...counted('failed', 'failed'),
    ...counted('changed', 'changed since'),
    ...(nodes.some(({ outdatedBy }) => outdatedBy.length > 0)
      ? [`${nodes.filter(({ outdatedBy }) => outdatedBy.length > 0).length} outdated`]
      : []),
    ...(more === 0 ? [] : [`${more} more are not shown`]),
  ];
  return parts.join(', ');
}
