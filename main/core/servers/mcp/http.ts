/** MCP over streamable HTTP: connections of the 2025 era have a session, those of 2026 have none. */
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpHttpHandler,
  type Server,
} from '@modelcontextprotocol/server';
import type { Actor } from '#contract/session.ts';
import type { DoorHost } from '../door.ts';
import { createMcpServer } from './server.ts';
import { errorResponse, PARSE_ERROR, refuse } from './precheck.ts';

interface LegacySession {
  readonly actor: Actor;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastUsed: number;
  /** Requests that are under way or listen for what the server has to say. */
  open: number;
  readonly end: () => void;
}

interface ModernHandler extends Pick<McpHttpHandler, 'fetch'> {
  readonly end: () => Promise<void>;
}

/** Comments on idle streams, below every client's and proxy's patience. */
const KEEP_ALIVE_MS = 10_000;
/** Sessions of clients that went without a word are ended after this long. */
const FORGET_MS = 3600_000;
/** One client has no use for more; the one that was silent longest goes first. */
const SESSIONS_PER_CLIENT = 64;

export class McpHttp {
  readonly #host: DoorHost;
  readonly #keepAliveMs: number;
  readonly #sessions = new Map<string, LegacySession>();
  readonly #modern = new Map<string, ModernHandler>();
  readonly #sweep: NodeJS.Timeout;

  constructor(host: DoorHost, keepAliveMs = KEEP_ALIVE_MS) {
    this.#host = host;
    this.#keepAliveMs = keepAliveMs;
    this.#sweep = setInterval(() => this.#endUnused(), FORGET_MS / 4).unref();
  }

  /** Serves a request that the guard has let through. `body` is parsed JSON, undefined when there is none. */
  async handle(request: Request, actor: Actor, body: unknown): Promise<Response> {
    if (request.method === 'POST') {
      for (const message of Array.isArray(body) ? body : [body]) {
        const refusal = refuse(message);
        if (refusal) return Response.json(refusal, { status: refusal.error.code === PARSE_ERROR ? 400 : 200 });
      }
    }
    const parsed = body === undefined ? {} : { parsedBody: body };
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return this.#serveSession(id, request, actor, parsed);
    if (await isLegacyRequest(request, body)) return this.#openSession(request, actor, parsed);
    return this.#modernHandler(actor).fetch(request, parsed);
  }

  /** Ends the connections of a client whose token is void. */
  async endClient(clientId: string): Promise<void> {
    for (const [id, session] of this.#sessions) if (session.actor.id === clientId) await this.#end(id);
    await this.#modern.get(clientId)?.end();
    this.#modern.delete(clientId);
  }

  async dispose(): Promise<void> {
    clearInterval(this.#sweep);
    for (const id of this.#sessions.keys()) await this.#end(id);
    for (const handler of this.#modern.values()) await handler.end();
  }

  async #serveSession(id: string, request: Request, actor: Actor, parsed: { parsedBody?: unknown }): Promise<Response> {
    const session = this.#sessions.get(id);
    // Another client's session is as unknown as one that never was.
    if (!session || session.actor.id !== actor.id)
      return Response.json(errorResponse(null, -32001, 'Session not found'), { status: 404 });
    session.open += 1;
    const close = (): void => {
      session.open -= 1;
      session.lastUsed = Date.now();
    };
    // A stream stays open after its response was given: it ends when the client leaves.
    if (request.method === 'GET') request.signal.addEventListener('abort', close, { once: true });
    try {
      return await session.transport.handleRequest(request, parsed);
    } finally {
      if (request.method !== 'GET') close();
    }
  }

  async #openSession(request: Request, actor: Actor, parsed: { parsedBody?: unknown }): Promise<Response> {
    const context = `${actor.id}:${randomUUID()}`;
    const server = createMcpServer(this.#host, { actor, context, tells: 'subscribed' });
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      keepAliveMs: this.#keepAliveMs,
      onsessioninitialized: (id) => {
        const disconnect = this.#host.connect(actor, 'MCP over HTTP');
        const end = (): void => {
          disconnect();
          this.#host.forget(context);
        };
        this.#makeRoom(actor);
        this.#sessions.set(id, { actor, server, transport, lastUsed: Date.now(), open: 0, end });
      },
      onsessionclosed: (id) => this.#end(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, parsed);
    if (transport.sessionId === undefined) await server.close(); // it was no initialize
    return response;
  }

  #modernHandler(actor: Actor): ModernHandler {
    let handler = this.#modern.get(actor.id);
    if (!handler) {
      this.#host.speaks(actor, 'MCP 2026-07-28 over HTTP');
      // Without sessions the client is the connection: all its requests share one current package.
      const { fetch, close, notify } = createMcpHandler(
        () => createMcpServer(this.#host, { actor, context: actor.id }),
        // Always a stream: its head and comments come at once, before any client's patience for a first byte ends.
        { legacy: 'reject', keepAliveMs: this.#keepAliveMs, responseMode: 'sse' },
      );
      const stopWatching = this.#host.watch(actor, (change) => {
        if (change === 'tools') notify.toolsChanged();
        else if (change === 'resources') notify.resourcesChanged();
        else notify.resourceUpdated(change.resource);
      });
      const end = async (): Promise<void> => {
        stopWatching();
        await close();
      };
      handler = { fetch, end };
      this.#modern.set(actor.id, handler);
    }
    return handler;
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (!session) return;
    this.#sessions.delete(id);
    session.end();
    await session.server.close();
  }

  #endUnused(): void {
    for (const [id, { lastUsed, open }] of this.#sessions)
      if (open === 0 && Date.now() - lastUsed > FORGET_MS) void this.#end(id);
  }

  #makeRoom(actor: Actor): void {
    const own = [...this.#sessions].filter(([, session]) => session.actor.id === actor.id);
    if (own.length < SESSIONS_PER_CLIENT) return;
    const [oldest] = own.toSorted(([, one], [, other]) => one.open - other.open || one.lastUsed - other.lastUsed);
    void this.#end(oldest![0]);
  }
}
