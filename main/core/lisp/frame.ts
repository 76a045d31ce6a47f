/** The wire's frames: the payload's length in octets as ASCII decimal digits, a line feed, and UTF-8 JSON. */
import { WorkbenchError } from '#core/error.ts';

const LINE_FEED = 10;
const DIGIT_0 = 48;
const MAX_DIGITS = 9;

/** One message as the octets that go onto the pipe. */
export function encodeFrame(message: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`${payload.length}\n`, 'latin1'), payload]);
}

/** Cuts a stream of chunks into messages. Nothing resynchronises: after an error the pipe is of no more use. */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #held = 0;
  /** Payload length of the frame under way; null while its header is being read. */
  #expected: number | null = null;

  /**
   * The messages that `chunk` completes.
   * @throws WorkbenchError `wire` when a header is no length or a payload is no JSON.
   */
  push(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    const messages: unknown[] = [];
    for (;;) {
      if (this.#expected === null && !this.#readHeader()) return messages;
      if (this.#held < this.#expected!) return messages;
      messages.push(parse(this.#take(this.#expected!)));
      this.#expected = null;
    }
  }

  #readHeader(): boolean {
    if (this.#held === 0) return false;
    const head = this.#join().subarray(0, MAX_DIGITS + 1);
    const end = head.indexOf(LINE_FEED);
    const digits = end < 0 ? head : head.subarray(0, end);
    if (end === 0 || digits.length > MAX_DIGITS || !digits.every(isDigit)) throw badLength(head);
    if (end < 0) return false;
    this.#expected = Number(digits.toString('latin1'));
    this.#take(end + 1);
    return true;
  }

  #join(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  #take(length: number): Buffer {
    const first = this.#join();
    this.#held -= length;
    if (first.length === length) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(length);
    return first.subarray(0, length);
  }
}

function isDigit(octet: number): boolean {
  return octet >= DIGIT_0 && octet < DIGIT_0 + 10;
}

function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch (cause) {
    throw new WorkbenchError('wire', `The image sent a frame of ${payload.length} octets that is no JSON.`, { cause });
  }
}

function badLength(head: Buffer): WorkbenchError {
  return new WorkbenchError(
    'wire',
    `The image sent ${JSON.stringify(head.subarray(0, 20).toString('latin1'))} where a frame's length belongs.`,
  );
}
