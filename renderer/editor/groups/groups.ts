/** The editor's groups: the texts that have a tab in each, the text that each shows, and the focused group. Pure. */
import { divided, type Direction, type Grid, groupsIn, resized, withoutGroup } from './grid.ts';

export interface Group {
  readonly id: string;
  /** Ids of the texts with a tab here, in tab order. */
  readonly tabs: readonly string[];
  /** The text that the group shows; null in a group without tabs, of which there is at most one. */
  readonly shown: string | null;
}

/** The editor's groups. Each group appears in the grid exactly once. */
export interface Groups {
  readonly grid: Grid;
  readonly groups: readonly Group[];
  /** The group that has the focus or had it last. Commands act on this group. */
  readonly focused: string;
}

/** The maximum number of groups. */
export const MOST_GROUPS = 8;

export function oneGroup(tabs: readonly string[], shown: string | null): Groups {
  return { grid: 'first', groups: [{ id: 'first', tabs, shown }], focused: 'first' };
}

export function groupOf({ groups }: Groups, id: string): Group | null {
  return groups.find((group) => group.id === id) ?? null;
}

export function focusedGroup(all: Groups): Group {
  return groupOf(all, all.focused) ?? all.groups[0]!;
}

/** Adds a tab at the end of the focused group, unless the group already has a tab of the text. */
export function withTab(all: Groups, text: string): Groups {
  return changed(all, all.focused, (group) => ({
    ...group,
    tabs: group.tabs.includes(text) ? group.tabs : [...group.tabs, text],
  }));
}

/** Shows a text in the focused group. */
export function shownIn(all: Groups, text: string | null): Groups {
  const added = text === null ? all : withTab(all, text);
  return changed(added, all.focused, (group) => ({ ...group, shown: text }));
}

/**
 * Removes the tab of a text from a group, and the group itself if that was its last tab. A remaining group then shows the first text in
 * `recent` that has a tab there, otherwise the neighbouring tab.
 */
export function withoutTab(all: Groups, id: string, text: string, recent: readonly string[] = []): Groups {
  const group = groupOf(all, id);
  const at = group?.tabs.indexOf(text) ?? -1;
  if (!group || at < 0) return all;
  const tabs = group.tabs.filter((each) => each !== text);
  const before = recent.find((each) => tabs.includes(each));
  const shown = group.shown === text ? (before ?? tabs[Math.min(at, tabs.length - 1)] ?? null) : group.shown;
  const left = changed(all, id, () => ({ id, tabs, shown }));
  return tabs.length === 0 ? withoutGroupOf(left, id) : left;
}

/** Removes the tabs of a text from all groups. */
export function withoutText(all: Groups, text: string, recent: readonly string[] = []): Groups {
  return all.groups.reduce((left, { id }) => withoutTab(left, id, text, recent), all);
}

/** Returns the groups that have a tab of a text. */
export function groupsWith({ groups }: Groups, text: string): readonly Group[] {
  return groups.filter(({ tabs }) => tabs.includes(text));
}

/** Divides the focused group. The new group shows the same text and has the focus. */
export function split(all: Groups, direction: Direction, fresh: string): Groups {
  const { id, shown } = focusedGroup(all);
  if (shown === null || all.groups.length >= MOST_GROUPS) return all;
  return {
    grid: divided(all.grid, id, direction, fresh),
    groups: [...all.groups, { id: fresh, tabs: [shown], shown }],
    focused: fresh,
  };
}

/** Removes a group. Its tabs move to another group, which gets the focus, so that no text is closed. */
export function joined(all: Groups, id: string, heir: string): Groups {
  const group = groupOf(all, id);
  if (!group || heir === id || !groupOf(all, heir)) return all;
  const moved = changed(all, heir, ({ tabs, ...rest }) => ({
    ...rest,
    tabs: [...tabs, ...group.tabs.filter((each) => !tabs.includes(each))],
  }));
  return { ...withoutGroupOf(moved, id), focused: heir };
}

/** Moves a tab into another group, before the tab of `before` or at the end. The tab is shown and focused there. */
export function moved(
  all: Groups,
  text: string,
  { from, to, before = null }: { from: string; to: string; before?: string | null },
): Groups {
  if (!groupOf(all, from)?.tabs.includes(text) || !groupOf(all, to) || before === text) return all;
  const placed = changed(all, to, ({ id, tabs }) => {
    const others = tabs.filter((each) => each !== text);
    const at = before === null ? -1 : others.indexOf(before);
    return { id, tabs: at < 0 ? [...others, text] : others.toSpliced(at, 0, text), shown: text };
  });
  const left = from === to ? placed : withoutTab(placed, from, text);
  return { ...left, focused: to };
}

export function focusedOn(all: Groups, id: string): Groups {
  return all.focused === id || !groupOf(all, id) ? all : { ...all, focused: id };
}

export function withEdge(all: Groups, path: string, share: number): Groups {
  return { ...all, grid: resized(all.grid, path, share) };
}

/** Returns the group after or before the named one, cyclically. */
export function neighbourOf({ grid }: Groups, id: string, step: 1 | -1): string {
  const order = groupsIn(grid);
  return order[(order.indexOf(id) + step + order.length) % order.length]!;
}

/** Returns the displayed number of a group, counted from 1 in the order of the grid. */
export function numberOf({ grid }: Groups, id: string): number {
  return groupsIn(grid).indexOf(id) + 1;
}

function withoutGroupOf(all: Groups, id: string): Groups {
  const grid = withoutGroup(all.grid, id);
  if (grid === null) return all;
  const focused = all.focused === id ? neighbourOf(all, id, -1) : all.focused;
  return { grid, groups: all.groups.filter((group) => group.id !== id), focused };
}

function changed(all: Groups, id: string, change: (group: Group) => Group): Groups {
  return { ...all, groups: all.groups.map((group) => (group.id === id ? change(group) : group)) };
}

/** Removes groups without tabs. If all groups are empty, one stays. */
export function withoutEmpty(all: Groups): Groups {
  return all.groups.reduce((left, { id, tabs }) => (tabs.length === 0 ? withoutGroupOf(left, id) : left), all);
}
