/** The place where an image's processes run: this machine, possibly in a sandbox, or a target. */
import type { Readable, Writable } from 'node:stream';
import type { OutputStream } from '#contract/image/evaluation.ts';
import type { Exit } from './image-end.ts';
import type { Pids } from './pids.ts';

/** The first process of an image, or the program that starts it. */
export interface StartedProcess {
  /** 0 if the id is not known yet, or if no process could be started. */
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
  /** `error` is set if there is no process at all. */
  startFailed(reason: string, error: Error | null): void;
  /** The first process has ended. */
  exited(exit: Exit): void;
  /**
   * No process has the wire open any more. `exit` is the exit of the last program that had it open, if that says anything about the image.
   */
  closed(exit: Exit): void;
  /** The image cannot start; `words` is a sentence with the reason. */
  problem(words: string): void;
}

export interface ImageHost {
  /** The name of the target; null for this machine. */
  readonly target: string | null;
  /** The number of milliseconds that a checkpoint has to report that it continues as the image. */
  readonly wakeLimitMs: number;
  start(listener: HostListener): StartedProcess;
  /** Calls `then` when the output from before the image was ready has been read. `ofImage` is false if other programs wrote it. */
  afterStart(then: (ofImage: boolean) => void): void;
  /** Handles a report on the wire that does not come from the image: its first process has exited with a code, or the wire is closed. */
  reported(what: 'exited' | 'closed', code: number): void;
  /** Returns a request with file names as the image sees them. @throws WorkbenchError `refused` if the target cannot handle the request. */
  outgoing(op: string, fields: object): object;
  /** Returns a reply or an event with file names as this machine sees them. */
  incoming(message: Record<string, unknown>): Record<string, unknown>;
  /** Returns the id of a process as users of the image's own system see it. */
  shownPid(pid: number): number;
  runs(pid: number): boolean;
  /** Returns true if a signal has stopped the process. */
  isStopped(pid: number): boolean;
  /** Sends a signal to a process of the image. Returns false if there is no such process; `gone` is called if that turns out later. */
  signal(pid: number, signal: NodeJS.Signals, gone: () => void): boolean;
  /** Limits the wait for the end of the wire, because the only process has exited. */
  closeSoon(): void;
  /** Ends all processes of the image; `own` are the known ones. */
  end(own: readonly number[]): void;
  /** Returns a sentence about a lost connection; null if none was lost. */
  lost(lastWords: string): string | null;
  /** Ends remaining processes after the image is over, and frees the host's resources for it. */
  dispose(own: readonly number[]): void;
}
