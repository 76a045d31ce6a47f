/**
 * The processes of an image on a target. Their ids mean nothing on this machine, so they are represented here by numbers that no process
 * has. Signals use a separate connection.
 */
import type { ChildProcess } from 'node:child_process';
import type { Target } from '#contract/target.ts';
import { endReasons, type Exit } from '#core/lisp/image-end.ts';
import type { HostListener, ImageHost, LibrariesThere, StartedProcess } from '#core/lisp/image-host.ts';
import { foreignPids } from '#core/lisp/pids.ts';
import { endGroup, exitAsShell, type ImageMemory } from '#core/lisp/process.ts';
import { ConnectionFault, startFault } from '#core/lisp/start/start-fault.ts';
import { carry } from './carrying.ts';
import { connect, nonce, type Connection } from './connection.ts';
import { lossWords } from './faults.ts';
import type { PathTranslation } from './paths.ts';
import type { Prepared } from './preparation.ts';
import { TargetSignals } from './signals.ts';
import { startScript } from './start-script.ts';

export interface TargetHostOptions {
  readonly target: Target;
  readonly prepared: Prepared;
  /** The start folder on the target; null for the home folder. */
  readonly directory: string | null;
  readonly memory: ImageMemory;
  readonly environment: NodeJS.ProcessEnv;
  readonly paths: PathTranslation;
}

/**
 * The time, in milliseconds, within which a checkpoint must continue. The limit is long, because the connection for its signal may have to
 * be opened first.
 */
const WAKE_LIMIT_MS = 60_000;
/** How long, in milliseconds, an image may take to end after its wire has ended, before a signal ends it. */
const END_MS = 3_000;
/**
 * How long, in milliseconds, the launcher's pipes are still read after the launcher has ended. A shared connection of ssh may hold them
 * open.
 */
const LATE_MS = 500;

export class TargetHost implements ImageHost {
  readonly target: string;
  readonly wakeLimitMs = WAKE_LIMIT_MS;
  readonly libraries: LibrariesThere;
  readonly #options: TargetHostOptions;
  readonly #pids = foreignPids();
  readonly #signals: TargetSignals;
  #connection: Connection | null = null;
  #listener: HostListener | null = null;
  #group = '0';
  #begun = false;
  /** True once the shell on the target has closed the wire. After that, the end of the connection is not a loss. */
  #closed = false;
  /** The processes that are being ended; null if the image is not being ended. */
  #ending: readonly number[] | null = null;
  #late: NodeJS.Timeout | undefined;
  /** The fault that prevented the connection; null if there is none. */
  fault: ConnectionFault | null = null;

  constructor(options: TargetHostOptions) {
    this.#options = options;
    this.target = options.target.name;
    const { target, prepared, environment } = options;
    const folder = `${prepared.cache}/libraries`;
    this.libraries = {
      folder,
      carry: (from, names, signal) => carry({ target, environment, from, names, to: folder, signal }),
    };
    this.#signals = new TargetSignals(options.target, options.environment, () => this.#group);
  }

  /** True once the connection was established and the script on the target has begun. */
  get began(): boolean {
    return this.#begun;
  }

  start(listener: HostListener): StartedProcess {
    const { target, prepared, directory, memory, environment } = this.#options;
    const mark = nonce();
    const script = startScript(mark, { sbcl: prepared.sbcl, core: prepared.core, directory, memory });
    const connection = connect(target, mark, script, environment);
    this.#connection = connection;
    this.#listener = listener;
    this.#awaitFirst(connection.first);
    this.#follow(connection.launcher);
    return { pid: 0, named: false, pids: this.#pids, input: connection.input, output: connection.output };
  }

  /**
   * Until the image has started, output on standard error comes from ssh and login shells, through another pipe than the wire. Therefore
   * this waits until that pipe has been read once more before calling `then`.
   */
  afterStart(then: (ofImage: boolean) => void): void {
    setImmediate(() => setImmediate(() => then(false)));
  }

  reported(what: 'exited' | 'closed', code: number): void {
    if (what === 'closed') this.#closed = true;
    else this.#listener?.exited(exitAsShell(code));
  }

  outgoing(op: string, fields: object): object {
    return this.#options.paths.outgoing(op, fields);
  }

  incoming(message: Record<string, unknown>): Record<string, unknown> {
    return this.#options.paths.incoming(message);
  }

  shownPid(pid: number): number {
    return this.#pids.imagePid(pid);
  }

  /** Returns true: a process on a target counts as running until a signal to it fails. */
  runs(): boolean {
    return true;
  }

  isStopped(): boolean {
    return false;
  }

  signal(pid: number, signal: NodeJS.Signals, gone: () => void): boolean {
    if (!this.#pids.owns(pid)) return false;
    this.#signals.send(this.#pids.imagePid(pid), signal, gone);
    return true;
  }

  /** Does nothing: the launcher ends with the last process on the target. */
  closeSoon(): void {}

  /** Closes the wire, which ends the image and its checkpoints. Processes that remain are ended by a signal. */
  end(own: readonly number[]): void {
    this.#ending = own;
    this.#connection?.input.end();
    this.#late = setTimeout(() => {
      this.#endLeftOver(own);
      if (this.#connection) endGroup(this.#connection.launcher);
    }, END_MS);
  }

  lost(lastWords: string): string | null {
    if (this.#closed) return null;
    return !this.#begun && this.fault ? this.fault.message : lossWords(this.#options.target, lastWords);
  }

  dispose(own: readonly number[]): void {
    clearTimeout(this.#late);
    if (!this.#closed) this.#endLeftOver(this.#ending ?? own);
    this.#signals.dispose();
  }

  /**
   * Ends processes that may be left on a target after the connection was lost: code that cannot be interrupted does not notice the loss.
   */
  #endLeftOver(own: readonly number[]): void {
    for (const pid of own) this.signal(pid, 'SIGKILL', () => {});
  }

  #awaitFirst(first: Promise<string>): void {
    const fail = (fault: ConnectionFault): void => {
      this.fault = fault;
      this.#listener?.problem(fault.message);
    };
    first.then(
      (words) => {
        this.#begun = true;
        const [word, group] = words.split(' ');
        if (word === 'ready') this.#group = group ?? '0';
        else fail(new ConnectionFault(this.#words(word ?? ''), false));
      },
      (error: unknown) => error instanceof ConnectionFault && fail(error),
    );
  }

  #follow(launcher: ChildProcess): void {
    // The exit code of a launcher whose script ran to its end says nothing about the image.
    const closed = (exit: Exit): void => this.#listener?.closed(this.#closed ? { code: null, signal: null } : exit);
    launcher.on('error', (error) =>
      this.#listener?.startFailed(
        endReasons.notStarted(launcher.spawnfile, startFault(error)),
        launcher.pid === undefined ? error : null,
      ),
    );
    launcher.on('exit', (code, signal) => setTimeout(() => closed({ code, signal }), LATE_MS).unref());
    launcher.on('close', (code, signal) => closed({ code, signal }));
    launcher.stderr?.setEncoding('utf8').on('data', (text: string) => this.#listener?.wrote('stderr', text));
  }

  #words(word: string): string {
    const { target, directory, prepared } = this.#options;
    return word === 'no-folder'
      ? `The folder ${directory} no longer exists on the target ${target.name}.`
      : `The engine’s core no longer exists on the target ${target.name}: ${prepared.core}. Restart the image to build it again.`;
  }
}
