/**
 * The rows of the key list: the keys of the chosen keymap and the editor's own keys, in groups that can be searched by name and key. Pure.
 */
import { type KeyPress, keyText, readStroke, strokesOf, toEmacs } from '../../ui/menus/key-strokes.ts';
import { begins } from '../../base/keys/key-sequences.ts';

interface HelpKeys {
  readonly keys: string;
  /** The part of the window in which the keys have this meaning; null for everywhere. */
  readonly where: string | null;
}

export interface HelpRow {
  readonly id: string;
  readonly title: string;
  readonly keys: readonly HelpKeys[];
  /** True for keys of a command that does not exist yet. */
  readonly missing: boolean;
}

export interface HelpGroup {
  readonly title: string;
  readonly rows: readonly HelpRow[];
}

/** A command's keys with the command's name and its group in the list. */
export interface HelpEntry extends HelpKeys {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly missing?: boolean;
}

/** A search: a text that is searched for in names and keys, or pressed keys. */
export type HelpQuery = { readonly text: string } | { readonly pressed: readonly KeyPress[] };

/** Returns the matching entries in groups, in the order `order`. Several keys of a command share a row. */
export function helpGroups(entries: readonly HelpEntry[], order: readonly string[], query: HelpQuery): HelpGroup[] {
  const groups = new Map(order.map((title) => [title, new Map<string, HelpRow>()]));
  for (const { id, title, group, keys, where, missing = false } of entries) {
    const rows = groups.get(group);
    const row = rows?.get(`${id} ${title}`) ?? { id, title, keys: [], missing };
    const known = row.keys.some((each) => each.keys === keys);
    rows?.set(`${id} ${title}`, known ? row : { ...row, keys: [...row.keys, { keys, where }] });
  }
  return [...groups]
    .map(([title, rows]) => ({ title, rows: [...rows.values()].filter((row) => fits(row, title, query)) }))
    .filter(({ rows }) => rows.length > 0);
}

function fits({ title, keys }: HelpRow, group: string, query: HelpQuery): boolean {
  if ('pressed' in query)
    return keys.some((each) => begins(strokesOf(each.keys).map(readStroke), query.pressed, 'place'));
  const sought = query.text.trim();
  // Emacs's notation distinguishes upper and lower case: C-c I and C-c i.
  if (/^(?:[CM]-)+[^\s]/.test(sought)) return keys.some((each) => `${toEmacs(each.keys)} `.startsWith(`${sought} `));
  const words = sought.toLowerCase().split(/\s+/);
  const text = [title, group, ...keys.map((each) => keyText(each.keys))].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
