/** The columns that a narrow table shows. Pure. */

export interface Sized {
  /** The minimum useful width of the column, in pixels. */
  readonly least: number;
  /** The priority with which the column is hidden: columns with a greater rank are hidden first. */
  readonly rank: number;
}

/** Pixels between two columns: `--space-3`. */
const GAP = 12;

/** Returns the columns that fit, in their order. The first column, the name, is always included. */
export function fittingColumns<Column extends Sized>(columns: readonly Column[], width: number): readonly Column[] {
  const [, ...others] = columns;
  if (others.length === 0 || neededBy(columns) <= width) return columns;
  const last = others.reduce((found, each) => (each.rank >= found.rank ? each : found));
  return fittingColumns(
    columns.filter((each) => each !== last),
    width,
  );
}

function neededBy(columns: readonly Sized[]): number {
  return columns.reduce((sum, { least }) => sum + least, GAP * (columns.length - 1));
}
