/** Alternating samples of several sides, and their comparison. All functions except the clock are pure. */

/** Performs the measured work once and returns its duration in milliseconds. Preparation and cleanup are not measured. */
export type Sample = () => Promise<number>;

/** A comparison of the workbench with another side. */
export interface Comparison {
  readonly what: string;
  readonly ours: Summary;
  /** The other side: the lower bound, or a comparable program. */
  readonly against: Summary;
  /** Our median divided by the other side's. */
  readonly ratio: number;
  /**
   * The workbench's smallest sample divided by the other side's smallest. Other programs on the machine disturb the smallest samples least.
   * The value is only for information; `ratio` decides.
   */
  readonly atBest: number;
  /** The greatest allowed ratio; null for a line that only explains another line, or that has `most`. */
  readonly goal: number | null;
  /** The greatest median of the workbench that meets the goal, in the unit of the row. It is set for absolute goals. */
  readonly most: number | null;
  readonly unit: Unit;
}

export type Unit = 'milliseconds' | 'octets';

/** The figures of one side, in the unit of its comparison. */
export interface Summary {
  readonly median: number;
  readonly p95: number;
  readonly least: number;
  readonly samples: number;
}

export interface Turns {
  /** The number of rounds that are discarded. */
  readonly warmUp: number;
  readonly rounds: number;
  /** The number of samples taken from one side before the next side's turn. */
  readonly inARow: number;
}

/** Returns the milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Samples the sides alternately: a b c, c b a, a b c, … Slow changes of the machine, caused for example by heat or other programs, then
 * affect all sides equally, and no side is always first.
 */
export async function interleave<Side extends string>(
  sides: Readonly<Record<Side, Sample>>,
  { warmUp, rounds, inARow }: Turns,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Side, number[]>;
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      for (let index = 0; index < inARow; index += 1) {
        const milliseconds = await sides[name]();
        if (round >= 0) taken[name].push(milliseconds);
      }
    }
  }
  return taken;
}

export function compare(
  what: string,
  ours: readonly number[],
  against: readonly number[],
  goal: number | null,
  unit: Unit = 'milliseconds',
  most: number | null = null,
): Comparison {
  const [left, right] = [summarize(ours), summarize(against)];
  return {
    what,
    ours: left,
    against: right,
    ratio: left.median / right.median,
    atBest: left.least / right.least,
    goal,
    most,
    unit,
  };
}

export function summarize(samples: readonly number[]): Summary {
  return {
    median: quantile(samples, 0.5),
    p95: quantile(samples, 0.95),
    least: quantile(samples, 0),
    samples: samples.length,
  };
}

/** Returns the quantile `at` of the samples, interpolated between two samples; NaN if there are no samples. */
export function quantile(samples: readonly number[], at: number): number {
  const sorted = samples.toSorted((left, right) => left - right);
  const place = (sorted.length - 1) * at;
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** True if the comparison meets its goal; null without a goal. */
export function isMet({ ours, ratio, goal, most }: Comparison): boolean | null {
  if (goal === null && most === null) return null;
  return (goal === null || ratio <= goal) && (most === null || ours.median <= most);
}

const HEADS = ['what', 'ours', 'p95', 'floor or peer', 'p95', 'ratio', 'at best', 'goal', 'met'];

/** Returns the comparisons as lines of text, with aligned numbers. */
export function table(comparisons: readonly Comparison[]): string {
  const rows = [HEADS, ...comparisons.map(cells)];
  const widths = HEADS.map((_head, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cells(comparison: Comparison): string[] {
  const { what, ours, against, ratio, atBest, goal, most, unit } = comparison;
  const met = isMet(comparison);
  const measure = unit === 'octets' ? size : duration;
  return [
    what,
    ...[ours.median, ours.p95, against.median, against.p95].map(measure),
    `${ratio.toFixed(2)} ×`,
    `${atBest.toFixed(2)} ×`,
    [...(goal === null ? [] : [`≤ ${goal} ×`]), ...(most === null ? [] : [`≤ ${measure(most)}`])].join(', '),
    met === null ? '' : met ? 'yes' : 'no',
  ];
}

/** Returns a duration as text: `85 µs`, `4.21 ms`, `640 ms`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return `${Math.round(milliseconds * 1000)} µs`;
  return `${milliseconds < 100 ? milliseconds.toPrecision(3) : Math.round(milliseconds)} ms`;
}

/** Returns a size as text: `640 kB`, `52.1 MB`. */
export function size(octets: number): string {
  if (octets < 1e6) return `${Math.round(octets / 1e3)} kB`;
  return `${octets < 1e8 ? (octets / 1e6).toPrecision(3) : Math.round(octets / 1e6)} MB`;
}
