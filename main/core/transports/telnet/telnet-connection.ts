/** One telnet connection. After the client has sent the secret, the connection has a REPL of its own until one side ends it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { PipeConsole } from '../repl/pipe-console.ts';
import type { ReplConnection } from '../repl/repl-connection.ts';
import { Repl } from '../repl/repl.ts';
import { TerminalOutput } from '../repl/terminal-output.ts';
import { ECHO_OFF, ECHO_ON, encodeText, NOTHING, TelnetDecoder, type TelnetEvent } from './telnet-protocol.ts';

export interface TelnetConnectionOptions {
  readonly socket: Socket;
  readonly secret: string;
  readonly greeting: string;
  /** The time limit for sending the secret, in milliseconds. */
  readonly secretMs: number;
  /** Opens the REPL's connection to the image. Called after the client has sent the correct secret. */
  readonly connect: () => ReplConnection;
  /** Called with the reason why the client was not authenticated. */
  readonly onRefused: (why: string) => void;
  /** Called for each wrong secret. Returns false if there were too many on all connections together. */
  readonly onWrong: () => boolean;
}

const TRIES = 3;
/** The maximum length of the line that contains the secret. */
const LONGEST_SECRET = 1_000;
/**
 * The maximum number of octets that are waiting to be sent. Further output is discarded and counted, so that a client that does not read
 * cannot fill the memory.
 */
const MOST_UNSENT = 4_000_000;
/** The number of characters at the end of discarded output that are still sent. */
const KEPT_OF_UNSENT = 2_000;
const PROBE_MS = 500;
const REQUEST_OF_BROWSER = /^[A-Z]{3,10} \S+ HTTP\//;

/** Serves a connection. Resolves when it has ended. */
export async function serveTelnet(options: TelnetConnectionOptions): Promise<void> {
  const { socket, greeting, secretMs } = options;
  socket.setKeepAlive(true, 60_000);
  socket.setNoDelay(true);
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {}); // it closes
  const incoming = new Incoming(socket);
  socket.write(ECHO_OFF);
  socket.write(`${greeting}\r\n`);
  const late = setTimeout(() => refuse(options, 'No secret was entered in time.'), secretMs);
  const admitted = await Promise.race([askSecret(incoming, options), gone.then(() => false)]);
  clearTimeout(late);
  if (!admitted || socket.destroyed) return gone;
  socket.write(ECHO_ON);
  const shown = new TerminalOutput(true);
  const lines = new PassThrough();
  const console = new PipeConsole({
    input: lines,
    output: new Outgoing(socket),
    shown: (text) => shown.shown(text),
  });
  const repl = new Repl(options.connect(), console);
  incoming.serve({
    text: (octets) => lines.write(octets) || pause(socket, lines),
    interrupt: () => {
      console.forget();
      void repl.interrupt();
    },
    end: () => lines.end(),
  });
  socket.once('end', () => probe(socket));
  if (socket.readableEnded) probe(socket);
  void gone.then(() => repl.end(0));
  await repl.run();
  socket.end();
  return gone;
}

/**
 * Checks regularly whether the client is still connected. A client that sends nothing may have disconnected or may be waiting for its
 * results. Only sending something to it shows the difference. If the client has disconnected, running code is ended.
 */
function probe(socket: Socket): void {
  const timer = setInterval(() => socket.write(NOTHING), PROBE_MS);
  socket.once('close', () => clearInterval(timer));
}

async function askSecret(incoming: Incoming, options: TelnetConnectionOptions): Promise<boolean> {
  const { socket, secret } = options;
  for (let tried = 0; tried < TRIES; tried += 1) {
    socket.write('Secret: ');
    const line = await incoming.line();
    socket.write('\r\n');
    if (line !== null && isSame(line, secret)) return true;
    if (line === null || REQUEST_OF_BROWSER.test(line)) {
      refuse(options, 'This is not a telnet client.');
      return false;
    }
    const goesOn = options.onWrong();
    if (!goesOn) break;
    if (tried < TRIES - 1) socket.write('This secret is wrong.\r\n');
  }
  refuse(options, 'The secret was wrong.');
  return false;
}

