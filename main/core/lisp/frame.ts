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

/**
 * Where the wire begins anew: a copy of the image says that the live process has `ended`, or that it is `live` itself. A
 * line feed and an exclamation mark begin it, which no payload contains.
 */
export interface Mark {
  readonly mark: 'ended' | 'live';
  readonly pid: number;
}

/** The line that tells the copy `pid` to go on as the image: it forgets everything that stands before it. */
export function wakeMark(pid: number): Buffer {
  return Buffer.from(`\n!wake ${pid}\n`, 'latin1');
}

const MARK_START = Buffer.from('\n!', 'latin1');
const MARK = /^\n!(ended|live) (\d+)\n$/;

/** Cuts a stream of chunks into messages and marks. A mark drops the torn frame before it; nothing else resynchronises. */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #held = 0;
  /** Payload length of the frame under way; null while its header is being read. */
  #expected: number | null = null;
  /** What may be the beginning of a mark, or is one that has not ended yet. */
  #kept: Buffer = Buffer.alloc(0);

  /**
   * The messages and marks that `chunk` completes.
   * @throws WorkbenchError `wire` when a header is no length or a payload is no JSON.
   */
  push(chunk: Buffer): { messages: unknown[]; marks: Mark[] } {
    const messages: unknown[] = [];
    const marks: Mark[] = [];
    let rest = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#kept = Buffer.alloc(0);
    for (;;) {
      const start = rest.indexOf(MARK_START);
      if (start < 0) break;
      messages.push(...this.#decode(rest.subarray(0, start)));
      this.#forget();
      const end = rest.indexOf(LINE_FEED, start + 2);
      if (end < 0) {
        this.#kept = rest.subarray(start);
        return { messages, marks };
      }
      marks.push(readMark(rest.subarray(start, end + 1)));
      rest = rest.subarray(end + 1);
    }
    // A line feed at the end may begin a mark; no frame is complete with one.
    const kept = rest.at(-1) === LINE_FEED ? 1 : 0;
    this.#kept = rest.subarray(rest.length - kept);
    messages.push(...this.#decode(rest.subarray(0, rest.length - kept)));
    return { messages, marks };
  }

  #decode(chunk: Buffer): unknown[] {
    if (chunk.length === 0) return [];
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

function readMark(octets: Buffer): Mark {
  const [, mark, pid] = MARK.exec(octets.toString('latin1')) ?? [];
  if (mark === undefined) throw badLength(octets);
  return { mark: mark as Mark['mark'], pid: Number(pid) };
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
