/** The samples of a soak, and pure functions that evaluate them. */

/** A measurement of the program and its image after full garbage collections. Sizes are in octets. */
export interface Sample {
  /** The time since the start, in seconds. */
  readonly at: number;
  /** The number of tasks done so far. */
  readonly tasks: number;
  readonly wrong: number;
  /** The median time, in milliseconds, of several small evaluations by an otherwise idle client. */
  readonly latencyMs: number;
  readonly serve: { readonly resident: number; readonly heap: number; readonly descriptors: number };
  readonly image: {
    readonly resident: number;
    /** The size of SBCL's dynamic space in use after a full garbage collection. */
    readonly dynamic: number;
    readonly descriptors: number;
    /** Lisp threads. */
    readonly threads: number;
  };
  /** The processes of the run, except those of clients: the program, its terminal, the image and its checkpoints. */
  readonly processes: number;
}

export interface Finding {
  readonly passed: boolean;
  readonly said: string;
}

const MEGABYTE = 1024 * 1024;
/** The share of the run before the samples that count. During the warm-up, stores fill up to their limits. */
const WARM_UP = 1 / 3;
/** The minimum number of seconds after the warm-up. In a shorter run, a line through the samples does not predict the growth in an hour. */
const LEAST_SECONDS = 600;
/** The growth per hour that counts as noise. */
const MOST_GROWTH = { heap: 24 * MEGABYTE, resident: 64 * MEGABYTE, dynamic: 24 * MEGABYTE };
/**
 * Evaluations count as slower if, at the end, they take more than `MOST_SLOWER` times as long as before and are slower by more than
 * `LEAST_SLOWER_MS` milliseconds.
 */
const MOST_SLOWER = 2;
const LEAST_SLOWER_MS = 20;

/**
 * Evaluates a soak and returns its findings. `mostProcesses` is the maximum number of processes at any time, which depends on the number of
 * retained checkpoints.
 */
export function verdictOn(samples: readonly Sample[], mostProcesses: number): Finding[] {
  const last = samples.at(-1);
  if (!last) return [{ passed: false, said: 'Nothing was measured.' }];
  const counted = samples.filter(({ at }) => at >= last.at * WARM_UP);
  const wrong = { passed: last.wrong === 0, said: `${last.wrong} of ${last.tasks} tasks had a wrong answer` };
  return [
    wrong,
    ...growth(counted),
    flat('open files of serve', counted, ({ serve }) => serve.descriptors),
    flat('open files of the image', counted, ({ image }) => image.descriptors),
    flat('threads of the image', counted, ({ image }) => image.threads),
    processes(counted, mostProcesses),
    latency(counted),
  ];
}

/** Returns the slope of the least squares line through the points. */
export function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const spread = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread;
}

function growth(samples: readonly Sample[]): Finding[] {
  const measured = [
    ['JavaScript heap of serve', MOST_GROWTH.heap, (each: Sample) => each.serve.heap],
    ['resident memory of serve', MOST_GROWTH.resident, (each: Sample) => each.serve.resident],
    ['dynamic space of the image', MOST_GROWTH.dynamic, (each: Sample) => each.image.dynamic],
    ['resident memory of the image', MOST_GROWTH.resident, (each: Sample) => each.image.resident],
  ] as const;
  const seconds = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
  return measured.map(([what, most, of]) => {
    const hourly = slopeOf(samples.map((each) => [each.at / 3600, of(each)]));
    const range = `${megabytes(of(samples[0]!))} to ${megabytes(of(samples.at(-1)!))} MB`;
    if (seconds < LEAST_SECONDS) return { passed: true, said: `${what}: ${range}; too short to tell of an hour` };
    return { passed: hourly <= most, said: `${what}: ${range}, ${megabytes(hourly)} MB in an hour` };
  });
}

/** The number of open files and threads by which samples may vary without counting as growth. */
const WAVERING = 4;

/** Checks that a value does not grow: the minimum of the last third must not exceed the maximum of the first third by much. */
function flat(what: string, samples: readonly Sample[], of: (sample: Sample) => number): Finding {
  const { first, last } = ends(samples, of);
  const passed = Math.min(...last) <= Math.max(...first) + WAVERING;
  return {
    passed,
    said: `${what}: ${Math.min(...first)} to ${Math.max(...first)} at first, ${Math.min(...last)} to ${Math.max(...last)} at last`,
  };
}

function processes(samples: readonly Sample[], most: number): Finding {
  const greatest = Math.max(...samples.map((each) => each.processes));
  return { passed: greatest <= most, said: `processes: ${greatest} at most, of ${most} that may be` };
}

function latency(samples: readonly Sample[]): Finding {
  const { first, last } = ends(samples, ({ latencyMs }) => latencyMs);
  const [before, after] = [middle(first), middle(last)];
  const passed = after <= before * MOST_SLOWER || after - before <= LEAST_SLOWER_MS;
  return { passed, said: `a small evaluation: ${before.toFixed(1)} ms at first, ${after.toFixed(1)} ms at last` };
}

function ends(samples: readonly Sample[], of: (sample: Sample) => number): { first: number[]; last: number[] } {
  const third = Math.max(1, Math.floor(samples.length / 3));
  return { first: samples.slice(0, third).map(of), last: samples.slice(-third).map(of) };
}

/** Returns the median. */
export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function megabytes(octets: number): string {
  return (octets / MEGABYTE).toFixed(1);
}
