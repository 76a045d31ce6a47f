/** Stores the groups in a field of the layout that the core does not interpret, and restores them. Pure. */
import * as z from 'zod/mini';
import { gridShape, groupsIn } from './grid.ts';
import { type Groups, MOST_GROUPS, oneGroup, withoutEmpty } from './groups.ts';

const count = z.int().check(z.positive());
const caretShape = z.object({ line: count, column: count });

const keptGroups = z.object({
  grid: gridShape,
  focused: z.string(),
  groups: z
    .array(
      z.object({
        id: z.string().check(z.minLength(1), z.maxLength(64)),
        shown: z.nullable(z.string()),
        tabs: z.array(z.object({ text: z.string(), caret: z.nullable(caretShape) })),
      }),
    )
    .check(z.minLength(1), z.maxLength(MOST_GROUPS)),
});

const keptLayout = z.object({ editor: keptGroups });

export type Caret = z.infer<typeof caretShape>;
type KeptGroups = z.infer<typeof keptGroups>;
type CaretOf = (group: string, text: string) => Caret | null;

/** Returns the groups to store, without the texts that are not saved. */
export function groupsToKeep(all: Groups, isKept: (text: string) => boolean, caretOf: CaretOf): KeptGroups {
  return {
    grid: all.grid,
    focused: all.focused,
    groups: all.groups.map(({ id, tabs, shown }) => ({
      id,
      shown,
      tabs: tabs.filter(isKept).map((text) => ({ text, caret: caretOf(id, text) })),
    })),
  };
}

/** Returns the groups in a layout; null if the layout is from an older version or has another shape. */
export function keptIn(layout: unknown): KeptGroups | null {
  return keptLayout.safeParse(layout).data?.editor ?? null;
}

/**
 * Returns the previous session's groups with the restored texts. Every restored text gets a tab, even if no group lists it; a group without
 * restored texts is removed. If the stored groups are invalid, all texts are in one group.
 */
export function restoredGroups(kept: KeptGroups | null, texts: readonly string[], active: string | null): Groups {
  const shown = active !== null && texts.includes(active) ? active : (texts[0] ?? null);
  const order = kept === null ? [] : groupsIn(kept.grid);
  const fits = kept?.groups.length === order.length && new Set(order).size === order.length;
  if (!kept || !fits || !kept.groups.every(({ id }) => order.includes(id))) return oneGroup(texts, shown);
  const named = new Set<string>();
  const groups = kept.groups.map(({ id, tabs, shown: wanted }) => {
    const here = [...new Set(tabs.map(({ text }) => text))].filter((text) => texts.includes(text));
    for (const text of here) named.add(text);
    return { id, tabs: here, shown: wanted !== null && here.includes(wanted) ? wanted : (here[0] ?? null) };
  });
  const focused = order.includes(kept.focused) ? kept.focused : order[0]!;
  const rest = texts.filter((text) => !named.has(text));
  const full: Groups = {
    grid: kept.grid,
    focused,
    groups: groups.map((group) =>
      group.id === focused
        ? { ...group, tabs: [...group.tabs, ...rest], shown: group.shown ?? rest[0] ?? null }
        : group,
    ),
  };
  return withoutEmpty(full);
}
