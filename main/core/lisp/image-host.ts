/** Where the processes of an image run: on this machine, perhaps in a sandbox, or on a target. */
import type { Readable, Writable } from 'node:stream';
import type { OutputStream } from '#contract/image/evaluation.ts';
import type { Exit } from './image-end.ts';
import type { Pids } from './pids.ts';

/** The first process of an image, or the program that starts it. */
export interface StartedProcess {
  /** 0 if it is not known yet, or no process could be started. */
  readonly pid: number;
  /** False if the image itself reports the id of its process. */
  readonly named: boolean;
  readonly pids: Pids;
  /** The wire to the image. */
  readonly input: Writable;
  /** The octets that the image writes onto the wire; null if no process could be started. */
  readonly output: Readable | null;
}

/** Gets what happens to the processes. Nothing is reported before `start` has returned. */
export interface HostListener {
  /** Text of file descriptors 1 and 2. */
  wrote(stream: OutputStream, text: string): void;
  /** `error` is set if there is no process at all. */
  startFailed(reason: string, error: Error | null): void;
  /** The first process has ended. */
  exited(exit: Exit): void;
  /** No process holds the wire any more. `exit` is that of the program that held it, if it says anything about the image. */
  closed(exit: Exit): void;
  /** The image cannot start, with the sentence why. */
  problem(words: string): void;
}

export interface ImageHost {
  /** Name of the target; null for this machine. */
  readonly target: string | null;
  /** Milliseconds that a checkpoint has to report that it continues as the image. */
  readonly wakeLimitMs: number;
  start(listener: HostListener): StartedProcess;
  /** Calls `then` when what was written before the image was ready has been read. `ofImage` is false if other programs wrote it. */
  afterStart(then: (ofImage: boolean) => void): void;
  /** Takes a report that came by the wire and is not from the image: its first process has exited with a code, or the wire is closed. */
  reported(what: 'exited' | 'closed', code: number): void;
  /** A request as the image is to get it, with its names of files. @throws WorkbenchError `refused` if it cannot be served there. */
  outgoing(op: string, fields: object): object;
  /** A reply or an event with the names that files have here. */
  incoming(message: Record<string, unknown>): Record<string, unknown>;
  /** The id of a process as users of the image's own system see it. */
  shownPid(pid: number): number;
  runs(pid: number): boolean;
  /** True if a signal has stopped the process. */
  isStopped(pid: number): boolean;
  /** Sends a signal to a process of the image. False if there is no such process; `gone` is called if that turns out later. */
  signal(pid: number, signal: NodeJS.Signals, gone: () => void): boolean;
  /** Bounds the wait for the end of the wire, now that the only process has exited. */
  closeSoon(): void;
  /** Ends all processes of the image; `own` are those that are known. */
  end(own: readonly number[]): void;
  /** The sentence about a connection that was lost; null if none was. */
  lost(lastWords: string): string | null;
  /** Ends what may be left of the image, once it is over, and frees what the host holds for it. */
  dispose(own: readonly number[]): void;
}
