/** The telnet transport. Each connection to a loopback port gets a line REPL. A secret protects the port (decisions 23 and 25). */
import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { listenError } from '../http/listener.ts';
import { RateLimit } from '../rate-limit.ts';
import type { ReplConnection } from '../repl/repl-connection.ts';
import { serveTelnet } from './telnet-connection.ts';

export interface TelnetServerOptions {
  /** Zero means any free port. */
  readonly port: number;
  /** A loopback address, except in the container image. */
  readonly address: string;
  readonly secret: string;
  readonly version: string;
  /** Opens a REPL's connection to the image. Each telnet connection has its own. */
  readonly connect: () => ReplConnection;
  /** Called with the number of connections when this number changes. */
  readonly onCount?: (connections: number) => void;
  /** Called with the reason why a connection was refused. */
  readonly onRefused?: (why: string) => void;
  /** The time limit for sending the secret, in milliseconds. */
  readonly secretMs?: number;
}

const MOST_CONNECTIONS = 8;
const SECRET_MS = 30_000;
/** Limits the number of wrong secrets on all connections together: ten at once, and after that one every six seconds. */
const WRONG_SECRETS = { perSecond: 1 / 6, burst: 10 };
const SECRET_OCTETS = 18;

/** Returns a random secret that is easy to type. */
export function newTelnetSecret(): string {
  return randomBytes(SECRET_OCTETS).toString('base64url');
}

export class TelnetServer {
  readonly #options: TelnetServerOptions;
  readonly #sockets = new Set<Socket>();
  readonly #wrong = new RateLimit(WRONG_SECRETS);
  #underway: Promise<void>[] = [];
  #locked = 0;
  #server: Server | null = null;

  constructor(options: TelnetServerOptions) {
    this.#options = options;
  }

  /**
   * Listens and returns the port.
   * @throws WorkbenchError `system` if the port is taken or may not be used.
   */
  async listen(): Promise<number> {
    const { port, address } = this.#options;
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
    const failure = await new Promise<Error | null>((resolve) => {
      server.once('error', resolve);
      server.listen(port, address, () => resolve(null));
    });
    if (failure) throw await listenError(failure, port);
    this.#server = server;
    return (server.address() as AddressInfo).port;
  }

  /** Ends all connections, and the code that is running for them. */
  endConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.endConnections();
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all(this.#underway);
  }

  #accept(socket: Socket): void {
    const { secret, version, connect, secretMs = SECRET_MS, onRefused = () => {}, onCount = () => {} } = this.#options;
    if (this.#sockets.size >= MOST_CONNECTIONS)
      return turnAway(socket, 'There are too many telnet connections. Close one of them first.', onRefused);
    if (performance.now() < this.#locked)
      return turnAway(socket, 'There were too many wrong secrets. Try again in a minute.', onRefused);
    this.#sockets.add(socket);
    onCount(this.#sockets.size);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      onCount(this.#sockets.size);
    });
    const served = serveTelnet({
      socket,
      secret,
      greeting: `Lisp Workbench ${version}`,
      secretMs,
      connect,
      onRefused,
      onWrong: () => this.#noteWrong(),
    }).catch((error: unknown) => {
      process.emitWarning(error instanceof Error ? error : String(error));
      socket.destroy();
    });
    this.#underway.push(served);
    void served.then(() => {
      this.#underway = this.#underway.filter((each) => each !== served);
    });
  }

  /** Counts a wrong secret. Returns false if there were too many. In that case, no connection is accepted for a minute. */
  #noteWrong(): boolean {
    if (this.#wrong.take('') === null) return true;
    this.#locked = performance.now() + 60_000;
    return false;
  }
}

function turnAway(socket: Socket, why: string, onRefused: (why: string) => void): void {
  socket.on('error', () => {}); // ignored, because a refused client may already have disconnected
  onRefused(why);
  socket.end(`${why}\r\n`);
  socket.destroySoon();
}
