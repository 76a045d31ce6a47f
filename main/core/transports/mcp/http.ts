/** MCP over streamable HTTP. Connections of the 2025 era have a session, but connections of the 2026 era do not. */
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  SUPPORTED_PROTOCOL_VERSIONS,
  type McpHttpHandler,
  type Server,
} from '@modelcontextprotocol/server';
import type { Actor } from '#contract/image/session.ts';
import type { TransportHost } from '../host.ts';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { respond } from './http-answer.ts';
import { createMcpServer, OPENED_AGAIN } from './server.ts';
import { cancellation, plainCall, type ToolCalls } from './tool-calls.ts';
import { errorResponse, PARSE_ERROR, refuse } from './message-checks.ts';

/** The latest activity of a client. */
interface Presence {
  /** The time, in milliseconds of the monotonic clock, when the client's last request arrived or its last response was closed. */
  lastUsed: number;
  /** The number of requests whose responses are not closed yet, including streams of changes. */
  open: number;
}

interface LegacySession extends Presence {
  readonly actor: Actor;
  readonly connectionId: string;
  readonly server: Server;
  readonly calls: ToolCalls;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly end: () => void;
}

/** A client of the newer era. All its requests share one current package, one history and one last error. */
interface ModernClient extends Presence, Pick<McpHttpHandler, 'fetch'> {
  readonly end: () => Promise<void>;
}

export interface McpHttpOptions {
  /** How often, in milliseconds, a comment is sent on an idle stream. */
  readonly keepAliveMs?: number | undefined;
  /** Milliseconds of silence after which a client counts as disconnected. Its session ends, and its running calls are interrupted. */
  readonly forgetMs?: number | undefined;
}

/** Matches a session id. Its first part is the id of the workbench's run. */
const SESSION = /^[0-9a-f-]{36}\.[0-9a-f-]{36}$/;
/** The SDK's error code for a request of an unknown session. */
const SESSION_NOT_FOUND = -32001;
/** How often, in milliseconds, a comment is sent on an idle stream. This is more often than any client or proxy requires. */
const KEEP_ALIVE_MS = 10_000;
/** The time, in milliseconds, after which a silent client is forgotten. */
const FORGET_MS = 3600_000;
/** The maximum number of sessions of one client; no client needs more. The session that has been silent longest is closed first. */
const SESSIONS_PER_CLIENT = 64;

export class McpHttp {
  readonly #host: TransportHost;
  readonly #keepAliveMs: number;
  readonly #forgetMs: number;
  readonly #sessions = new Map<string, LegacySession>();
  readonly #modern = new Map<string, ModernClient>();
  readonly #sweep: NodeJS.Timeout;
  /** Clients that sent the id of a session from an ended run of the workbench and have no new session yet. */
  readonly #returning = new Set<string>();

  constructor(host: TransportHost, { keepAliveMs = KEEP_ALIVE_MS, forgetMs = FORGET_MS }: McpHttpOptions = {}) {
    this.#host = host;
    this.#keepAliveMs = keepAliveMs;
    this.#forgetMs = forgetMs;
    this.#sweep = setInterval(() => this.#endUnused(), forgetMs / 4).unref();
  }

  /**
   * Serves a request that has passed the checks of the HTTP server. The answer is sent through `outgoing`. `body` is parsed JSON, or
   * undefined if there is none.
   */
  async handle(request: Request, outgoing: ServerResponse, actor: Actor, body: unknown): Promise<Response> {
    if (request.method === 'POST') {
      for (const message of Array.isArray(body) ? body : [body]) {
        const refusal = refuse(message);
        if (refusal) return Response.json(refusal, { status: refusal.error.code === PARSE_ERROR ? 400 : 200 });
      }
    }
    const parsed = body === undefined ? {} : { parsedBody: body };
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return this.#serveSession(id, request, outgoing, actor, parsed);
    if (await isLegacyRequest(request, body)) return this.#openSession(request, actor, parsed);
    const client = this.#modernClient(actor);
    notePresence(client, outgoing);
    return client.fetch(request, parsed);
  }

