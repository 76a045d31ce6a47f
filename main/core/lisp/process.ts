/** How an image's process is started, what it inherits, and how one is ended. */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Runtime } from './runtime.ts';
import { behindWall, type Launch, type Wall } from './wall.ts';

export interface ImageOptions {
  readonly runtime: Runtime;
  /** Current directory of the image: the project's folder. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Size of the dynamic space in megabytes. */
  readonly heapMegabytes: number;
  /** The sandbox that it runs in; left out or null, none. */
  readonly wall?: Wall | null;
  /** A file that the image will be asked to load; it must not be hidden by the wall. */
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

/** What to start, with the wall around it if there is one. */
export function launchOf(options: ImageOptions): Launch {
  const { runtime, wall, directory, initFile } = options;
  const environment = inheritable(options.environment);
  const plain = { command: runtime.sbcl.path, args: commandLine(options), environment };
  return wall ? behindWall(wall, plain, directory, [runtime.core, ...(initFile ? [initFile] : [])]) : plain;
}

/** The signal that ended the first process, told by the builder of a wall as shells do, in the exit code. */
export function signalIn(code: number | null): NodeJS.Signals | null {
  const known = Object.entries(constants.signals).find(([, number]) => code === 128 + number);
  return known ? (known[0] as NodeJS.Signals) : null;
}

function commandLine({ runtime, heapMegabytes }: ImageOptions): string[] {
  const space = ['--dynamic-space-size', `${heapMegabytes}MB`, '--control-stack-size', '16MB'];
  return ['--core', runtime.core, '--noinform', '--disable-ldb', ...space, '--end-runtime-options'];
}

const SECRET = /TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|CREDENTIAL/i;

/** The environment that user code may see: no secrets, nothing of Electron or of the way this program was started. */
export function inheritable(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !SECRET.test(name) && !/^(ELECTRON_|npm_|NODE_OPTIONS$|LISP_WORKBENCH_CORE$|INIT_CWD$)/.test(name),
  );
  return Object.fromEntries(kept);
}
