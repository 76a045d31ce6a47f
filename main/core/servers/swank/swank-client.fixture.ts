/**
 * A client of SLIME's protocol, for tests. A packet begins with its length in octets as six hexadecimal digits, followed by an s-expression
 * in UTF-8.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface SwankClient {
  readonly socket: Socket;
  /** All messages received so far. */
  readonly messages: readonly string[];
  /** Sends these octets unchanged. */
  raw(octets: string | Buffer): void;
  /** Sends a packet. */
  packet(text: string): void;
  /** Resolves with the first message that matches, even if it was received earlier. */
  message(pattern: RegExp): Promise<string>;
  /** Makes SWANK evaluate a request. Resolves with its answer, `(:ok …)` or `(:abort …)`. */
  request(form: string, options?: { package?: string; thread?: string }): Promise<string>;
  /** Resolves when the other side has ended the connection. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Connects to SWANK. Sends the secret if it is not null. */
export async function connectSwank(port: number, secret: string | null): Promise<SwankClient> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {}); // the end of the connection reports the failure
  await once(socket, 'connect');
  const messages: string[] = [];
  const waiting = new Set<() => void>();
  let read = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    for (;;) {
      const length = Number.parseInt(read.toString('latin1', 0, 6), 16);
      if (read.length < 6 || read.length < 6 + length) break;
      messages.push(read.toString('utf8', 6, 6 + length));
      read = read.subarray(6 + length);
    }
    for (const look of waiting) look();
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const raw = (octets: string | Buffer): void => void socket.write(octets);
  const packet = (text: string): void => {
    const octets = Buffer.from(text);
    raw(Buffer.concat([Buffer.from(octets.length.toString(16).padStart(6, '0')), octets]));
  };
  const message = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = messages.find((each) => pattern.test(each));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void closed.then(() => reject(new Error(`The connection ended before ${pattern} came.`)));
    });
  let continuation = 0;
  if (secret !== null) packet(secret);
  return {
    socket,
    messages,
    raw,
    packet,
    message,
    async request(form, { package: pkg = 'COMMON-LISP-USER', thread = 't' } = {}) {
      continuation += 1;
      packet(`(:emacs-rex ${form} "${pkg}" ${thread} ${continuation})\n`);
      const answer = await message(new RegExp(`^\\(:return [^]* ${continuation}\\)$`));
      return answer.slice('(:return '.length, -` ${continuation})`.length);
    },
    closed,
    close: () => socket.destroy(),
  };
}

/** Returns the request that `C-x C-e` sends to evaluate code. */
export function evaluating(code: string): string {
  return `(swank:interactive-eval ${lispString(code)})`;
}

/** Returns a string as a Lisp string literal. */
export function lispString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
