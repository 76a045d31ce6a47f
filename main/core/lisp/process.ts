/** Processes of images: their command line, their state and their end. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Exit } from './image-end.ts';

/** The memory sizes for the start of a process, in megabytes. */
export interface ImageMemory {
  /** The size of the dynamic space. */
  readonly heapMegabytes: number;
  /** The size of the control stack of each thread. */
  readonly controlStackMegabytes: number;
}

/** Sends a signal to a process; SIGKILL by default. Returns false if the process no longer exists. */
export function end(pid: number, signal: NodeJS.Signals = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Returns true if the process is running. A zombie process does not count. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/**
 * Returns the id of a process's group, which is the id of the group's leader. Returns null if there is no such process or the system has no
 * groups.
 */
export function groupOf(pid: number): number | null {
  if (process.platform === 'win32') return null;
  try {
    const told =
      process.platform === 'linux'
        ? // In `stat`, the program's name is in parentheses and may contain any character. The state, the parent and the group follow it.
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

/** Returns true if a signal or a debugger such as gdb has stopped the process. Returns false if the system does not report that. */
export function isStopped(pid: number): boolean {
  try {
    return process.platform === 'linux' && /\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/**
 * Returns the signal that ended the first process. The program that creates the sandbox reports the signal in its exit code, the way shells
 * do.
 */
export function signalIn(code: number | null): NodeJS.Signals | null {
  const known = Object.entries(constants.signals).find(([, number]) => code === 128 + number);
  return known ? (known[0] as NodeJS.Signals) : null;
}

/** Returns the SBCL command line for an image that starts from `core`. */
export function commandLine(core: string, memory: ImageMemory): string[] {
  const { heapMegabytes, controlStackMegabytes } = memory;
  const space = ['--dynamic-space-size', `${heapMegabytes}MB`, '--control-stack-size', `${controlStackMegabytes}MB`];
  return ['--core', core, '--noinform', '--disable-ldb', ...space, '--end-runtime-options'];
}

/** Ends a program that leads a process group, and all other processes in the group. */
export function endGroup(leader: ChildProcess): void {
  if (leader.pid === undefined || process.platform === 'win32' || !end(-leader.pid)) leader.kill('SIGKILL');
}

/** Returns the exit that a shell's exit code represents. */
export function exitAsShell(code: number): Exit {
  const signal = code > 128 ? signalIn(code) : null;
  return signal === null ? { code, signal } : { code: null, signal };
}
