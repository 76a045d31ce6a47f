/** The processes of an image on this machine, with or without a sandbox. */
import { spawn, type ChildProcess } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { endReasons, type Exit } from './image-end.ts';
import type { HostListener, ImageHost, StartedProcess } from './image-host.ts';
import { groupPids, sandboxedPids, type Pids } from './pids.ts';
import { commandLine, end, endGroup, isStopped, runs, signalIn, type ImageMemory } from './process.ts';
import { inheritable } from './start/environment.ts';
import type { Runtime } from './start/runtime.ts';
import { insideSandbox, type Launch, type Sandbox } from './start/sandbox.ts';
import { startFault } from './start/start-fault.ts';

export interface LocalHostOptions {
  readonly runtime: Runtime;
  /** The image's current directory: the project's folder. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly memory: ImageMemory;
  /** The sandbox for the image; omitted or null for none. */
  readonly sandbox?: Sandbox | null;
  /** A file that the image will load; the sandbox must not hide it. */
  readonly initFile?: string | null;
}

const WAKE_LIMIT_MS = 10_000;
/** How long, in milliseconds, pipes are still read after the only process has exited. A program that it started may keep the pipes open. */
const LATE_MS = 500;

export class LocalHost implements ImageHost {
  readonly target = null;
  readonly libraries = null;
  readonly wakeLimitMs = WAKE_LIMIT_MS;
  readonly #options: LocalHostOptions;
  readonly #sandboxed: boolean;
  #child: ChildProcess | null = null;
  #pids: Pids = groupPids(0);
  #closed: () => void = () => {};

  constructor(options: LocalHostOptions) {
    this.#options = options;
    this.#sandboxed = Boolean(options.sandbox);
  }

  start(listener: HostListener): StartedProcess {
    const { command, args, environment } = launchOf(this.#options);
    const child = spawn(command, args, {
      cwd: this.#options.directory,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    const pid = child.pid ?? 0;
    this.#child = child;
    this.#pids = this.#sandboxed ? sandboxedPids(pid) : groupPids(pid);
    // The exit of the first process has been reported earlier. A later process is not a child of this program, so its exit is unknown.
    this.#closed = () => listener.closed({ code: null, signal: null });
    child.on('error', (error) =>
      listener.startFailed(endReasons.notStarted('SBCL', startFault(error)), child.pid === undefined ? error : null),
    );
    child.on('exit', (code, signal) => listener.exited(this.#exitOf(code, signal)));
    // This event comes after the last octet of every pipe has been read. The processes of checkpoints keep the pipes open while they exist.
    child.on('close', this.#closed);
    // A process that could not be started has no pipes.
    const pipes = child.stdio as ChildProcess['stdio'] | undefined;
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream]?.setEncoding('utf8').on('data', (text: string) => listener.wrote(stream, text));
    return {
      pid,
      named: !this.#sandboxed,
      pids: this.#pids,
      input: (pipes?.[3] as Writable | undefined) ?? new PassThrough().resume(),
      output: (pipes?.[4] as Readable | undefined) ?? null,
    };
  }

  afterStart(then: (ofImage: boolean) => void): void {
    then(true);
  }

  /** Ignores the report. On this machine no shell starts the image, so code in the image must have written it. */
  reported(): void {}

  outgoing(_op: string, fields: object): object {
    return fields;
  }

  incoming(message: Record<string, unknown>): Record<string, unknown> {
    return message;
  }

  shownPid(pid: number): number {
    return pid;
  }

  runs(pid: number): boolean {
    return runs(pid);
  }

  isStopped(pid: number): boolean {
    return isStopped(pid);
  }

  signal(pid: number, signal: NodeJS.Signals): boolean {
    return pid !== 0 && this.#pids.owns(pid) && end(pid, signal);
  }

  closeSoon(): void {
    // A program that was started in a session of its own would keep the sandbox running.
    if (this.#sandboxed && this.#child?.pid !== undefined) end(-this.#child.pid);
    setTimeout(this.#closed, LATE_MS).unref();
  }

  /** Does nothing: the processes of checkpoints are in the group of the first process. */
  end(): void {
    if (this.#child) endGroup(this.#child);
  }

  lost(): null {
    return null;
  }

  dispose(): void {}

  #exitOf(code: number | null, signal: NodeJS.Signals | null): Exit {
    const reported = this.#sandboxed ? signalIn(code) : null;
    return reported === null ? { code, signal } : { code: null, signal: reported };
  }
}

/** Returns the command to start, inside the sandbox if there is one. */
function launchOf(options: LocalHostOptions): Launch {
  const { runtime, sandbox, directory, initFile } = options;
  const { shipped } = runtime.sbcl;
  const environment = inheritable(options.environment);
  // SBCL_HOME may belong to another SBCL, and the packaged SBCL would then look for its contribs there.
  if (shipped) delete environment['SBCL_HOME'];
  const plain = { command: runtime.sbcl.path, args: commandLine(runtime.core, options.memory), environment };
  if (!sandbox) return plain;
  const readable = [runtime.core, ...(shipped ? [shipped.folder] : []), ...(initFile ? [initFile] : [])];
  return insideSandbox(sandbox, plain, directory, readable);
}
