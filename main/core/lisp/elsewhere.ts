/**
 * An image that runs on another machine or in a container: what of `LispImage` is different there. Its process ids mean nothing on this
 * machine, so they are told as numbers that no process here has, and signals go by a connection of their own.
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** The process that holds the connection, started, with the wire of the image there. */
export interface Connected {
  readonly launcher: ChildProcess;
  readonly input: Writable;
  readonly output: Readable;
}

export interface Elsewhere {
  /** Name of the target. */
  readonly name: string;
  /** Starts the image. `problem` is told the sentence that says why it cannot come up. */
  connect(problem: (words: string) => void): Connected;
  /** A request as the image there is to get it: with its names of files. @throws WorkbenchError `refused` where it cannot serve it. */
  outgoing(op: string, fields: object): object;
  /** A reply or an event with the names that files have here. */
  incoming(message: Record<string, unknown>): Record<string, unknown>;
  /** Sends a signal to a process of the image, by the id that it has there. `gone` is called where there is no such process of the image. */
  signal(pid: number, signal: NodeJS.Signals, gone: () => void): void;
  /** The sentence about a connection that ended while the image lived. */
  lost(lastWords: string): string;
  /** Ends the connection for signals. */
  dispose(): void;
}
