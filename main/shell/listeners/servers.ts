/**
 * The transports that the desktop starts: HTTP and, if requested, HTTPS, SWANK and telnet on loopback, and the private socket for the stdio
 * command. They are loaded only when they start, because the protocol libraries are half of the program and the window does not need them.
 */
import { WORKBENCH } from '#contract/clients/known-actors.ts';
import { messageOf } from '#core/base/error.ts';
import type { PrivateSocket } from '#core/transports/socket/private-socket.ts';
import type { Workbench, WorkbenchOptions } from '#core/workbench.ts';
import { withSecretFiles } from '#core/settings/secret-files.ts';
import { isTrue, serverVariable } from '#core/settings/variables.ts';
import type { Paths } from '#core/settings/paths.ts';
import { HttpListener } from './http-listener.ts';
import { HttpTransport, wantedPort } from './http-transport.ts';
import { HttpsListener } from './https-listener.ts';
import { TelnetListener } from './telnet-listener.ts';

export class DesktopServers {
  readonly #workbench: Workbench;
  readonly #paths: Paths;
  #socket: PrivateSocket | null = null;
  #closed = false;

  constructor(workbench: Workbench, paths: Paths) {
    this.#workbench = workbench;
    this.#paths = paths;
    const transport = new HttpTransport(workbench);
    workbench.servers.add(new HttpListener(transport, process.env), asked('HTTP') === false ? 'off' : 'starting');
    workbench.servers.add(new HttpsListener(transport, process.env, paths.config));
    workbench.servers.add(new TelnetListener(workbench, process.env));
    let { https } = workbench.settings.value;
    workbench.events.on('settings-changed', (changed) => {
      if (changed.https === https) return;
      ({ https } = changed);
      void (https ? workbench.servers.start('https') : workbench.servers.stop('https'));
    });
    workbench.clients.events.on('revoked', ({ id }) => this.#socket?.endClient(id));
  }

  async start(): Promise<void> {
    const { PrivateSocket } = await import('#core/transports/socket/private-socket.ts');
    if (this.#closed) return;
    this.#socket = new PrivateSocket(this.#workbench.transportHost, this.#workbench.pairing, this.#paths.socket);
    await this.#socket
      .listen()
      .catch((error: unknown) => this.#workbench.alerts.set('private-socket', messageOf(error)));
    const { servers, settings } = this.#workbench;
    if (asked('HTTP') !== false) await servers.start('http', null, WORKBENCH);
    if (asked('HTTPS') ?? settings.value.https) await servers.start('https', null, WORKBENCH);
    if (asked('TELNET')) await servers.start('telnet', null, WORKBENCH);
    if (asked('SWANK')) await servers.start('swank', null, WORKBENCH);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#workbench.servers.dispose();
    await this.#socket?.close();
  }
}

const SWANK_PORT = 4201;

/** Returns the address and the secret of SWANK for the desktop's workbench, which come from the environment. */
export function swankFrom(environment: NodeJS.ProcessEnv): NonNullable<WorkbenchOptions['swank']> {
  return {
    secret: () => serverVariable(withSecretFiles(environment), 'SWANK_SECRET').value,
    address: '127.0.0.1',
    port: wantedPort(environment, 'SWANK_PORT', SWANK_PORT),
  };
}

/** Returns true or false if the environment turns a server on or off; null if it does neither. */
function asked(server: 'HTTP' | 'HTTPS' | 'SWANK' | 'TELNET'): boolean | null {
  const { value } = serverVariable(process.env, `START_${server}`);
  return value === null ? null : isTrue(value);
}
