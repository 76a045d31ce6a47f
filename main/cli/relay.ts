/**
 * Relays messages between a client and the window, one per line. The window may close and open again. When it closes, pending calls are
 * answered with an error. While no window is open, a server in this process answers. When a window opens again, it receives the client's
 * opening messages again, and the connection continues there.
 */
import type { Duplex, Readable, Writable } from 'node:stream';

export interface RelayParts {
  readonly input: Readable;
  readonly output: Writable;
  /** Connects to the window; resolves with null if no window is open or the window rejects the client. */
  readonly join: () => Promise<Duplex | null>;
  /** Creates a server that answers while no window is open. */
  readonly closed: () => Duplex;
  /** The error with which the connection ends when the window closes; null if the connection continues with the next window. */
  readonly endsWithWindow: Error | null;
  /**
   * Returns the answer to a call that was pending when the connection to the window was lost. `isBack` is true if a new connection was made
   * at once.
   */
  readonly lost: (isBack: boolean) => string;
  readonly say: (change: 'joined' | 'closed') => void;
}

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly requestId?: unknown };
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The interval in milliseconds at which the relay checks for a window while the client is silent. */
const LOOK_EVERY_MS = 2_000;

export class Relay {
  /** Resolves when the client has disconnected; rejects with `endsWithWindow` when the window closes. */
  readonly ended: Promise<void>;
  readonly #parts: RelayParts;
  readonly #end: () => void;
  readonly #fail: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #pending = new Map<string | number, string>();
  /** The client's opening messages, sent again on each new connection. */
  readonly #opening: string[] = [];
  #server: Duplex | null = null;
  #isWindow = false;
  #opened: { id: string; resolve: () => void } | null = null;
  #count = 0;
  #turn: Promise<void>;

  /** `window`: the connection to the window; null while none is open. */
  constructor(parts: RelayParts, window: Duplex | null) {
    this.#parts = parts;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    [this.ended, this.#end, this.#fail] = [promise, resolve, reject];
    this.#turn = this.#use(window);
    eachLine(parts.input, (line) => this.#inTurn(() => this.#take(line)));
    parts.input.once('end', () => this.#inTurn(() => void this.#server!.end()));
    this.#timer = setInterval(() => this.#inTurn(() => this.#look()), LOOK_EVERY_MS).unref();
    void promise.catch(() => {}).then(() => clearInterval(this.#timer));
  }

  #inTurn(work: () => Promise<void> | void): void {
    this.#turn = this.#turn.then(work).catch(this.#fail);
  }

  async #take(line: string): Promise<void> {
    const { id, method, params } = parsed(line);
    await this.#look();
    if (method === 'initialize' || method === 'notifications/initialized') this.#opening.push(line);
    if (method !== undefined && id !== undefined && id !== null) this.#pending.set(id, method);
    // A cancelled request gets no answer.
    if (method === 'notifications/cancelled') this.#pending.delete(params?.requestId as string | number);
    this.#server!.write(`${line}\n`);
  }

  /** Connects to the window if there is no connection and a window is open now. */
  async #look(): Promise<void> {
    if (this.#isWindow || this.#parts.input.readableEnded) return;
    const window = await this.#parts.join();
    if (!window) return;
    await this.#use(window);
    this.#parts.say('joined');
    // The new server may offer different tools.
    if (this.#opening.length > 1) this.#tell({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  /** Routes messages to `window`, or to its stand-in if `window` is null. Sends the client's opening messages to the new server. */
  async #use(window: Duplex | null): Promise<void> {
    const before = this.#server;
    const server = window ?? this.#parts.closed();
    this.#server = server;
    this.#isWindow = window !== null;
    before?.destroy();
    eachLine(server, (line) => this.#answer(line));
    server.on('error', () => {}); // the `close` handler below deals with the end of the connection
    server.once('close', () => {
      if (this.#server === server) this.#inTurn(() => this.#lose(server));
    });
    const [initialize, ...more] = this.#opening;
    if (initialize === undefined) return;
    const id = `lisp-workbench-${(this.#count += 1)}`;
    await new Promise<void>((resolve) => {
      this.#opened = { id, resolve };
      server.once('close', resolve);
      server.write(`${JSON.stringify({ ...(JSON.parse(initialize) as object), id })}\n`);
    });
    for (const line of more) server.write(`${line}\n`);
  }

  async #lose(server: Duplex): Promise<void> {
    if (this.#server !== server) return;
    if (this.#parts.input.readableEnded) return this.#end();
    const ends = this.#isWindow ? this.#parts.endsWithWindow : null;
    const window = ends ? null : await this.#parts.join();
    const lost = this.#parts.lost(window !== null);
    for (const [id, method] of this.#pending) this.#tell({ jsonrpc: '2.0', id, ...lostAnswer(method, lost) });
    this.#pending.clear();
    if (ends) throw ends;
    if (!window) this.#parts.say('closed');
    await this.#use(window);
  }

  #answer(line: string): void {
    const { id, method, result, error } = parsed(line);
    if (this.#opened !== null && id === this.#opened.id) {
      this.#opened.resolve();
      this.#opened = null;
      return;
    }
    if (method === undefined && id !== undefined && id !== null && (result !== undefined || error !== undefined))
      this.#pending.delete(id);
    this.#parts.output.write(`${line}\n`);
  }

  #tell(message: object): void {
    this.#parts.output.write(`${JSON.stringify(message)}\n`);
  }
}

function lostAnswer(method: string, text: string): object {
  if (method === 'tools/call') return { result: { content: [{ type: 'text', text }], isError: true } };
  return { error: { code: -32_000, message: text } };
}

function eachLine(stream: Readable, take: (line: string) => void): void {
  let pieces: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8');
      pieces = [];
      start = end + 1;
      if (line.trim() !== '') take(line);
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  });
  stream.resume(); // the stream may be paused, because other code has read a greeting from it
}

function parsed(line: string): Message {
  try {
    const value: unknown = JSON.parse(line);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  } catch {
    return {}; // invalid JSON is passed on, and the server reports it
  }
}
