/** HTTP of the desktop: MCP and Lisply on loopback, on the next free port where the wanted one is taken. */
import { WORKBENCH } from '#contract/known-actors.ts';
import { systemCode, WorkbenchError } from '#core/error.ts';
import type { Listener, ListenerEvents, Listening } from '#core/servers/listener.ts';
import type { HttpServer } from '#core/transports/http/http-server.ts';
import { portOwner } from '#core/transports/http/port-owner.ts';
import { Refusals, refusedInWords } from '#core/transports/http/refusals.ts';
import type { Workbench } from '#core/workbench.ts';

const DEFAULT_PORT = 9081;
const LARGEST_PORT = 65_535;
/** How many ports after the wanted one are tried. */
const TRIES = 20;

export class HttpListener implements Listener {
  readonly kind = 'http';
  readonly serves = 'MCP and Lisply';
  readonly usualPort: number;
  readonly #workbench: Workbench;
  #server: HttpServer | null = null;

  constructor(workbench: Workbench, environment: NodeJS.ProcessEnv) {
    this.#workbench = workbench;
    this.usualPort = wantedPort(environment);
    workbench.clients.events.on('revoked', ({ id }) => void this.#server?.endClient(id));
  }

  async listen(wanted: number, events: ListenerEvents): Promise<Listening> {
    const { HttpServer } = await import('#core/transports/http/http-server.ts');
    const refusals = new Refusals((refused, since) => {
      events.changed({ refused });
      this.#workbench.activity.publish({
        kind: 'server-changed',
        actor: WORKBENCH,
        change: 'refused',
        summary: refusedInWords(refused, since),
      });
    });
    const last = wanted === 0 ? 0 : Math.min(wanted + TRIES - 1, LARGEST_PORT);
    for (let port = wanted; port <= last; port += 1) {
      const server = new HttpServer(this.#workbench.transportHost, {
        port,
        address: '127.0.0.1',
        moreHosts: [],
        anonymousLisply: null,
        onRefused: (why) => refusals.add(why),
      });
      try {
        const taken = await server.listen();
        this.#server = server;
        return {
          address: `http://127.0.0.1:${taken}/mcp`,
          port: taken,
          notice: port === wanted ? null : await whoHas(wanted, taken),
          close: async () => {
            this.#server = null;
            await server.close();
            refusals.dispose();
          },
        };
      } catch (error) {
        await server.close();
        const inUse = error instanceof WorkbenchError && systemCode(error.cause) === 'EADDRINUSE';
        if (!inUse) throw error;
      }
    }
    throw new WorkbenchError(
      'system',
      `Ports ${wanted} to ${last} are all taken. Free one, or set HTTP_PORT, and start again.`,
    );
  }
}

async function whoHas(wanted: number, taken: number): Promise<string> {
  const owner = await portOwner(wanted);
  return `Port ${wanted} is taken${owner ? ` by ${owner}` : ''}, so ${taken} is used. Clients that were set up for ${wanted} must be told.`;
}

function wantedPort(environment: NodeJS.ProcessEnv): number {
  const given = Number(environment['LISPLY_HTTP_PORT'] || environment['HTTP_PORT'] || DEFAULT_PORT);
  return Number.isInteger(given) && given > 0 && given <= LARGEST_PORT ? given : DEFAULT_PORT;
}
