/** The process of an agent's program, and all processes that it starts. They form a process group, so that all of them can be ended. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { messageOf, WorkbenchError } from '#core/base/error.ts';
import { signalIn } from '#core/lisp/process.ts';
import { FloodGate } from './flood-gate.ts';

export interface ProcessLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** The maximum number of characters of standard error that are stored. */
const LOG_KEPT = 64 * 1024;
/** How long, in milliseconds, a process may take to end after its standard input was closed, and again after SIGTERM. */
const GRACE_MS = 1_000;

export class AgentProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #gate = new FloodGate();
  #log = '';
  #hasEnded = false;
  /** Resolves with a description of how the process ended: "exit code 1", "the signal SIGKILL". */
  readonly ended: Promise<string>;
  readonly #killAtExit = (): void => this.#signal('SIGKILL');

  /** Starts the process. @throws WorkbenchError `system` if the program cannot be started. */
  static async start({ command, args, directory, environment }: ProcessLaunch): Promise<AgentProcess> {
    const child = spawn(command, args, { cwd: directory, env: environment, detached: true, stdio: 'pipe' });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) =>
        reject(new WorkbenchError('system', `${command} does not run: ${messageOf(error)}.`)),
      );
    });
    return new AgentProcess(child);
  }

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.stdin.on('error', () => {}); // ignored: a program that has ended does not read its input; `ended` reports the end
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-LOG_KEPT);
    });
    process.once('exit', this.#killAtExit);
    this.ended = new Promise((resolve) =>
      child.once('exit', (code, signal) => {
        this.#hasEnded = true;
        process.off('exit', this.#killAtExit);
        this.#signal('SIGKILL'); // child processes must not outlive the program
        resolve(endInWords(code, signal));
      }),
    );
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** The latest text on standard error. */
  get log(): string {
    return this.#log;
  }

  /** The octets that the process writes to standard output. The stream fails if there are too many in a short time. */
  get output(): ReadableStream<Uint8Array> {
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- Node's stream lacks a detail of the type that the compiler wants
    return Readable.toWeb(this.#child.stdout.pipe(this.#gate.stream)) as unknown as ReadableStream<Uint8Array>;
  }

  get input(): WritableStream<Uint8Array> {
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- Node's stream lacks a detail of the type that the compiler wants
    return Writable.toWeb(this.#child.stdin) as unknown as WritableStream<Uint8Array>;
  }

  /** The resident memory of the process and its descendants in octets; null if the system does not report it. */
  get memory(): number | null {
    if (process.platform !== 'linux' || this.#hasEnded) return null;
    const pages = groupOf(this.pid).map((pid) => Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0));
    return pages.reduce((sum, each) => sum + each, 0) * PAGE;
  }

  /** Ends the process: closes its input, then sends SIGTERM, then SIGKILL to the whole group. */
  async end(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#endsWithin(GRACE_MS)) return;
      this.#signal(signal);
    }
    await this.ended;
  }

  /** Resolves with a description of how the process ended if it ends soon, or with null if it continues. */
  async endsSoon(): Promise<string | null> {
    return (await this.#endsWithin(GRACE_MS)) ? this.ended : null;
  }

  #endsWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      void this.ended.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #signal(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch {
      // there is no process left in the group
    }
  }
}

/**
 * Describes how a process ended. If a signal ended the process inside a sandbox or a terminal, the exit code contains the signal, as in a
 * shell.
 */
export function endInWords(code: number | null, signal: NodeJS.Signals | null): string {
  const by = signal ?? signalIn(code);
  return by === null ? `exit code ${code}` : `the signal ${by}`;
}

const PAGE = 4096;

/**
 * Returns `root` and all its descendant processes. A process group would not include all of them, because a sandbox creates groups and
 * sessions of its own.
 */
function groupOf(root: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(/^\d+ \([^]*\) \S (\d+)/.exec(read(`/proc/${name}/stat`))?.[1] ?? 0)]),
  );
  const within = (pid: number): boolean => {
    for (let each = pid; each > 1; each = parents.get(each) ?? 0) if (each === root) return true;
    return false;
  };
  return [...parents.keys()].filter(within);
}

/** Returns the text of a file in /proc; empty if the process has already ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
