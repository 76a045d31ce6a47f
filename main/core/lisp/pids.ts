/**
 * The process ids that an image reports. A sandbox has its own numbering, so each id is translated to the id in this system. Code in the
 * image can write to the wire, so a reported id must never give access to another program's process. Each process is checked again before
 * it gets a signal, because the system reuses ids.
 */
import { groupOf } from './process.ts';
import { readFileSync } from 'node:fs';

export interface Pids {
  /** Returns this system's id for a process that the image reported. If the process has ended, returns a number that no process has. */
  hostPid(imagePid: number): number;
  /** Returns the image's id for an id that `hostPid` returned. */
  imagePid(hostPid: number): number;
  /** Returns true while the process belongs to the image: the image itself, a checkpoint's process, or a program that its code started. */
  owns(hostPid: number): boolean;
}

/**
 * Returns the process ids of an image without a sandbox, which are the same on both sides. The image's processes stay in the group of the
 * first one, `leader`.
 */
export function groupPids(leader: number): Pids {
  return { hostPid: (pid) => pid, imagePid: (pid) => pid, owns: (pid) => pid === leader || groupOf(pid) === leader };
}

/** A number greater than any process id on Linux. */
const NO_PROCESS = 2 ** 22;

/**
 * Returns the process ids of an image on another machine. All its ids count as the image's own, because they cannot be checked here;
 * signals are sent through a lookup on that machine. On this machine, each id becomes a number that no local process has.
 */
export function foreignPids(): Pids {
  return {
    hostPid: (inner) => NO_PROCESS + inner,
    imagePid: (outer) => outer - NO_PROCESS,
    owns: (outer) => outer > NO_PROCESS,
  };
}

/**
 * Returns the ids of the processes in the sandbox that the child process `builder` created. `builder` may end later, but must still be
 * running when an id is first looked up.
 */
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

/** All ids of a process: first the one in this system, then those in each of its namespaces. */
type Numbers = readonly [outer: number, ...inner: number[]];

/** Returns the ids of the first process in the sandbox, which is an ancestor of all other processes in it. */
function firstBehind(builder: number): Numbers | null {
  for (const child of children(builder)) {
    const numbers = numbersOf(child);
    if (numbers?.at(-1) === 1 && numbers.length > 1) return numbers;
  }
  return null;
}

/** Finds a process by its id in the sandbox. Ids in nested namespaces that code created there are ignored. */
function find(inner: number, first: Numbers): number | null {
  const level = first.length - 1;
  // The kernel's list of children may be incomplete if a process ends during the read.
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