function refuse({ socket, onRefused }: TelnetConnectionOptions, why: string): void {
  if (socket.destroyed) return;
  onRefused(why);
  socket.end(`\r\n${why} The connection is closed.\r\n`);
  socket.destroySoon();
}

/** Compares two texts in constant time, so that the duration reveals nothing about the secret. */
function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(secret));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function pause(socket: Socket, lines: PassThrough): void {
  socket.pause();
  lines.once('drain', () => socket.resume());
}

interface Served {
  text(octets: Buffer): void;
  interrupt(): void;
  end(): void;
}

/**
 * The incoming text. While the secret is requested, the text is read line by line. After that, it is forwarded as it arrives, with erased
 * characters removed.
 */
class Incoming {
  readonly #decoder = new TelnetDecoder();
  /** The octets of the incomplete line. */
  #line: number[] = [];
  #lines: string[] = [];
  #wanted: ((line: string | null) => void) | null = null;
  #served: Served | null = null;
  #ended = false;

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      for (const event of this.#decoder.take(chunk)) {
        if (event.kind === 'reply') socket.write(event.octets);
        else this.#take(event);
      }
    });
    socket.once('end', () => this.#end());
  }

  /** Resolves with the next line; null if there are no more lines, or if the line is too long. */
  line(): Promise<string | null> {
    const line = this.#lines.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (this.#ended) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#wanted = resolve;
    });
  }

  serve(served: Served): void {
    this.#served = served;
    for (const line of this.#lines) served.text(Buffer.from(`${line}\n`));
    this.#lines = [];
    if (this.#ended) served.end();
  }

  #take(event: Exclude<TelnetEvent, { kind: 'reply' }>): void {
    switch (event.kind) {
      case 'text':
        for (const octet of event.octets) this.#add(octet);
        return;
      case 'erase-character':
        // Removes the octets of one UTF-8 character.
        while (((this.#line.pop() ?? 0) & 0xc0) === 0x80);
        return;
      case 'erase-line':
        this.#line = [];
        return;
      case 'interrupt':
        this.#line = [];
        return this.#served?.interrupt();
      case 'end':
        if (this.#line.length === 0) this.#end();
        return;
    }
  }

  #add(octet: number): void {
    this.#line.push(octet);
    if (this.#served) {
      if (octet === 10 || this.#line.length > 64_000) this.#served.text(Buffer.from(this.#line.splice(0)));
    } else if (octet === 10) this.#hand(Buffer.from(this.#line.splice(0)).toString('utf8').slice(0, -1));
    else if (this.#line.length > LONGEST_SECRET) this.#end();
  }

  #hand(line: string): void {
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted) wanted(line);
    else if (this.#lines.length < TRIES * 10) this.#lines.push(line);
    else this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#wanted?.(null);
    this.#served?.end();
  }
}

/**
 * Text that is being sent to the client. If the client reads too slowly, the oldest text is discarded, so that the latest prompt still
 * arrives.
 */
class Outgoing extends Writable {
  readonly #socket: Socket;
  #leftOut = 0;
  /** The last part of the text that could not be sent. */
  #last = '';

  constructor(socket: Socket) {
    super({ decodeStrings: false });
    this.#socket = socket;
    socket.on('drain', () => this.#catchUp());
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    const { writable, writableLength } = this.#socket;
    if (writable && writableLength > MOST_UNSENT) {
      const all = this.#last + text;
      this.#last = all.slice(-KEPT_OF_UNSENT);
      this.#leftOut += all.length - this.#last.length;
    } else if (writable) {
      this.#catchUp();
      this.#socket.write(encodeText(text));
    }
    done();
  }

  #catchUp(): void {
    if (this.#last === '' || !this.#socket.writable) return;
    const note =
      this.#leftOut > 0 ? `\n; … ${this.#leftOut} characters were left out: your connection was too slow.\n` : '';
    this.#socket.write(encodeText(note + this.#last));
    this.#leftOut = 0;
    this.#last = '';
  }
}
