/** The start and the end of an image's process. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { inheritable } from './start/environment.ts';
import type { Runtime } from './start/runtime.ts';
import type { ImageEnd } from './image-end.ts';
import { insideSandbox, type Launch, type Sandbox } from './start/sandbox.ts';

/** The sizes that a process is given when it starts, in megabytes. */
export interface ImageMemory {
  /** Size of the dynamic space. */
  readonly heapMegabytes: number;
  /** Size of the control stack of each thread. */
  readonly controlStackMegabytes: number;
}

export interface ImageOptions {
  readonly runtime: Runtime;
  /** Current directory of the image: the project's folder. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly memory: ImageMemory;
  /** The sandbox that it runs in; left out or null, none. */
  readonly sandbox?: Sandbox | null;
  /** A file that the image will be asked to load; it must not be hidden by the sandbox. */
  readonly initFile?: string | null;
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

/** Returns the command to start, with the sandbox around it if there is one. */
function launchOf(options: ImageOptions): Launch {
  const { runtime, sandbox, directory, initFile } = options;
  const { shipped } = runtime.sbcl;
  const environment = inheritable(options.environment);
  // SBCL_HOME is that of another SBCL, where the package's one would look for its contribs.
  if (shipped) delete environment['SBCL_HOME'];
  const plain = { command: runtime.sbcl.path, args: commandLine(runtime.core, options.memory), environment };
  if (!sandbox) return plain;
  const readable = [runtime.core, ...(shipped ? [shipped.folder] : []), ...(initFile ? [initFile] : [])];
  return insideSandbox(sandbox, plain, directory, readable);
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

/** Starts the process of an image on this machine. One that could not be started has no pipes at all; its error is told by the end. */
export function startHere(options: ImageOptions): {
  launcher: ChildProcess;
  input: Writable | null;
  output: Readable | null;
} {
  const { command, args, environment } = launchOf(options);
  const launcher = spawn(command, args, {
    cwd: options.directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const pipes = launcher.stdio as ChildProcess['stdio'] | undefined;
  return {
    launcher,
    input: (pipes?.[3] as Writable | undefined) ?? null,
    output: (pipes?.[4] as Readable | undefined) ?? null,
  };
}

/** The end that a shell tells by an exit code. */
export function exitAsShell(code: number): Pick<ImageEnd, 'code' | 'signal'> {
  const signal = code > 128 ? signalIn(code) : null;
  return signal === null ? { code, signal } : { code: null, signal };
}
