/** MCP's stdio framing over any pair of streams: one JSON message a line. Bad lines are answered, not dropped. */
import { StringDecoder } from 'node:string_decoder';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { BODY_LIMIT, DEPTH_LIMIT, isTooDeep } from '../guard.ts';
import { errorResponse, PARSE_ERROR, refuse, type ErrorResponse } from './precheck.ts';

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  /** The line under way is too long; it is thrown away up to its end. */
  #skipping = false;
  #closed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', (chunk: Buffer) => this.#take(this.#decoder.write(chunk)));
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

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) this.#line(line);
    if (this.#rest.length > BODY_LIMIT) {
      if (!this.#skipping)
        void this.send(errorResponse(null, PARSE_ERROR, `A message has more than ${BODY_LIMIT} characters.`));
      this.#skipping = true;
      this.#rest = '';
    }
  }

  #line(line: string): void {
    if (this.#skipping) {
      this.#skipping = false;
      return;
    }
    if (line.trim() === '' || this.#closed) return;
    const message = parse(line);
    const refusal = message instanceof Error ? errorResponse(null, PARSE_ERROR, message.message) : refuse(message);
    if (refusal) void this.send(refusal);
    else this.onmessage?.(message as JSONRPCMessage);
  }
}

function parse(line: string): unknown {
  if (line.length > BODY_LIMIT) return new Error(`A message has more than ${BODY_LIMIT} characters.`);
  if (isTooDeep(line)) return new Error(`The JSON is nested deeper than ${DEPTH_LIMIT} levels.`);
  try {
    return JSON.parse(line);
  } catch {
    return new Error('Parse error: the line is no valid JSON.');
  }
}
