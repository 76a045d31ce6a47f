/** Drawings of hierarchies: boxes in columns and rows, connected by lines. Pure. */

/** The names of a hierarchy's members, and the members directly below and above each. */
export interface Links {
  readonly names: readonly string[];
  readonly below: ReadonlyMap<string, readonly string[]>;
  readonly above: ReadonlyMap<string, readonly string[]>;
}

/** The position of a member in a drawing: its column from the left, and its row from the top, which may be a fraction. */
export interface Drawn {
  readonly name: string;
  readonly column: number;
  readonly row: number;
}

export interface Drawing {
  readonly boxes: readonly Drawn[];
  readonly lines: readonly { readonly from: Drawn; readonly to: Drawn }[];
  readonly columns: number;
  readonly rows: number;
}

/**
 * Returns the drawing of a hierarchy, with upper members on the left and lower members on the right. A member with nothing below it has its
 * own row. Any other member is vertically centred on the members that have it as their first parent. Each member is to the right of all
 * members above it. A cycle is cut where it is entered.
 */
export function drawingOf({ names, below, above }: Links): Drawing {
  const drawn = new Map<string, Drawn>();
  const begun = new Set<string>();
  const columns = columnsOf(names, above);
  let rows = 0;
  const place = (name: string): Drawn => {
    begun.add(name);
    const own = (below.get(name) ?? []).filter((each) => above.get(each)?.[0] === name && !begun.has(each));
    const placed = own.map(place);
    const row = placed.length === 0 ? rows : (placed[0]!.row + placed.at(-1)!.row) / 2;
    if (placed.length === 0) rows += 1;
    const at = { name, column: columns.get(name) ?? 0, row };
    drawn.set(name, at);
    return at;
  };
  for (const name of names) if ((above.get(name) ?? []).length === 0) place(name);
  for (const name of names) if (!begun.has(name)) place(name);
  const boxes = names.flatMap((name) => drawn.get(name) ?? []);
  const lines = boxes.flatMap((to) =>
    (above.get(to.name) ?? []).flatMap((each) => {
      const from = drawn.get(each);
      return from ? [{ from, to }] : [];
    }),
  );
  return { boxes, lines, rows, columns: Math.max(0, ...columns.values()) + 1 };
}

/** Returns the place of each box in its column, counted from 1 at the top, and the number of boxes in that column. */
export function placesIn(boxes: readonly Drawn[]): Map<Drawn, { readonly place: number; readonly of: number }> {
  const places = new Map<Drawn, { place: number; of: number }>();
  for (const column of Map.groupBy(boxes, (each) => each.column).values()) {
    const downwards = column.toSorted((one, other) => one.row - other.row);
    downwards.forEach((each, at) => places.set(each, { place: at + 1, of: downwards.length }));
  }
  return places;
}

/** Returns the column of each member: one more than the greatest column of the members above it. */
function columnsOf(names: readonly string[], above: Links['above']): Map<string, number> {
  const columns = new Map<string, number>();
  const columnOf = (name: string): number => {
    const known = columns.get(name);
    if (known !== undefined) return known;
    // A preliminary value until the column is computed, so that the recursion ends if there is a cycle.
    columns.set(name, 0);
    const column = Math.max(-1, ...(above.get(name) ?? []).map(columnOf)) + 1;
    columns.set(name, column);
    return column;
  };
  for (const name of names) columnOf(name);
  return columns;
}
