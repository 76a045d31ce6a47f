/** Takes samples of several sides in turns and says how they compare. Everything but the clock is pure. */

/** Does the measured work once and gives its milliseconds; preparation and clearing up are not measured. */
export type Sample = () => Promise<number>;

/** A side that was measured against another. */
export interface Comparison {
  readonly what: string;
  readonly ours: Summary;
  /** The floor or the peer. */
  readonly against: Summary;
  /** Our median divided by the other. */
  readonly ratio: number;
  /** Our least sample divided by the other side's: other work on the machine disturbs it least. It informs; `ratio` decides. */
  readonly atBest: number;
  /** The ratio to stay at or below; null for a line that explains another, or has `most`. */
  readonly goal: number | null;
  /** Greatest median of ours that meets the goal, in the unit of the row; for goals that are absolute. */
  readonly most: number | null;
  readonly unit: Unit;
}

export type Unit = 'milliseconds' | 'octets';

/** Figures of one side, in the unit of its comparison. */
export interface Summary {
  readonly median: number;
  readonly p95: number;
  readonly least: number;
  readonly samples: number;
}

export interface Turns {
  /** Rounds that are thrown away. */
  readonly warmUp: number;
  readonly rounds: number;
  /** Samples of one side before the next has its turn. */
  readonly inARow: number;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Samples the sides in turns: a b c, c b a, a b c, … Whatever drifts while the machine works (heat, other programs, the
 * kernel's choice of a core) meets all of them, and none always comes first.
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

/** The value below which the share `at` of the samples lies, between two samples in proportion. NaN without samples. */
export function quantile(samples: readonly number[], at: number): number {
  const sorted = samples.toSorted((left, right) => left - right);
  const place = (sorted.length - 1) * at;
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** True when the comparison meets its goal; null where there is no goal. */
export function isMet({ ours, ratio, goal, most }: Comparison): boolean | null {
  if (goal === null && most === null) return null;
  return (goal === null || ratio <= goal) && (most === null || ours.median <= most);
}

const HEADS = ['what', 'ours', 'p95', 'floor or peer', 'p95', 'ratio', 'at best', 'goal', 'met'];

/** The comparisons as lines of text, numbers below each other. */
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

/** A duration in words: `85 µs`, `4.21 ms`, `640 ms`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return `${Math.round(milliseconds * 1000)} µs`;
  return `${milliseconds < 100 ? milliseconds.toPrecision(3) : Math.round(milliseconds)} ms`;
}

/** A size in words: `640 kB`, `52.1 MB`. */
export function size(octets: number): string {
  if (octets < 1e6) return `${Math.round(octets / 1e3)} kB`;
  return `${octets < 1e8 ? (octets / 1e6).toPrecision(3) : Math.round(octets / 1e6)} MB`;
}
