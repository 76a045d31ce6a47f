/** Limits an agent's output, so that a program that writes without end does not use up the workbench's time and memory. */
import { Transform, type TransformCallback } from 'node:stream';
import { WorkbenchError } from '#core/base/error.ts';

/**
 * The maximum number of octets within the time window. The next constant limits the number of messages. Both are large enough for a resumed
 * conversation, which arrives all at once.
 */
const MOST_OCTETS = 96 * 1024 * 1024;
const MOST_MESSAGES = 50_000;
const WINDOW_MS = 10_000;
const LINE_FEED = 10;

export class FloodGate {
  #since = performance.now();
  #octets = 0;
  #messages = 0;

  readonly stream = new Transform({
    transform: (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void =>
      done(this.#fault(chunk), chunk),
  });

  #fault(chunk: Buffer): Error | null {
    const now = performance.now();
    if (now - this.#since > WINDOW_MS) {
      this.#since = now;
      this.#octets = 0;
      this.#messages = 0;
    }
    this.#octets += chunk.length;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) this.#messages += 1;
    if (this.#octets <= MOST_OCTETS && this.#messages <= MOST_MESSAGES) return null;
    return new WorkbenchError(
      'too-large',
      `The agent wrote ${Math.round(this.#octets / 1_000_000)} MB in ${this.#messages.toLocaleString('en')} messages within ten seconds`,
    );
  }
}
