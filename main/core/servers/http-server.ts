/** The HTTP door: one loopback server for MCP and Lisply, with the guard before everything. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import type { Actor } from '#contract/session.ts';
import { systemCode, WorkbenchError } from '#core/error.ts';
import { Connections } from './connections.ts';
import type { DoorHost } from './door.ts';
import {
  allowedHosts,
  bearerToken,
  BODY_LIMIT,
  checkHost,
  checkJsonType,
  checkOrigin,
  parseBody,
  UNAUTHORIZED,
  type Refusal,
} from './guard.ts';
import { checkLisplyRequest, lisplyEvaluate, lisplyTools } from './lisply/lisply.ts';
import { errorResponse, PARSE_ERROR } from './mcp/precheck.ts';
import { McpHttp } from './mcp/http.ts';
import { portOwner } from './port-owner.ts';

export interface HttpServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Loopback, except in the container image. */
  readonly address: string;
  readonly moreHosts: readonly string[];
  /** Who a Lisply request without a token is; null wants a token (the default). */
  readonly anonymousLisply: Actor | null;
  /** Told why a request was turned away: for where it came from, who it is, or how often it came. */
  readonly onRefused?: (why: string) => void;
  /** How often a silent stream of MCP gets a comment. */
  readonly keepAliveMs?: number;
}

type Env = { Bindings: HttpBindings };

const HEADERS_LIMIT_MS = 10_000;
/** How often Node looks for connections whose headers are late. */
const HEADERS_CHECK_MS = 1_000;
const DRAIN_MS = 500;

export class HttpServer {
  readonly #host: DoorHost;
  readonly #options: HttpServerOptions;
  readonly #mcp: McpHttp;
  #server: Server | null = null;
  #connections: Connections | null = null;
  #hosts: ReadonlySet<string> = new Set();

  constructor(host: DoorHost, options: HttpServerOptions) {
    this.#host = host;
    this.#options = options;
    this.#mcp = new McpHttp(host, options.keepAliveMs);
  }

  /**
   * Listens; gives the port.
   * @throws WorkbenchError `system` when the port is taken or may not be used.
   */
  async listen(): Promise<number> {
    const { port, address, moreHosts } = this.#options;
    const server = createAdaptorServer({
      fetch: this.#routes().fetch,
      overrideGlobalObjects: false,
      serverOptions: {
        headersTimeout: HEADERS_LIMIT_MS,
        connectionsCheckingInterval: HEADERS_CHECK_MS,
        requestTimeout: 0, // a held call may take long; what bounds it is its own deadline
      },
    }) as Server;
    this.#connections = new Connections(server);
    const failure = await new Promise<Error | null>((resolve) => {
      server.once('error', resolve);
      server.listen(port, address, () => resolve(null));
    });
    if (failure) throw await listenError(failure, port);
    this.#server = server;
    const taken = (server.address() as AddressInfo).port;
    this.#hosts = allowedHosts(taken, moreHosts);
    return taken;
  }

