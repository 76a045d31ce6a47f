/** How an image's process is started, what it inherits, and how one is ended. */
import { readFileSync } from 'node:fs';
import type { Runtime } from './runtime.ts';

export interface ImageOptions {
  readonly runtime: Runtime;
  /** Current directory of the image: the project's folder. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Size of the dynamic space in megabytes. */
  readonly heapMegabytes: number;
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

export function commandLine({ runtime, heapMegabytes }: ImageOptions): string[] {
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
