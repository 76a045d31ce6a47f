/** The HTTP server of the desktop. It serves MCP and Lisply on loopback. If the requested port is taken, it uses the next free one. */
import type { Listener, ListenerEvents, Listening } from '#core/servers/listener.ts';
import { wantedPort, type HttpTransport } from './http-transport.ts';

const DEFAULT_PORT = 9081;

export class HttpListener implements Listener {
  readonly kind = 'http';
  readonly serves = 'MCP and Lisply';
  readonly usualPort: number;
  readonly #transport: HttpTransport;

  constructor(transport: HttpTransport, environment: NodeJS.ProcessEnv) {
    this.#transport = transport;
    this.usualPort = wantedPort(environment, 'HTTP_PORT', DEFAULT_PORT);
  }

  listen(port: number, events: ListenerEvents): Promise<Listening> {
    return this.#transport.listen({ scheme: 'http', port, certificate: null }, events);
  }
}
