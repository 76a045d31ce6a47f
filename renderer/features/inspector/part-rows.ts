/**
 * The rows of an object whose parts open in place: the object's own parts, of which there may be a million, and below each open part its
 * parts. A row is found by its index without computing the others. Pure.
 */
import type { InspectedPart } from '#contract/image/inspection.ts';

/** An open part. `parts` is null until its parts have arrived. */
export interface Opened {
  readonly parts: readonly InspectedPart[] | null;
  readonly total: number;
  /** The open parts, by their index among these parts. */
  readonly opened: ReadonlyMap<number, Opened>;
}

export type OpenedParts = ReadonlyMap<number, Opened>;

/**
 * `part`: a part, by the indexes that lead to it. `waiting`: the parts of `path` have been requested. `more`: some parts of `path` are left
 * out.
 */
export type RowPlace =
  | { readonly kind: 'part'; readonly path: readonly number[] }
  | { readonly kind: 'waiting'; readonly path: readonly number[] }
  | { readonly kind: 'more'; readonly path: readonly number[]; readonly count: number };

/** Returns the number of rows of an object with this many parts of its own. */
export function countRows(total: number, opened: OpenedParts): number {
  let count = total;
  for (const each of opened.values()) count += rowsBelow(each);
  return count;
}

function rowsBelow({ parts, total, opened }: Opened): number {
  if (parts === null) return 1;
  return countRows(parts.length, opened) + (total > parts.length ? 1 : 0);
}

/** Returns the part or the note about missing parts that a row shows. */
export function placeOf(row: number, opened: OpenedParts): RowPlace {
  return placeWithin(row, opened, []);
}

function placeWithin(row: number, opened: OpenedParts, above: readonly number[]): RowPlace {
  let before = 0;
  for (const [index, each] of sorted(opened)) {
    const at = index + before;
    if (row <= at) break;
    const below = rowsBelow(each);
    if (row <= at + below) return placeBelow(row - at - 1, each, [...above, index]);
    before += below;
  }
  return { kind: 'part', path: [...above, row - before] };
}

function placeBelow(row: number, { parts, total, opened }: Opened, path: readonly number[]): RowPlace {
  if (parts === null) return { kind: 'waiting', path };
  if (row === countRows(parts.length, opened)) return { kind: 'more', path, count: total - parts.length };
  return placeWithin(row, opened, path);
}

/** Returns the row of a part; if it is not shown, the row of the nearest shown part above it. */
export function rowOf(path: readonly number[], opened: OpenedParts): number {
  const [index = 0, ...rest] = path;
  let row = index;
  for (const [other, each] of sorted(opened)) if (other < index) row += rowsBelow(each);
  const inside = opened.get(index);
  return rest.length > 0 && inside ? row + 1 + rowOf(rest, inside.opened) : row;
}

/** Returns the open parts after a change at a path. `change` gets the open part there, and returns null to close it. */
export function changeOpened(
  opened: OpenedParts,
  path: readonly number[],
  change: (known: Opened | undefined) => Opened | null,
): OpenedParts {
  const [index, ...rest] = path;
  if (index === undefined) return opened;
  const known = opened.get(index);
  const next = new Map(opened);
  if (rest.length === 0) {
    const changed = change(known);
    if (changed) next.set(index, changed);
    else next.delete(index);
  } else if (known) next.set(index, { ...known, opened: changeOpened(known.opened, rest, change) });
  return next;
}

/** Returns the open part at a path; undefined if it is closed. */
export function openedAt(opened: OpenedParts, path: readonly number[]): Opened | undefined {
  const [index, ...rest] = path;
  const known = index === undefined ? undefined : opened.get(index);
  return rest.length === 0 || !known ? known : openedAt(known.opened, rest);
}

function sorted(opened: OpenedParts): [number, Opened][] {
  return [...opened].toSorted(([one], [other]) => one - other);
}
