/**
 * The transports that the desktop starts with: HTTP on loopback, and the private socket for the stdio command. They are loaded when
 * they start: the libraries of the protocol are half of the program, and the window needs none of them.
 */
import { WORKBENCH } from '#contract/known-actors.ts';
import { messageOf } from '#core/error.ts';
import type { PrivateSocket } from '#core/transports/socket/private-socket.ts';
import type { Workbench } from '#core/workbench.ts';
import { HttpListener } from './http-listener.ts';

export class DesktopServers {
  readonly #workbench: Workbench;
  readonly #socketAddress: string;
  #socket: PrivateSocket | null = null;
  #closed = false;

  constructor(workbench: Workbench, socketAddress: string) {
    this.#workbench = workbench;
    this.#socketAddress = socketAddress;
    workbench.servers.add(new HttpListener(workbench, process.env), 'starting');
    workbench.clients.events.on('revoked', ({ id }) => this.#socket?.endClient(id));
  }

  async start(): Promise<void> {
    const { PrivateSocket } = await import('#core/transports/socket/private-socket.ts');
    if (this.#closed) return;
    this.#socket = new PrivateSocket(this.#workbench.transportHost, this.#workbench.pairing, this.#socketAddress);
    await this.#socket
      .listen()
      .catch((error: unknown) => this.#workbench.alerts.set('private-socket', messageOf(error)));
    await this.#workbench.servers.start('http', null, WORKBENCH);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#workbench.servers.dispose();
    await this.#socket?.close();
  }
}
