/** The processes of a run, recognized by the mark in their environment, and the resources that they use. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { runs } from '#core/lisp/process.ts';
import type { Place } from './place.ts';

export interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly state: string;
  readonly command: string;
  /** True for a process that runs from an image's core: an image or one of its checkpoints. */
  readonly isLisp: boolean;
}

export interface Held {
  /** The memory that the process uses, in octets. */
  readonly resident: number;
  readonly descriptors: number;
  readonly threads: number;
}

/** Returns the processes that the run has started, including those whose parent has changed since. */
export function processesOf({ temporary }: Place): Running[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statusOf(Number(name)) ?? []);
  const marked = new Set(all.filter(({ pid }) => isMarked(pid, `TMPDIR=${temporary}`)).map(({ pid }) => pid));
  // A zombie process no longer has an environment, so its parent is checked instead.
  return all.filter(({ pid, parent, state }) => marked.has(pid) || (state === 'Z' && marked.has(parent)));
}

/** Returns the resources of a process; null once it has ended. */
export async function heldBy(pid: number): Promise<Held | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const number = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return {
      resident: number('VmRSS') * 1024,
      threads: number('Threads'),
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    return null;
  }
}

/** Returns the targets of a process's descriptors, sorted. They show which descriptor was left open. */
export function descriptorsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder)
    .flatMap((name) => {
      try {
        return readlinkSync(`${folder}/${name}`);
      } catch {
        return []; // closed meanwhile
      }
    })
    .sort();
}

/**
 * Returns the contents of the folder for temporary files, except for the folder of the private socket and the folders of running images.
 */
export function temporaryFiles({ temporary }: Place): string[] {
  const socket = `lisp-workbench-${process.getuid?.() ?? ''}`;
  return readdirSync(temporary, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const pid = /^lisp-workbench-(\d+)-/.exec(name)?.[1];
    return name !== socket && (pid === undefined || !runs(Number(pid)));
  });
}

function statusOf(pid: number): Running | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ') as [string, string, string];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const isLisp = command.includes('--end-runtime-options') && command.includes('--core ');
    return { pid, parent: Number(parent), group: Number(group), state, command, isLisp };
  } catch {
    return null;
  }
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
  } catch {
    return false;
  }
}
