/** Bounds on open connections (K1): 512 in all, 64 a client. An idle one goes before a working one. */
import type { Server, Socket } from 'node:net';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';

const IN_ALL = 512;
const PER_CLIENT = 64;

interface Held {
  working: number;
  client: string | null;
}

export class Connections {
  readonly #sockets = new Map<Socket, Held>();
  readonly #inAll: number;
  readonly #perClient: number;

  constructor(server: HttpServer, inAll = IN_ALL, perClient = PER_CLIENT) {
    this.#inAll = inAll;
    this.#perClient = perClient;
    (server as Server).on('connection', (socket: Socket) => this.#admit(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#work(request.socket, response),
    );
  }

  /** The connection turned out to be this client's. False when the client has too many and none of them is idle. */
  claim(socket: Socket, client: string): boolean {
    const held = this.#sockets.get(socket);
    if (!held || held.client === client) return true;
    const others = [...this.#sockets].filter(([, each]) => each.client === client);
    if (others.length >= this.#perClient && !dropIdle(others)) return false;
    held.client = client;
    return true;
  }

  /** Ends all connections of a client, working ones too. */
  endClient(client: string): void {
    for (const [socket, held] of this.#sockets) if (held.client === client) socket.destroy();
  }

  #admit(socket: Socket): void {
    if (this.#sockets.size >= this.#inAll && !dropIdle([...this.#sockets])) {
      socket.destroy();
      return;
    }
    this.#sockets.set(socket, { working: 0, client: null });
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #work(socket: Socket, response: ServerResponse): void {
    const held = this.#sockets.get(socket);
    if (!held) return;
    held.working += 1;
    response.once('close', () => {
      held.working -= 1;
    });
  }
}

/** Ends the connection that has been open longest without work. False when all work. */
function dropIdle(sockets: readonly (readonly [Socket, Held])[]): boolean {
  const idle = sockets.find(([, held]) => held.working === 0);
  idle?.[0].destroy();
  return idle !== undefined;
}