  /** Ends the connections of a client whose token is void, and with them the calls that are under way. */
  async endClient(clientId: string): Promise<void> {
    await this.#mcp.endClient(clientId);
    this.#connections?.endClient(clientId);
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server) await drain(server);
    await this.#mcp.dispose();
  }

  #routes(): Hono<Env> {
    const app = new Hono<Env>();
    app.use(async (context, next) => {
      const refusal =
        checkHost(context.env.incoming.headers.host, this.#hosts) ??
        checkOrigin(context.env.incoming.headers.origin, new Set());
      if (refusal) return this.#refused(refusal);
      return next();
    });
    app.all('/mcp', (context) => this.#serveMcp(context));
    app.get('/lisply/ping-lisp', (context) =>
      this.#asLisply(context, () => new Response('pong', { headers: { 'content-type': 'text/plain' } })),
    );
    app.get('/lisply/tools/list', (context) => this.#asLisply(context, () => Response.json(lisplyTools)));
    app.post('/lisply/lisp-eval', (context) =>
      this.#asLisply(context, (actor) => this.#lisplyEvaluate(context, actor)),
    );
    app.notFound((context) =>
      context.json(
        {
          error: `There is nothing at ${context.req.path}. MCP is at /mcp, Lisply at /lisply/ping-lisp, /lisply/tools/list and POST /lisply/lisp-eval.`,
        },
        404,
      ),
    );
    app.onError((error, context) => context.json({ error: `The server failed: ${error.message}` }, 500));
    return app;
  }

  async #serveMcp(context: Context<Env>): Promise<Response> {
    const actor = this.#authenticate(context);
    if (!('id' in actor)) return this.#refused(actor);
    if (context.req.method !== 'POST') return this.#mcp.handle(context.req.raw, actor, undefined);
    const wrongType = checkJsonType(context.req.header('content-type'));
    if (wrongType) return refused(wrongType);
    const body = await readBody(context.req.raw);
    if ('status' in body) {
      return body.status === 413
        ? refused(body)
        : Response.json(errorResponse(null, PARSE_ERROR, `Parse error: ${body.message}`), { status: 400 });
    }
    return this.#tooOften(actor, body.value) ?? this.#mcp.handle(context.req.raw, actor, body.value);
  }

  async #lisplyEvaluate(context: Context<Env>, actor: Actor): Promise<Response> {
    const body = await readBody(context.req.raw); // whatever the Content-Type says (decision 24)
    if ('status' in body) {
      const headers: Record<string, string> = body.status === 413 ? { connection: 'close' } : {};
      return Response.json({ success: false, error: body.message, stdout: '' }, { status: body.status, headers });
    }
    const request = checkLisplyRequest(body.value);
    if (typeof request === 'string')
      return Response.json({ success: false, error: request, stdout: '' }, { status: 400 });
    return lisplyEvaluate(this.#host, actor, request, context.req.raw.signal);
  }

  async #asLisply(context: Context<Env>, serve: (actor: Actor) => Response | Promise<Response>): Promise<Response> {
    const actor = this.#authenticate(context);
    const anonymous = context.req.header('authorization') === undefined ? this.#options.anonymousLisply : null;
    const known = 'id' in actor ? actor : anonymous;
    if (!known) return this.#refused(actor as Refusal);
    return this.#tooOften(known) ?? serve(known);
  }

  /** Of MCP only requests count: a notice that something is cancelled must come through. */
  #tooOften({ id }: Actor, message?: unknown): Response | null {
    if (typeof message === 'object' && message !== null && !('id' in message)) return null;
    const why = this.#host.rate.take(id);
    return why === null ? null : this.#refused({ status: 429, message: why });
  }

  #refused(refusal: Refusal): Response {
    this.#options.onRefused?.(refusal.message);
    return refused(refusal);
  }

  #authenticate(context: Context<Env>): Actor | Refusal {
    const token = bearerToken(context.req.header('authorization'));
    const actor = token === null ? null : this.#host.authenticate(token);
    if (!actor) return UNAUTHORIZED;
    const claimed = this.#connections?.claim(context.env.incoming.socket, actor.id) ?? true;
    return claimed ? actor : { status: 403, message: 'This client has too many open connections.' };
  }
}

function refused({ status, message }: Refusal): Response {
  const headers: Record<string, string> = {};
  if (status === 429) headers['retry-after'] = '1';
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (status === 413) headers['connection'] = 'close'; // the rest of the body is not read, so nothing can follow it
  return Response.json({ error: message }, { status, headers });
}

async function readBody(request: Request): Promise<{ value: unknown } | Refusal> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > BODY_LIMIT) return { status: 413, message: `The body has more than ${BODY_LIMIT} bytes.` };
    chunks.push(chunk);
  }
  return parseBody(Buffer.concat(chunks));
}

/** Takes no more connections, lets answers that are under way get out, and then ends what is left. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(late);
}

async function listenError(error: Error, port: number): Promise<WorkbenchError> {
  const code = systemCode(error);
  const owner = code === 'EADDRINUSE' ? ((await portOwner(port)) ?? 'another program') : null;
  const reason =
    owner !== null ? `is taken by ${owner}` : code === 'EACCES' ? 'may not be used (permission denied)' : null;
  return new WorkbenchError('system', `Port ${port} ${reason ?? `cannot be used (${error.message})`}.`, {
    cause: error,
  });
}
