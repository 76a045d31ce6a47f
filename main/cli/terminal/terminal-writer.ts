/** Writes to a terminal without blocking the process while the terminal accepts no data, for example after Ctrl+S. */
import { close, constants, openSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { systemCode } from '#core/base/error.ts';

/** How long to wait, in milliseconds, before the next attempt if the terminal accepted nothing; Node has no event for this. */
const AGAIN_MS = 50;

/**
 * Opens a terminal for writing without blocking. A write to Node's own stream blocks the whole process until the terminal has accepted the
 * data.
 */
export function openWriter(file: string): Writable {
  // The terminal is opened a second time, so that only the new descriptor is non-blocking.
  if (process.platform === 'win32') return new WriteStream(openSync(file, 'w'));
  return new TerminalWriter(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY));
}

class TerminalWriter extends Writable {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    super({ decodeStrings: true });
    this.#descriptor = descriptor;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    close(this.#descriptor, () => done(error));
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error) => void): void {
    let rest = chunk;
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#descriptor, rest));
      done();
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') return done(error as Error);
      setTimeout(() => this._write(rest, encoding, done), AGAIN_MS).unref();
    }
  }
}
