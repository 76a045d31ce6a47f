/**
 * Limits the number of open connections (K1): 512 in total, 64 for each client, counted over all ports. Idle connections are closed before
 * connections with work. A TLS connection counts from its first octet, because a client could also delay the handshake.
 */
import type { Server as TcpServer, Socket } from 'node:net';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const IN_ALL = 512;
const PER_CLIENT = 64;

interface Held {
  readonly server: Server;
  working: number;
  client: string | null;
}

export class Connections {
  /** The TCP connections, the oldest first. */
  readonly #sockets = new Map<Socket, Held>();
  /** The TCP connection under each TLS connection. */
  readonly #below = new WeakMap<Socket, Socket>();
  readonly #inAll: number;
  readonly #perClient: number;

  constructor(inAll = IN_ALL, perClient = PER_CLIENT) {
    this.#inAll = inAll;
    this.#perClient = perClient;
  }

  /** Counts the connections of a server from now on. */
  watch(server: Server): void {
    (server as TcpServer).on('connection', (socket: Socket) => this.#admit(socket, server));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#work(request.socket, response),
    );
  }

  /** Assigns a connection to a client. Returns false if the client has too many connections and none of them is idle. */
  claim(socket: Socket, client: string): boolean {
    const held = this.#heldOf(socket);
    if (!held || held.client === client) return true;
    const others = [...this.#sockets].filter(([, each]) => each.client === client);
    if (others.length >= this.#perClient && !dropIdle(others)) return false;
    held.client = client;
    return true;
  }

  /** Closes all connections of a server, even those with work. */
  endOf(server: Server): void {
    for (const [socket, held] of this.#sockets) if (held.server === server) socket.destroy();
  }

  /** Closes all connections of a client, even those with work. */
  endClient(client: string): void {
    for (const [socket, held] of this.#sockets) if (held.client === client) socket.destroy();
  }

  /**
   * Returns the TCP connection under a TLS connection; a plain connection is returned itself. Returns undefined if the connection is
   * closed.
   */
  tcpOf(socket: Socket): Socket | undefined {
    if (this.#sockets.has(socket)) return socket;
    const known = this.#below.get(socket);
    if (known) return known;
    const { remoteAddress, remotePort, localPort } = socket;
    const below = [...this.#sockets.keys()].find(
      (each) => each.remotePort === remotePort && each.localPort === localPort && each.remoteAddress === remoteAddress,
    );
    if (below) this.#below.set(socket, below);
    return below;
  }

  #heldOf(socket: Socket): Held | undefined {
    const below = this.tcpOf(socket);
    return below && this.#sockets.get(below);
  }

  #admit(socket: Socket, server: Server): void {
    if (this.#sockets.size >= this.#inAll && !dropIdle([...this.#sockets])) {
      socket.destroy();
      return;
    }
    this.#sockets.set(socket, { server, working: 0, client: null });
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #work(socket: Socket, response: ServerResponse): void {
    const held = this.#heldOf(socket);
    if (!held) return;
    held.working += 1;
    response.once('close', () => {
      held.working -= 1;
    });
  }
}

/** Closes the oldest connection that has no work. Returns false if all of them have work. */
function dropIdle(sockets: readonly (readonly [Socket, Held])[]): boolean {
  const idle = sockets.find(([, held]) => held.working === 0);
  idle?.[0].destroy();
  return idle !== undefined;
}
