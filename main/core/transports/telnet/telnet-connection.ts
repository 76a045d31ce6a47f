/** One telnet connection: the secret first, then a REPL of its own until one side ends it. */
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
  /** How long the secret may take to come. */
  readonly secretMs: number;
  /** Opens the REPL's way into the image, once the secret was right. */
  readonly connect: () => ReplConnection;
  /** Called with why nobody was let in. */
  readonly onRefused: (why: string) => void;
  /** Called at each wrong secret; false when there were too many, from anywhere. */
  readonly onWrong: () => boolean;
}

const TRIES = 3;
/** The longest line in place of the secret. */
const LONGEST_SECRET = 1_000;
/** Octets that may wait to be sent; more output is left out and counted, so that a reader who stands still costs nothing. */
const MOST_UNSENT = 4_000_000;
/** Characters at the end of what is left out that are sent all the same. */
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
 * A client that sends nothing more may be gone, or wait for what it has sent to be evaluated. The first is only known when something is
 * sent to it; then what still runs is ended.
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

/** Compares in a time that tells nothing of either. */
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

/** The text that comes in: a line at a time while the secret is asked, then everything as it comes, with what is erased in a line taken out. */
class Incoming {
  readonly #decoder = new TelnetDecoder();
  /** The octets of the line that has not ended. */
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

  /** Resolves with the next line; null when none can come any more, or it is too long. */
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
        // The octets of one character of UTF-8.
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

/** Text on its way to the client. Of what is not read fast enough the beginning is left out, so that the last prompt comes. */
class Outgoing extends Writable {
  readonly #socket: Socket;
  #leftOut = 0;
  /** The last of what could not be sent. */
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
