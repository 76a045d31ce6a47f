/**
 * Process ids that an image tells. Behind the wall it counts its processes by itself; here each becomes the one that this
 * system knows it by, and nothing that the image says can name a process outside of the wall.
 */
import { readFileSync } from 'node:fs';

export interface Pids {
  /** The process here of which the image said `told`. One that is gone gets a number that no process has. */
  outer(told: number): number;
  /** What the image calls the process that `outer` gave. */
  told(outer: number): number;
}

/** Without a wall both count alike. */
export const samePids: Pids = { outer: (pid) => pid, told: (pid) => pid };

/** One more than the highest process id that Linux gives. */
const NO_PROCESS = 2 ** 22;

/** The processes behind the wall that the child `builder` built, which may have ended since, but not before the first use. */
export function walledPids(builder: number): Pids {
  const known = new Map<number, number>();
  let first: Numbers | null = null;
  return {
    outer(told) {
      first ??= firstBehind(builder);
      const found = first === null ? null : find(told, first);
      const outer = found ?? NO_PROCESS + told;
      known.set(outer, told);
      return outer;
    },
    told: (outer) => known.get(outer) ?? outer,
  };
}

/** A process by all its numbers: the one here first, then those in each namespace that it is in. */
type Numbers = readonly [outer: number, ...inner: number[]];

/** The first process behind the wall, an ancestor of all others there for as long as there are any. */
function firstBehind(builder: number): Numbers | null {
  for (const child of children(builder)) {
    const numbers = numbersOf(child);
    if (numbers?.at(-1) === 1 && numbers.length > 1) return numbers;
  }
  return null;
}

/** Namespaces that code made behind the wall have numbers of their own, which do not count. */
function find(told: number, first: Numbers): number | null {
  const level = first.length - 1;
  // The kernel may leave somebody out of a list when another ends while it is read.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const waiting = [first[0]];
    for (const pid of waiting) {
      if (numbersOf(pid)?.[level] === told) return pid;
      waiting.push(...children(pid));
    }
  }
  return null;
}

function children(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

function numbersOf(pid: number): Numbers | null {
  const numbers = /^NSpid:\s+(.*)$/m
    .exec(read(`/proc/${pid}/status`))?.[1]
    ?.split(/\s+/)
    .map(Number);
  return numbers ? [numbers[0]!, ...numbers.slice(1)] : null;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
