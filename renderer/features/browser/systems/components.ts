/** Converts the components of a system to rows of a tree. Pure. */
import type { SystemDescription } from '#contract/image/system.ts';
import { COMPONENT_STATES } from '../../systems/descriptions.ts';
import type { TreeRow } from '../../../ui/panels/tree.tsx';

type Component = SystemDescription['components'][number];

export interface ComponentRow extends TreeRow {
  readonly component: Component;
}

/**
 * Returns the rows for components. `folded`: the ids of closed modules. Each module comes before its own components, which are one level
 * deeper.
 */
export function componentRows(components: readonly Component[], folded: ReadonlySet<string>): ComponentRow[] {
  const rows: ComponentRow[] = [];
  let hiddenBelow = Infinity;
  for (const [index, component] of components.entries()) {
    const { name, kind, depth, state } = component;
    if (depth > hiddenBelow) continue;
    hiddenBelow = Infinity;
    const id = `${index} ${name}`;
    const isModule = kind === 'module' && (components[index + 1]?.depth ?? 0) > depth;
    const expanded = isModule ? !folded.has(id) : null;
    if (expanded === false) hiddenBelow = depth;
    const siblings = siblingsOf(components, index);
    rows.push({
      id,
      component,
      level: depth + 1,
      label: state === null ? name : `${name} ${COMPONENT_STATES[state]}`,
      expanded,
      position: siblings.indexOf(index) + 1,
      siblings: siblings.length,
    });
  }
  return rows;
}

/** Returns the indexes of the components in the same module. */
function siblingsOf(components: readonly Component[], index: number): number[] {
  const { depth } = components[index]!;
  let start = index;
  while (start > 0 && components[start - 1]!.depth >= depth) start -= 1;
  let end = index;
  while (end + 1 < components.length && components[end + 1]!.depth >= depth) end += 1;
  const found: number[] = [];
  for (let at = start; at <= end; at += 1) if (components[at]!.depth === depth) found.push(at);
  return found;
}
