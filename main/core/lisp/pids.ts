/**
 * Process ids that an image tells. In the sandbox it counts its processes by itself; here each becomes the one that this
 * system knows it by. Code in the image can write onto the wire, so nothing that the image says may name a process that is not its own: each
 * is looked at again before a signal is sent to it, since ids are given anew.
 */
import { groupOf } from './process.ts';
import { readFileSync } from 'node:fs';

export interface Pids {
  /** Returns the id that this system has for a process that the image reported. One that is gone gets a number that no process has. */
  hostPid(imagePid: number): number;
  /** Returns the id that the image has for a process that `hostPid` gave. */
  imagePid(hostPid: number): number;
  /** True while the process is one of the image: itself, a copy of it, or what its code started beside it. */
  owns(hostPid: number): boolean;
}

/**
 * Process ids of an image without a sandbox, which are the same on both sides. Its processes stay in the group that the first of them,
 * `leader`, leads.
 */
export function groupPids(leader: number): Pids {
  return { hostPid: (pid) => pid, imagePid: (pid) => pid, owns: (pid) => pid === leader || groupOf(pid) === leader };
}

/** A number above every process id that Linux gives. */
const NO_PROCESS = 2 ** 22;

/**
 * Process ids of an image on another machine. All it tells are its own, as far as anybody here can know; whoever sends a signal there has
 * it looked up. Here each is a number that no process of this machine has.
 */
export function foreignPids(): Pids {
  return {
    hostPid: (inner) => NO_PROCESS + inner,
    imagePid: (outer) => outer - NO_PROCESS,
    owns: (outer) => outer > NO_PROCESS,
  };
}

/** The processes in the sandbox that the child `builder` built, which may have ended since, but not before the first use. */
export function sandboxedPids(builder: number): Pids {
  const known = new Map<number, number>();
  let first: Numbers | null = null;
  return {
    hostPid(inner) {
      first ??= firstBehind(builder);
      const found = first === null ? null : find(inner, first);
      const outer = found ?? NO_PROCESS + inner;
      known.set(outer, inner);
      return outer;
    },
    imagePid: (outer) => known.get(outer) ?? outer,
    owns(outer) {
      if (outer === builder) return true;
      const inner = known.get(outer);
      return inner !== undefined && first !== null && numbersOf(outer)?.[first.length - 1] === inner;
    },
  };
}

/** A process by all its numbers: the one here first, then those in each namespace that it is in. */
type Numbers = readonly [outer: number, ...inner: number[]];

/** The first process in the sandbox, an ancestor of all others there for as long as there are any. */
function firstBehind(builder: number): Numbers | null {
  for (const child of children(builder)) {
    const numbers = numbersOf(child);
    if (numbers?.at(-1) === 1 && numbers.length > 1) return numbers;
  }
  return null;
}

/** Namespaces that code made in the sandbox have numbers of their own, which do not count. */
function find(inner: number, first: Numbers): number | null {
  const level = first.length - 1;
  // The kernel may leave somebody out of a list when another ends while it is read.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const waiting = [first[0]];
    for (const pid of waiting) {
      if (numbersOf(pid)?.[level] === inner) return pid;
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
