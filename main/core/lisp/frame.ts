/**
 * The frames of the wire. A frame consists of the payload's length in octets as ASCII decimal digits, a line feed, and the payload as UTF-8
 * JSON.
 */
import { WorkbenchError } from '#core/base/error.ts';

const LINE_FEED = 10;
const DIGIT_0 = 48;
const MAX_DIGITS = 9;

/** Returns one message as the octets for the pipe. */
export function encodeFrame(message: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`${payload.length}\n`), payload]);
}

/**
 * A mark, which appears on the wire between frames. A mark begins with a line feed and an exclamation mark, which no payload contains; an
 * incomplete frame before it is discarded.
 * A checkpoint's process sends `ended` when the live process has ended, and `live` when the checkpoint's process is now the image itself. A
 * process resumed from a checkpoint sends `killed` with the signal that ends it. On a target, the shell that started the image sends
 * `exited` with a shell exit code when its first process has exited, and `closed` when the last process has closed the wire.
 */
export interface Mark {
  readonly mark: 'ended' | 'live' | 'killed' | 'exited' | 'closed';
  /** The id of the reporting process; for `exited` the exit code, for `killed` the signal's number. */
  readonly pid: number;
}

/** Returns the line that makes the checkpoint's process `pid` continue as the image. The process ignores all input before this line. */
export function wakeMark(pid: number): Buffer {
  return Buffer.from(`\n!wake ${pid}\n`);
}

const MARK_START = Buffer.from('\n!');
const MARK = /^\n!(ended|live|killed|exited|closed) (\d+)\n$/;

/**
 * Splits a stream of chunks into messages and marks. At a mark, an incomplete frame is discarded; nothing else resynchronizes the stream.
 */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #held = 0;
  /** The payload length of the current frame; null while its header is being read. */
  #expected: number | null = null;
  /** Octets that may be the start of a mark, or that are an incomplete mark. */
  #kept: Buffer = Buffer.alloc(0);

  /**
   * Returns the messages and marks that `chunk` completes.
   * @throws WorkbenchError `wire` if a header is not a length or a payload is not JSON.
   */
  push(chunk: Buffer): { messages: unknown[]; marks: Mark[] } {
    const messages: unknown[] = [];
    const marks: Mark[] = [];
    let rest = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#kept = Buffer.alloc(0);
    for (;;) {
      const start = rest.indexOf(MARK_START);
      if (start === -1) break;
      messages.push(...this.#decode(rest.subarray(0, start)));
      this.#forget();
      const end = rest.indexOf(LINE_FEED, start + 2);
      if (end === -1) {
        this.#kept = rest.subarray(start);
        return { messages, marks };
      }
      marks.push(readMark(rest.subarray(start, end + 1)));
      rest = rest.subarray(end + 1);
    }
    // A final line feed may be the start of a mark. It is not part of a frame, because no frame ends with one.
    const kept = rest.at(-1) === LINE_FEED ? 1 : 0;
    this.#kept = rest.subarray(rest.length - kept);
    messages.push(...this.#decode(rest.subarray(0, rest.length - kept)));
    return { messages, marks };
  }

  #decode(chunk: Buffer): unknown[] {
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

  #forget(): void {
    this.#chunks = [];
    this.#held = 0;
    this.#expected = null;
  }

  #readHeader(): boolean {
    const head = this.#join().subarray(0, MAX_DIGITS + 1);
    const end = head.indexOf(LINE_FEED);
    const digits = end === -1 ? head : head.subarray(0, end);
    if (end === 0 || digits.length > MAX_DIGITS || !digits.every(isDigit)) throw badLength(head);
    if (end === -1) return false;
    this.#expected = Number(digits.toString());
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

function readMark(octets: Buffer): Mark {
  const said = MARK.exec(octets.toString());
  if (!said) throw badLength(octets);
  return { mark: said[1] as Mark['mark'], pid: Number(said[2]) };
}

function isDigit(octet: number): boolean {
  return octet >= DIGIT_0 && octet < DIGIT_0 + 10;
}

function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString());
  } catch (cause) {
    throw new WorkbenchError('wire', `The image sent a frame of ${payload.length} octets that is not JSON.`, { cause });
  }
}

function badLength(head: Buffer): WorkbenchError {
  return new WorkbenchError(
    'wire',
    `The image sent ${JSON.stringify(head.subarray(0, 20).toString('latin1'))} instead of the length of a frame.`,
  );
}
