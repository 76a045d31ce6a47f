/** The flame graph of a profile: call stacks folded into a tree, and the positions of its boxes. Pure. */
import type { ProfileResult } from '#contract/image/observation/profiling.ts';

/** A function as called by the functions above it. */
export interface FlameNode {
  /** The path from the root, as positions among siblings: `0/2/1`. */
  readonly id: string;
  readonly name: string;
  readonly level: number;
  readonly parent: FlameNode | null;
  /** The number of samples in the function itself. */
  readonly self: number;
  /** The number of samples in the function and in the functions that it called. */
  readonly total: number;
  /** The called functions, the one with the most samples first. */
  readonly children: readonly FlameNode[];
}

/** A node with its position; `left` and `width` are shares of the whole width. */
export interface FlameBox {
  readonly node: FlameNode;
  readonly left: number;
  readonly width: number;
}

interface Counted {
  self: number;
  total: number;
  readonly callees: Map<string, Counted>;
}

/** Folds stacks into a tree. Its root is the profiled form, or all threads. */
export function flameOf(stacks: ProfileResult['stacks']): FlameNode {
  const root = counted();
  for (const { frames, count } of stacks) {
    let at = root;
    at.total += count;
    for (const name of frames.slice(1)) {
      const next = at.callees.get(name) ?? counted();
      at.callees.set(name, next);
      next.total += count;
      at = next;
    }
    at.self += count;
  }
  return nodeOf(stacks[0]?.frames[0] ?? 'form', root, { id: '0', level: 1, parent: null });
}

const counted = (): Counted => ({ self: 0, total: 0, callees: new Map() });

function nodeOf(name: string, { self, total, callees }: Counted, place: Pick<FlameNode, 'id' | 'level' | 'parent'>) {
  const children: FlameNode[] = [];
  const node: FlameNode = { name, self, total, children, ...place };
  const sorted = [...callees].toSorted(([, one], [, other]) => other.total - one.total);
  for (const [index, [callee, its]] of sorted.entries())
    children.push(nodeOf(callee, its, { id: `${place.id}/${index}`, level: place.level + 1, parent: node }));
  return node;
}

/** Returns the callers of a node, the root first. */
function callersOf(node: FlameNode): FlameNode[] {
  const callers: FlameNode[] = [];
  for (let at = node.parent; at !== null; at = at.parent) callers.unshift(at);
  return callers;
}

/** Returns the boxes of a graph in which `zoomed` has the whole width, below its callers. Boxes narrower than `narrowest` are left out. */
export function boxesOf(zoomed: FlameNode, narrowest: number): FlameBox[] {
  const boxes: FlameBox[] = callersOf(zoomed).map((node) => ({ node, left: 0, width: 1 }));
  const add = (node: FlameNode, left: number): void => {
    const width = zoomed.total === 0 ? 1 : node.total / zoomed.total;
    if (width < narrowest) return;
    boxes.push({ node, left, width });
    let next = left;
    for (const child of node.children) {
      add(child, next);
      next += child.total / zoomed.total;
    }
  };
  add(zoomed, 0);
  return boxes;
}

/** Returns the drawn node to which an arrow key or Home moves from a node; null if there is none. */
export function stepFrom(node: FlameNode, key: string, boxes: readonly FlameBox[]): FlameNode | null {
  if (key === 'ArrowUp') return node.parent;
  if (key === 'ArrowDown') return boxes.find((each) => each.node === node.children[0])?.node ?? null;
  if (key === 'Home') return boxes[0]?.node ?? null;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const row = boxes.filter((each) => each.node.level === node.level).toSorted((one, other) => one.left - other.left);
  const at = row.findIndex((each) => each.node === node);
  return row[at + (key === 'ArrowRight' ? 1 : -1)]?.node ?? null;
}

export function matches({ name }: { readonly name: string }, filter: string): boolean {
  const wanted = filter.trim().toLowerCase();
  return wanted !== '' && name.toLowerCase().includes(wanted);
}

/**
 * Returns the nodes that match a filter, those with the most samples first. Also returns the number of samples in any of them, with each
 * sample counted once.
 */
export function found(root: FlameNode, filter: string): { nodes: FlameNode[]; samples: number } {
  const nodes: FlameNode[] = [];
  let samples = 0;
  const look = (node: FlameNode, isWithin: boolean): void => {
    const isMatch = matches(node, filter);
    if (isMatch) nodes.push(node);
    if (isMatch && !isWithin) samples += node.total;
    for (const child of node.children) look(child, isWithin || isMatch);
  };
  look(root, false);
  return { nodes: nodes.toSorted((one, other) => other.total - one.total), samples };
}

/** Returns a share of the samples: `12.5 %`. */
export function share(count: number, samples: number): string {
  return `${samples === 0 ? '0' : ((count / samples) * 100).toFixed(1)} %`;
}

/** Returns a description of a node: its name and its shares of the samples. */
export function nodeWords({ name, self, total }: Pick<FlameNode, 'name' | 'self' | 'total'>, samples: number): string {
  const count = (number: number): string => number.toLocaleString('en');
  return `${name}, total ${share(total, samples)} (${count(total)}), self ${share(self, samples)} (${count(self)})`;
}
