/** The positions of a drawing's boxes and lines, in pixels, and which of them are visible. Pure. */
import type { Drawing, Drawn, Links } from './drawing.ts';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The visible section of a drawing. */
export type Sight = Box;

export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly fontSize: number;
  boxOf(drawn: Drawn): Box;
}

/** Sizes in pixels at 100 %: a row, a box, the space between columns and at the edges, and a character of the code font. */
const ROW = 26;
const BOX = 22;
const GAP = 36;
const EDGE = 16;
const CHARACTER = 7.3;
const PADDING = 16;
const FONT = 12;
/** The maximum number of characters of a name that are shown in full. */
const WIDEST = 44;

/** Returns the geometry of a drawing. `textOf` returns the text in the box of a name. */
export function geometryOf(
  { boxes, columns, rows }: Drawing,
  textOf: (name: string) => string,
  scale: number,
): Geometry {
  const widthOf = (name: string): number => Math.min(WIDEST, textOf(name).length) * CHARACTER + PADDING;
  const widths = Array.from({ length: columns }, () => 0);
  for (const { name, column } of boxes) widths[column] = Math.max(widths[column] ?? 0, widthOf(name));
  const lefts: number[] = [];
  let left = EDGE;
  for (const width of widths) {
    lefts.push(left);
    left += width + GAP;
  }
  return {
    width: (left - GAP + EDGE) * scale,
    height: (rows * ROW + 2 * EDGE) * scale,
    fontSize: FONT * scale,
    boxOf: ({ name, column, row }) => ({
      left: (lefts[column] ?? 0) * scale,
      top: (EDGE + row * ROW) * scale,
      width: widthOf(name) * scale,
      height: BOX * scale,
    }),
  };
}

/** Returns the line from the right edge of a box to the left edge of another, as a part of an SVG path. */
export function linePath(from: Box, to: Box): string {
  const [x1, y1] = [from.left + from.width, from.top + from.height / 2];
  const [x2, y2] = [to.left, to.top + to.height / 2];
  const middle = x2 - Math.min(18, (x2 - x1) / 2);
  return `M${x1} ${y1}H${middle}V${y2}H${x2}`;
}

export function inSight({ left, top, width, height }: Box, sight: Sight): boolean {
  return (
    left <= sight.left + sight.width &&
    left + width >= sight.left &&
    top <= sight.top + sight.height &&
    top + height >= sight.top
  );
}

/**
 * Returns the name to which an arrow key moves: the first name above or below `from`, or the previous or next one in its column; null for
 * other keys.
 */
export function neighbour({ boxes }: Drawing, { below, above }: Links, from: Drawn, key: string): string | null {
  if (key === 'ArrowLeft') return above.get(from.name)?.[0] ?? from.name;
  if (key === 'ArrowRight') return below.get(from.name)?.[0] ?? from.name;
  const column = boxes.filter((each) => each.column === from.column).toSorted((a, b) => a.row - b.row);
  const at = column.indexOf(from);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: column.length - 1 };
  const to = steps[key];
  return to === undefined ? null : (column[Math.max(0, Math.min(column.length - 1, to))]?.name ?? null);
}
