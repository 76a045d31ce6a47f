/** Processes of images: their command line, their state and their end, as the system reports it. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Exit } from './image-end.ts';

/** The sizes that a process is given when it starts, in megabytes. */
export interface ImageMemory {
  /** Size of the dynamic space. */
  readonly heapMegabytes: number;
  /** Size of the control stack of each thread. */
  readonly controlStackMegabytes: number;
}

/** False when there is no such process any more. */
export function end(pid: number, signal: NodeJS.Signals = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** A process that has ended and that nobody collected yet does not run. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** The group that a process belongs to, by the id of the one that leads it; null when there is no such process, or no groups. */
export function groupOf(pid: number): number | null {
  if (process.platform === 'win32') return null;
  try {
    const told =
      process.platform === 'linux'
        ? // The name, in brackets, may hold anything; after it come the state, the parent and the group.
          /.*\) \S \d+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]
        : execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], {
            encoding: 'latin1',
            stdio: ['ignore', 'pipe', 'ignore'],
          });
    return Number(told) || null;
  } catch {
    return null;
  }
}

/** True for a process that a signal has stopped, or a debugger such as gdb. Where the system does not tell it is false. */
export function isStopped(pid: number): boolean {
  try {
    return process.platform === 'linux' && /\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** The signal that ended the first process, told by the program that builds the sandbox as shells do, in the exit code. */
export function signalIn(code: number | null): NodeJS.Signals | null {
  const known = Object.entries(constants.signals).find(([, number]) => code === 128 + number);
  return known ? (known[0] as NodeJS.Signals) : null;
}

/** The command line of SBCL for an image that starts from `core`. */
export function commandLine(core: string, memory: ImageMemory): string[] {
  const { heapMegabytes, controlStackMegabytes } = memory;
  const space = ['--dynamic-space-size', `${heapMegabytes}MB`, '--control-stack-size', `${controlStackMegabytes}MB`];
  return ['--core', core, '--noinform', '--disable-ldb', ...space, '--end-runtime-options'];
}

/** Ends a program that was started as the leader of a group, and all that is left in the group. */
export function endGroup(leader: ChildProcess): void {
  if (leader.pid === undefined || process.platform === 'win32' || !end(-leader.pid)) leader.kill('SIGKILL');
}

/** The end that a shell tells by an exit code. */
export function exitAsShell(code: number): Exit {
  const signal = code > 128 ? signalIn(code) : null;
  return signal === null ? { code, signal } : { code: null, signal };
}
