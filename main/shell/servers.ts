/** The doors of the desktop: HTTP on loopback, and the private socket for the stdio command. */
import type { ServerStatus } from '#contract/rpc.ts';
import { Emitter } from '#core/emitter.ts';
import { messageOf, systemCode, WorkbenchError } from '#core/error.ts';
import { HttpServer } from '#core/servers/http-server.ts';
import { portOwner } from '#core/servers/port-owner.ts';
import { PrivateSocket } from '#core/servers/private-socket.ts';
import { Refusals, refusedInWords } from '#core/servers/refusals.ts';
import { PERSON } from '#contract/session.ts';
import type { Workbench } from '#core/workbench.ts';

const DEFAULT_PORT = 9081;
/** How many ports after the wanted one are tried. */
const TRIES = 20;

export class Servers {
  readonly events = new Emitter<{ changed: ServerStatus }>();
  readonly #workbench: Workbench;
  readonly #socket: PrivateSocket;
  #http: HttpServer | null = null;
  #status: ServerStatus = { url: null, port: null, problem: null, notice: null, refused: null };
  readonly #refusals = new Refusals((refused, since) => {
    this.#change({ refused });
    this.#publish('refused', refusedInWords(refused, since));
  });

  constructor(workbench: Workbench, socketAddress: string) {
    this.#workbench = workbench;
    this.#socket = new PrivateSocket(workbench.door, workbench.admissions, socketAddress);
    workbench.clients.events.on('revoked', ({ id }) => {
      this.#socket.endClient(id);
      void this.#http?.endClient(id);
    });
  }

  get status(): ServerStatus {
    return this.#status;
  }

  async start(wanted = wantedPort(process.env)): Promise<void> {
    await this.#socket.listen().catch((error: unknown) => this.#change({ notice: messageOf(error) }));
    for (let port = wanted; port < wanted + TRIES; port += 1) {
      const server = new HttpServer(this.#workbench.door, {
        port,
        address: '127.0.0.1',
        moreHosts: [],
        anonymousLisply: null,
        onRefused: (why) => this.#refusals.add(why),
      });
      try {
        const taken = await server.listen();
        this.#http = server;
        this.#change({
          port: taken,
          url: `http://127.0.0.1:${taken}/mcp`,
          problem: null,
          notice: port === wanted ? this.#status.notice : await this.#whoHas(wanted, taken),
        });
        this.#publish('started', `MCP and Lisply on 127.0.0.1:${taken}`);
        return;
      } catch (error) {
        await server.close();
        const inUse = error instanceof WorkbenchError && systemCode(error.cause) === 'EADDRINUSE';
        if (!inUse) return this.#fail(messageOf(error));
      }
    }
    this.#fail(`Ports ${wanted} to ${wanted + TRIES - 1} are all taken. Free one, or set HTTP_PORT, and start again.`);
  }

  async close(): Promise<void> {
    await this.#http?.close();
    this.#refusals.dispose();
    await this.#socket.close();
  }

  async #whoHas(wanted: number, taken: number): Promise<string> {
    const owner = await portOwner(wanted);
    return `Port ${wanted} is taken${owner ? ` by ${owner}` : ''}, so ${taken} is used. Clients that were set up for ${wanted} must be told.`;
  }

  #fail(problem: string): void {
    this.#change({ url: null, port: null, problem });
    this.#publish('failed', problem);
  }

  #publish(change: 'started' | 'failed' | 'refused', summary: string): void {
    this.#workbench.activity.publish({ kind: 'server-changed', actor: PERSON, change, summary });
  }

  #change(change: Partial<ServerStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.events.emit('changed', this.#status);
  }
}

function wantedPort(environment: NodeJS.ProcessEnv): number {
  const given = Number(environment['LISPLY_HTTP_PORT'] || environment['HTTP_PORT'] || DEFAULT_PORT);
  return Number.isInteger(given) && given > 0 && given < 65_536 ? given : DEFAULT_PORT;
}
