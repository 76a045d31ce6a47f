/** HTTP of the desktop: MCP and Lisply on loopback, on the next free port if the wanted one is taken. */
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
