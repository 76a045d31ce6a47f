/** The environment in which an image's processes run: this machine, possibly in a sandbox, or a target. */
import type { Readable, Writable } from 'node:stream';
import type { OutputStream } from '#contract/image/evaluation.ts';
import type { Exit } from './image-end.ts';
import type { Pids } from './pids.ts';

/** The first process of an image, or the process of the program that starts the image. */
export interface StartedProcess {
  /** The id of the process; 0 if it is not known yet, or if no process could be started. */
  readonly pid: number;
  /** False if the image itself reports the id of its process. */
  readonly named: boolean;
  readonly pids: Pids;
  /** The wire to the image. */
  readonly input: Writable;
  /** The octets that the image writes to the wire; null if no process could be started. */
  readonly output: Readable | null;
}

/** Receives events of the processes. No event comes before `start` has returned. */
export interface HostListener {
  /** Text of file descriptors 1 and 2. */
  wrote(stream: OutputStream, text: string): void;
  /** The image could not be started. `error` is set if there is no process at all. */
  startFailed(reason: string, error: Error | null): void;
  /** The first process has ended. */
  exited(exit: Exit): void;
  /** No process has the wire open any more. `exit` is the exit of the last program that had it open, if that exit is about the image. */
  closed(exit: Exit): void;
  /** The image cannot start; `words` is a sentence with the reason. */
  problem(words: string): void;
}

/** The folder with libraries that an image on a target uses if it has no Quicklisp client. */
export interface LibrariesThere {
  /** The path of the folder on the target. */
  readonly folder: string;
  /** Carries files, given relative to the folder `from` of this machine, to the folder there. @throws WorkbenchError with the reason. */
  carry(from: string, names: readonly string[], signal: AbortSignal): Promise<void>;
}

export interface ImageHost {
  /** The name of the target; null for this machine. */
  readonly target: string | null;
  /** How long, in milliseconds, a checkpoint may take to report that it continues as the image. */
  readonly wakeLimitMs: number;
  start(listener: HostListener): StartedProcess;
  /**
   * Calls `then` once the output that was written before the image was ready has been read. `ofImage` is false if other programs wrote that
   * output.
   */
  afterStart(then: (ofImage: boolean) => void): void;
  /** Handles a report on the wire that does not come from the image: its first process has exited with a code, or the wire is closed. */
  reported(what: 'exited' | 'closed', code: number): void;
  /** Translates the file names in a request to the image's. @throws WorkbenchError `refused` if the target cannot handle the request. */
  outgoing(op: string, fields: object): object;
  /** Translates the file names in a reply or an event to this machine's. */
  incoming(message: Record<string, unknown>): Record<string, unknown>;
  /** Returns the id of a process as shown to the person: on a target, the id that the process has there. */
  shownPid(pid: number): number;
  runs(pid: number): boolean;
  /** Returns true if a signal has stopped the process. */
  isStopped(pid: number): boolean;
  /**
   * Sends a signal to a process of the image. Returns false if there is no such process. If this is discovered only later, calls `gone`.
   */
  signal(pid: number, signal: NodeJS.Signals, gone: () => void): boolean;
  /** Starts the time limit after which the wire counts as closed, because the image's only process has exited. */
  closeSoon(): void;
  /** Ends all processes of the image; `own` contains the known ones. */
  end(own: readonly number[]): void;
  /** Returns a sentence about a lost connection; null if the connection was not lost. */
  lost(lastWords: string): string | null;
  /** Where the core puts libraries for an image on a target; null for an image of this machine. */
  readonly libraries: LibrariesThere | null;
  /** Ends the remaining processes of an ended image, and frees the host's resources for it. */
  dispose(own: readonly number[]): void;
}