  /**
   * Serves a tool call in a session of the older era, or the cancellation of such a call, without the SDK's layers. For any other request,
   * and for a request that the SDK would refuse or stream, does nothing and returns false.
   */
  async serveCall(
    headers: IncomingHttpHeaders,
    outgoing: ServerResponse,
    actor: Actor,
    body: unknown,
  ): Promise<boolean> {
    const id = headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (!session || session.actor.id !== actor.id || !takesBoth(headers) || refuse(body)) return false;
    const cancelled = cancellation(body);
    if (cancelled && session.calls.cancel(cancelled.id, cancelled.reason)) {
      outgoing.writeHead(202).end();
      return true;
    }
    const info = session.server.getClientVersion();
    const call = info && plainCall(body);
    // This call is left to the SDK, because progress and questions use the call's stream, which the SDK manages.
    if (!call || call.params._meta?.progressToken !== undefined) return false;
    const capabilities = session.server.getClientCapabilities();
    if (session.calls.asks(capabilities)) return false;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    outgoing.once('close', leave);
    notePresence(session, outgoing);
    const answer = session.calls.serve(call, {
      info,
      capabilities,
      disconnected: gone.signal,
      notify: () => Promise.resolve(),
    });
    await respond(outgoing, answer, this.#keepAliveMs, { 'mcp-session-id': id as string });
    outgoing.off('close', leave);
    return true;
  }

  /** Ends the connections of a client whose token is no longer valid. */
  async endClient(clientId: string): Promise<void> {
    for (const [id, session] of this.#sessions) if (session.actor.id === clientId) await this.#end(id);
    await this.#forget(clientId);
  }

  async dispose(): Promise<void> {
    clearInterval(this.#sweep);
    for (const id of this.#sessions.keys()) await this.#end(id);
    for (const id of this.#modern.keys()) await this.#forget(id);
  }

  async #serveSession(
    id: string,
    request: Request,
    outgoing: ServerResponse,
    actor: Actor,
    parsed: { parsedBody?: unknown },
  ): Promise<Response> {
    const session = this.#sessions.get(id);
    // The session of another client is treated like an unknown session.
    if (!session || session.actor.id !== actor.id)
      return Response.json(errorResponse(null, SESSION_NOT_FOUND, this.#noSession(id, actor)), { status: 404 });
    notePresence(session, outgoing);
    return session.transport.handleRequest(request, parsed);
  }

  #noSession(id: string, { id: client }: Actor): string {
    const isOfAnother = SESSION.test(id) && !id.startsWith(this.#host.run);
    if (isOfAnother) this.#returning.add(client);
    const why = isOfAnother ? 'Lisp Workbench was restarted, and its image is new' : 'it has ended';
    return `Session not found: ${why}. Send initialize again, without the Mcp-Session-Id header, to start a new session.`;
  }

  async #openSession(request: Request, actor: Actor, parsed: { parsedBody?: unknown }): Promise<Response> {
    const connectionId = `${actor.id}:${randomUUID()}`;
    const imageNotice = this.#returning.has(actor.id) ? OPENED_AGAIN : null;
    const { server, calls } = createMcpServer(this.#host, {
      actor,
      connectionId: connectionId,
      imageNotice,
      tells: 'subscribed',
    });
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => `${this.#host.run}.${randomUUID()}`,
      keepAliveMs: this.#keepAliveMs,
      onsessioninitialized: (id) => {
        this.#returning.delete(actor.id);
        const disconnect = this.#host.connect(actor, 'MCP over HTTP');
        const end = (): void => {
          disconnect();
          this.#host.forget(connectionId);
        };
        this.#makeRoom(actor);
        this.#sessions.set(id, {
          actor,
          connectionId,
          server,
          calls,
          transport,
          lastUsed: performance.now(),
          open: 0,
          end,
        });
      },
      onsessionclosed: (id) => this.#end(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request, parsed);
    if (transport.sessionId === undefined) await server.close(); // the request was not `initialize`, so no session began
    return response;
  }

  #modernClient(actor: Actor): ModernClient {
    let client = this.#modern.get(actor.id);
    if (!client) {
      // There are no sessions in this era. The client itself counts as the connection, so all its requests share one current package.
      const { fetch, close, notify } = createMcpHandler(
        () => createMcpServer(this.#host, { actor, connectionId: actor.id }).server,
        // Always a stream, because its head and comments are sent at once. Otherwise a client could give up waiting for a first byte.
        { legacy: 'reject', keepAliveMs: this.#keepAliveMs, responseMode: 'sse' },
      );
      const stopWatching = this.#host.watch(actor, (change) => {
        if (change === 'tools') notify.toolsChanged();
        else if (change === 'resources') notify.resourcesChanged();
        else notify.resourceUpdated(change.resource);
      });
      const disconnect = this.#host.connect(actor, 'MCP 2026-07-28 over HTTP');
      const end = async (): Promise<void> => {
        stopWatching();
        disconnect();
        this.#host.forget(actor.id);
        await close();
      };
      client = { fetch, end, lastUsed: 0, open: 0 };
      this.#modern.set(actor.id, client);
    }
    return client;
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (!session) return;
    this.#sessions.delete(id);
    session.calls.close();
    session.end();
    await session.server.close();
  }

  /** Forgets a client of the newer era, because its token is no longer valid or it has been silent for long. */
  async #forget(id: string): Promise<void> {
    const client = this.#modern.get(id);
    if (!client) return;
    this.#modern.delete(id);
    await client.end();
  }

  #endUnused(): void {
    const isUnused = ({ lastUsed, open }: Presence): boolean =>
      open === 0 && performance.now() - lastUsed > this.#forgetMs;
    for (const [id, session] of this.#sessions) if (isUnused(session)) void this.#end(id);
    for (const [id, client] of this.#modern) if (isUnused(client)) void this.#forget(id);
  }

  #makeRoom(actor: Actor): void {
    const own = [...this.#sessions].filter(([, session]) => session.actor.id === actor.id);
    if (own.length < SESSIONS_PER_CLIENT) return;
    const busy = ({ open, connectionId }: LegacySession): number => open + (this.#host.runsFor(connectionId) ? 1 : 0);
    const [oldest] = own.toSorted(([, one], [, other]) => busy(one) - busy(other) || one.lastUsed - other.lastUsed);
    void this.#end(oldest![0]);
  }
}

/** Records that a client has made a request. The client counts as present until the response is closed for any reason. */
function notePresence(presence: Presence, outgoing: ServerResponse): void {
  presence.lastUsed = performance.now();
  if (outgoing.closed) return;
  presence.open += 1;
  outgoing.once('close', () => {
    presence.open -= 1;
    presence.lastUsed = performance.now();
  });
}

/** Returns true if the client accepts answers both as JSON and as a stream, and uses a supported version of the protocol. */
function takesBoth({ accept = '', 'mcp-protocol-version': version }: IncomingHttpHeaders): boolean {
  const known = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
  return known && accept.includes('application/json') && accept.includes('text/event-stream');
}
