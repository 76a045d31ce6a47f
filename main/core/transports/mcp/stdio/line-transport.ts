/** MCP's stdio framing for any pair of streams: one JSON message on each line. Invalid lines are answered with an error. */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { BODY_LIMIT } from '../../http/request-checks.ts';
import { parseStrict } from '../../strict-json.ts';
import { Skeleton } from '../content/skeleton.ts';
import { errorResponse, PARSE_ERROR, refuse, type ErrorResponse } from '../message-checks.ts';
import { cancellation, type CallResponse } from '../tool-calls.ts';

const LINE_FEED = 10;
/** The error code for too many open requests. It is in the range that JSON-RPC reserves for servers. */
const TOO_MANY = -32_000;

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Called before `onmessage`. Returns true if it has served the message itself. */
  intercept?: (message: JSONRPCMessage) => boolean;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #admit: () => (() => void) | string;
  /** Functions that mark requests as answered, by request id. Contains only unanswered requests. */
  readonly #open = new Map<unknown, () => void>();
  /** The pieces of the incomplete line. */
  #pieces: Buffer[] = [];
  #length = 0;
  /** The skeleton of the incomplete line, if the line is too long to store. It is enough to find the id of the request. */
  #skeleton: Skeleton | null = null;
  #closed = false;

  /**
   * `admit` is called before each request. It returns a function to call when the request is answered or cancelled, or a text that refuses
   * the request.
   */
  constructor(input: Readable, output: Writable, admit: () => (() => void) | string = () => () => {}) {
    this.#input = input;
    this.#output = output;
    this.#admit = admit;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#input.on('end', () => void this.close());
    this.#input.on('close', () => void this.close());
    this.#input.on('error', () => void this.close());
    this.#output.on('error', () => void this.close());
    this.#input.resume(); // the code that first read a greeting left the stream paused
  }

  send(message: JSONRPCMessage | CallResponse | ErrorResponse): Promise<void> {
    if (this.#closed) return Promise.resolve();
    if ('id' in message && !('method' in message)) this.#close(message.id);
    return new Promise((resolve) => this.#output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const id of this.#open.keys()) this.#close(id);
    this.#input.pause();
    this.onclose?.();
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#hold(chunk.subarray(start, end));
      this.#line();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  /** Stores another piece of the incomplete line. If the line is too long, stores only its skeleton. */
  #hold(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= BODY_LIMIT) this.#pieces.push(piece);
    else {
      this.#skeleton ??= new Skeleton();
      for (const each of [...this.#pieces, piece]) this.#skeleton.take(each);
      this.#pieces = [];
    }
  }

  /** Refuses a request if too many are open. A cancellation notice is not a request and is always accepted. */
  #refuseMore(message: JSONRPCMessage): ErrorResponse | null {
    if (!('id' in message) || !('method' in message)) return null;
    const admitted = this.#admit();
    if (typeof admitted === 'string') return errorResponse(message.id ?? null, TOO_MANY, admitted);
    this.#close(message.id);
    this.#open.set(message.id, admitted);
    return null;
  }

  /** Closes a request that was answered or that its client cancelled. No answer may be sent to a cancelled request. */
  #close(id: unknown): void {
    this.#open.get(id)?.();
    this.#open.delete(id);
  }

  #deliver(message: JSONRPCMessage): void {
    this.#close(cancellation(message)?.id);
    if (!this.intercept?.(message)) this.onmessage?.(message);
  }

  #line(): void {
    const line = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    const tooLong = this.#length > BODY_LIMIT;
    const id = this.#skeleton?.id ?? null;
    this.#pieces = [];
    this.#length = 0;
    this.#skeleton = null;
    if (this.#closed || (!tooLong && isBlank(line))) return;
    const parsed = tooLong
      ? { fault: `The message has more than ${BODY_LIMIT} bytes, the limit of one message. Send it in parts.` }
      : parseStrict(line);
    const refusal =
      'fault' in parsed
        ? errorResponse(id, PARSE_ERROR, `Parse error: ${parsed.fault}`)
        : (refuse(parsed.value) ?? this.#refuseMore(parsed.value as JSONRPCMessage));
    if (refusal) void this.send(refusal);
    else if ('value' in parsed) this.#deliver(parsed.value as JSONRPCMessage);
  }
}

/** Returns true if a line has only blanks, tabs and carriage returns. */
function isBlank(line: Buffer): boolean {
  return line.every((octet) => octet === 0x20 || (octet >= 0x09 && octet <= 0x0d));
}
