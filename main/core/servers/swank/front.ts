/**
 * The port to which Emacs connects. This code requires the secret and forwards only connections that send it. It runs in this process, so
 * that other connections use no thread of the image, and a wrong secret closes only the connection that sent it.
 */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import { portOwner } from '#core/transports/http/port-owner.ts';
import { firstPacket, sameSecret } from './authentication.ts';

/** The maximum number of connections that have not sent the secret yet. If there is one more, the oldest is closed. */
const MOST_STRANGERS = 32;
/** The maximum number of connections that have sent the secret. */
const MOST_CONNECTIONS = 16;
const SECRET_MS = 10_000;
/** The delay in milliseconds after a wrong secret before the next one is checked, so that guessing is slow. */
const AFTER_WRONG_MS = 200;

export interface FrontOptions {
  readonly port: number;
  readonly address: string;
  readonly secret: string;
  readonly onConnection: (socket: Socket) => void;
  /** Called with the number of authenticated connections. */
  readonly onCount: (count: number) => void;
  /** Called with a sentence about the reason for each rejected connection. */
  readonly onRefused: (why: string) => void;
  readonly secretMs?: number;
}

export class SwankFront {
  readonly #options: FrontOptions;
  readonly #server: Server;
  readonly #strangers = new Set<Socket>();
  readonly #known = new Set<Socket>();
  #turn: Promise<void> = Promise.resolve();

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#server = createServer({ noDelay: true }, (socket) => void this.#admit(socket));
  }

  /** Starts to listen; returns the port. @throws WorkbenchError `system` if the port is occupied or not permitted. */
  async listen(): Promise<number> {
    const { port, address } = this.#options;
    const failure = await new Promise<Error | null>((resolve) => {
      this.#server.once('error', resolve);
      this.#server.listen(port, address, () => resolve(null));
    });
    if (failure === null) return (this.#server.address() as AddressInfo).port;
    const code = systemCode(failure);
    const why =
      code === 'EADDRINUSE'
        ? `is taken by ${(await portOwner(port)) ?? 'another program'}`
        : code === 'EACCES'
          ? 'cannot be used (permission denied)'
          : `cannot be used (${failure.message})`;
    throw new WorkbenchError('system', `Port ${port} ${why}. Choose another one, or free it, and start again.`, {
      cause: failure,
    });
  }

  /** Closes the port and all its connections. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of [...this.#strangers, ...this.#known]) socket.destroy();
    await closed;
  }

  async #admit(socket: Socket): Promise<void> {
    socket.on('error', () => socket.destroy());
    for (const [oldest] of this.#strangers.entries()) {
      if (this.#strangers.size < MOST_STRANGERS) break;
      oldest.destroy();
      this.#strangers.delete(oldest);
    }
    this.#strangers.add(socket);
    socket.once('close', () => this.#strangers.delete(socket));
    const first = await firstPacket(socket, this.#options.secretMs ?? SECRET_MS);
    if (first === null) return;
    if ('fault' in first) return this.#refuse(socket, first.fault);
    if (!(await this.#isRight(first.packet))) return this.#refuse(socket, 'The client does not know the secret.');
    if (!this.#strangers.delete(socket) || socket.destroyed) return;
    if (this.#known.size >= MOST_CONNECTIONS)
      return this.#refuse(socket, `${MOST_CONNECTIONS} connections are already open.`);
    this.#known.add(socket);
    socket.once('close', () => {
      this.#known.delete(socket);
      this.#options.onCount(this.#known.size);
    });
    this.#options.onCount(this.#known.size);
    this.#options.onConnection(socket);
  }

  /** Checks one secret at a time, with a delay after a wrong one. */
  async #isRight(packet: Buffer): Promise<boolean> {
    const before = this.#turn;
    let end!: () => void;
    this.#turn = new Promise((resolve) => (end = resolve));
    await before;
    const right = sameSecret(packet, this.#options.secret);
    if (right) end();
    else setTimeout(end, AFTER_WRONG_MS).unref();
    return right;
  }

  #refuse(socket: Socket, why: string): void {
    socket.destroy();
    this.#options.onRefused(why);
  }
}
