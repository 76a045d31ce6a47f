/**
 * The HTTP transport of the desktop. The servers for HTTP and HTTPS share it, including its sessions and limits. It exists while at least
 * one of them listens.
 */
import { WORKBENCH } from '#contract/clients/known-actors.ts';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import type { ListenerEvents, Listening } from '#core/servers/listener.ts';
import type { HttpServer } from '#core/transports/http/http-server.ts';
import type { Scheme } from '#core/transports/http/listener.ts';
import { portOwner } from '#core/transports/http/port-owner.ts';
import { Refusals, refusedInWords } from '#core/transports/http/refusals.ts';
import type { ServerCertificate } from '#core/transports/http/server-certificate.ts';
import { serverVariable } from '#core/settings/variables.ts';
import type { Workbench } from '#core/workbench.ts';

const LARGEST_PORT = 65_535;
/** The number of ports after the requested one that are tried. */
const TRIES = 20;

/** The requested scheme, port and certificate of a listener. */
export interface WantedPlace {
  readonly scheme: Scheme;
  readonly port: number;
  /** The certificate for HTTPS; null for HTTP. */
  readonly certificate: ServerCertificate | null;
}

export class HttpTransport {
  readonly #workbench: Workbench;
  #server: HttpServer | null = null;
  readonly #refusals = new Map<Scheme, Refusals>();
  /** The last start or stop. Each waits for the previous one, because the last stop disposes of parts that the next start needs. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
    workbench.clients.events.on('revoked', ({ id }) => void this.#server?.endClient(id));
  }

  /** Listens on the requested port or on one of the next ports. @throws WorkbenchError with the reason and advice. */
  listen(wanted: WantedPlace, events: ListenerEvents): Promise<Listening> {
    return this.#inTurn(() => this.#listen(wanted, events));
  }

  /** Uses another certificate for new HTTPS connections. */
  renew(certificate: ServerCertificate): void {
    this.#server?.renew(certificate);
  }

  async #listen({ scheme, port: wanted, certificate }: WantedPlace, events: ListenerEvents): Promise<Listening> {
    const server = await this.#opened();
    this.#refusals.set(scheme, this.#countRefusals(events));
    const close = (): Promise<void> => this.#inTurn(() => this.#close(scheme));
    try {
      const last = wanted === 0 ? 0 : Math.min(wanted + TRIES - 1, LARGEST_PORT);
      const port = await listenBetween(server, wanted, last, certificate);
      const notice = port === wanted || wanted === 0 ? null : await whoHas(wanted, port);
      return { address: `${scheme}://127.0.0.1:${port}/mcp`, port, notice, close };
    } catch (error) {
      await this.#close(scheme);
      throw error;
    }
  }

  async #opened(): Promise<HttpServer> {
    const { HttpServer } = await import('#core/transports/http/http-server.ts');
    return (this.#server ??= new HttpServer(this.#workbench.transportHost, {
      anonymousLisply: null,
      onRefused: (why, scheme) => this.#refusals.get(scheme)?.add(why),
    }));
  }

  async #close(scheme: Scheme): Promise<void> {
    await this.#server?.stop(scheme);
    this.#refusals.get(scheme)?.dispose();
    this.#refusals.delete(scheme);
    if (this.#refusals.size > 0) return;
    const server = this.#server;
    this.#server = null;
    await server?.close();
  }

  #countRefusals(events: ListenerEvents): Refusals {
    return new Refusals((refused, since) => {
      events.changed({ refused });
      this.#workbench.activity.publish({
        kind: 'server-changed',
        actor: WORKBENCH,
        change: 'refused',
        summary: refusedInWords(refused, since),
      });
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** Listens on the first free port of a range. */
async function listenBetween(
  server: HttpServer,
  first: number,
  last: number,
  certificate: ServerCertificate | null,
): Promise<number> {
  for (let port = first; port <= last; port += 1) {
    try {
      return await server.listen({ port, address: '127.0.0.1', moreHosts: [], certificate });
    } catch (error) {
      const inUse = error instanceof WorkbenchError && systemCode(error.cause) === 'EADDRINUSE';
      if (!inUse) throw error;
    }
  }
  throw new WorkbenchError(
    'system',
    `Ports ${first} to ${last} are all taken. Free one, or set ${certificate === null ? 'HTTP_PORT' : 'HTTPS_PORT'}, and start the server again.`,
  );
}

async function whoHas(wanted: number, taken: number): Promise<string> {
  const owner = await portOwner(wanted);
  return `Port ${wanted} is taken${owner ? ` by ${owner}` : ''}, so ${taken} is used. Update the clients that use ${wanted}.`;
}

/** Returns the port that the environment specifies, or the usual port if the environment specifies none or an invalid one. */
export function wantedPort(environment: NodeJS.ProcessEnv, name: string, usual: number): number {
  const given = Number(serverVariable(environment, name).value ?? usual);
  return Number.isInteger(given) && given > 0 && given <= LARGEST_PORT ? given : usual;
}
