/** The telnet server of the desktop. Anyone who knows the secret gets a line REPL in the shared image, as the client `telnet`. */
import { WORKBENCH } from '#contract/clients/known-actors.ts';
import type { Listener, ListenerEvents, Listening } from '#core/servers/listener.ts';
import { withSecretFiles } from '#core/settings/secret-files.ts';
import { serverVariable } from '#core/settings/variables.ts';
import { Refusals, refusedInWords } from '#core/transports/http/refusals.ts';
import type { Workbench } from '#core/workbench.ts';
import { wantedPort } from './http-transport.ts';

const DEFAULT_PORT = 4024;
/** The client that all telnet connections act as. */
const CLIENT = 'telnet';

export class TelnetListener implements Listener {
  readonly kind = 'telnet';
  readonly serves = 'a REPL over telnet';
  readonly usualPort: number;
  readonly #workbench: Workbench;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(workbench: Workbench, environment: NodeJS.ProcessEnv) {
    this.#workbench = workbench;
    this.#environment = environment;
    this.usualPort = wantedPort(environment, 'TELNET_PORT', DEFAULT_PORT);
  }

  async listen(port: number, events: ListenerEvents): Promise<Listening> {
    const workbench = this.#workbench;
    const { clientRepl } = await import('#core/repl-connections.ts');
    const { newTelnetSecret, TelnetServer } = await import('#core/transports/telnet/telnet-server.ts');
    const { name, value } = serverVariable(withSecretFiles(this.#environment), 'TELNET_SECRET');
    const secret = value ?? newTelnetSecret();
    const refusals = this.#countRefusals(events);
    const actor = await workbench.clients.pair(CLIENT, false);
    const server = new TelnetServer({
      port,
      address: '127.0.0.1',
      secret,
      version: workbench.version,
      connect: () => clientRepl(workbench, workbench.clients.actor(actor.id), CLIENT, false),
      onCount: (connections) => events.changed({ connections }),
      onRefused: (why) => refusals.add(why),
    });
    const taken = await server.listen();
    const stopWatching = workbench.clients.events.on('revoked', ({ id }) => {
      if (id !== actor.id) return;
      events.ended(
        'The server stopped, because the client telnet was revoked. Start the server again to admit telnet with a new secret.',
      );
      void server.close();
    });
    events.changed({ connections: 0 });
    const told =
      value === null
        ? `it asks for this secret, which is valid until the server stops: ${secret}`
        : `it asks for the secret in ${name}.`;
    return {
      address: `127.0.0.1:${taken}`,
      port: taken,
      notice: `Connect with: telnet 127.0.0.1 ${taken}; ${told}`,
      close: async () => {
        stopWatching();
        await server.close();
        refusals.dispose();
      },
    };
  }

  #countRefusals(events: ListenerEvents): Refusals {
    return new Refusals((refused, since) => {
      events.changed({ refused });
      this.#workbench.activity.publish({
        kind: 'server-changed',
        actor: WORKBENCH,
        change: 'refused',
        summary: `Telnet: ${refusedInWords(refused, since)}`,
      });
    });
  }
}
