/** MCP's stdio framing over any pair of streams: one JSON message a line. Bad lines are answered, not dropped. */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { BODY_LIMIT } from '../guard.ts';
import { parseStrict } from '../json.ts';
import { errorResponse, PARSE_ERROR, refuse, type ErrorResponse } from './precheck.ts';

const LINE_FEED = 10;
/** Of the codes that JSON-RPC leaves to servers. */
const TOO_OFTEN = -32_000;

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #tooOften: () => string | null;
  /** The line under way. */
  #pieces: Buffer[] = [];
  #length = 0;
  #closed = false;

  /** `tooOften` is asked before each request; a text answers it in its place. */
  constructor(input: Readable, output: Writable, tooOften: () => string | null = () => null) {
    this.#input = input;
    this.#output = output;
    this.#tooOften = tooOften;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#input.on('end', () => void this.close());
    this.#input.on('close', () => void this.close());
    this.#input.on('error', () => void this.close());
    this.#output.on('error', () => void this.close());
    this.#input.resume(); // whoever read a greeting from it first has left it paused
  }

  send(message: JSONRPCMessage | ErrorResponse): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => this.#output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
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

  /** Takes in more of the line under way; of one that is too long nothing is kept. */
  #hold(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= BODY_LIMIT) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  /** Only requests count: a notice that something is cancelled must come through. */
  #refuseOften(message: JSONRPCMessage): ErrorResponse | null {
    if (!('id' in message) || !('method' in message)) return null;
    const why = this.#tooOften();
    return why === null ? null : errorResponse(message.id ?? null, TOO_OFTEN, why);
  }

  #line(): void {
    const line = Buffer.concat(this.#pieces);
    const tooLong = this.#length > BODY_LIMIT;
    this.#pieces = [];
    this.#length = 0;
    if (this.#closed || (!tooLong && line.toString('latin1').trim() === '')) return;
    const parsed = tooLong ? { fault: `A message has more than ${BODY_LIMIT} bytes.` } : parseStrict(line);
    const refusal =
      'fault' in parsed
        ? errorResponse(null, PARSE_ERROR, `Parse error: ${parsed.fault}`)
        : (refuse(parsed.value) ?? this.#refuseOften(parsed.value as JSONRPCMessage));
    if (refusal) void this.send(refusal);
    else if ('value' in parsed) this.onmessage?.(parsed.value as JSONRPCMessage);
  }
}
