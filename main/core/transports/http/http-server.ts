/** The HTTP transport: MCP and Lisply on loopback, plain and with TLS. Each request is checked before it is processed. */
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import type { Actor } from '#contract/image/session.ts';
import { Connections } from './connection-limits.ts';
import type { TransportHost } from '../host.ts';
import {
  bearerToken,
  checkHost,
  checkJsonType,
  checkOrigin,
  checkTarget,
  UNAUTHORIZED,
  UNKNOWN_TOKEN,
  type Refusal,
} from './request-checks.ts';
import { ENDS_CONNECTION, readBody } from './request-body.ts';
import { Listener, type ListenerBindings, type Place, type Scheme } from './listener.ts';
import type { ServerCertificate } from './server-certificate.ts';
import { checkLisplyRequest, lisplyDocs, lisplyDocument, lisplyEvaluate, lisplyTools } from '../lisply/lisply.ts';
import { errorResponse, PARSE_ERROR } from '../mcp/message-checks.ts';
import { McpHttp, type McpHttpOptions } from '../mcp/http.ts';

export interface HttpServerOptions extends McpHttpOptions {
  /** The actor of a Lisply request without a token; null requires a token (the default). */
  readonly anonymousLisply: Actor | null;
  /** Called when a request is refused because of its origin, its client or its frequency; `why` is the reason. */
  readonly onRefused?: (why: string, scheme: Scheme) => void;
  /** The maximum time, in milliseconds, in which the body of a request must arrive. */
  readonly bodyMs?: number;
}

type Env = { Bindings: ListenerBindings };

/** Bodies are limited in size and come from this machine, so they arrive quickly. */
const BODY_LIMIT_MS = 20_000;

export class HttpServer {
  readonly #host: TransportHost;
  readonly #options: HttpServerOptions;
  readonly #mcp: McpHttp;
  readonly #connections = new Connections();
  readonly #listeners = new Map<Scheme, Listener>();
  readonly #app: Hono<Env>;

  constructor(host: TransportHost, options: HttpServerOptions) {
    this.#host = host;
    this.#options = options;
    this.#mcp = new McpHttp(host, options);
    this.#app = this.#routes();
  }

  /**
   * Listens on another address or port; each scheme has one. Returns the port.
   * @throws WorkbenchError `system` if the port is taken or may not be used.
   */
  async listen(place: Place): Promise<number> {
    const listener = new Listener(
      place.certificate,
      (request, bindings) => this.#app.fetch(request, bindings),
      this.#connections,
    );
    const port = await listener.listen(place);
    await this.stop(listener.scheme);
    this.#listeners.set(listener.scheme, listener);
    return port;
  }

  /** Uses another certificate for new HTTPS connections. */
  renew(certificate: ServerCertificate): void {
    this.#listeners.get('https')?.renew(certificate);
  }

  /** Closes the port of one scheme. */
  async stop(scheme: Scheme): Promise<void> {
    const listener = this.#listeners.get(scheme);
    this.#listeners.delete(scheme);
    await listener?.close();
  }

  /** Closes the connections of a client whose token is no longer valid, and ends the client's running calls. */
  async endClient(clientId: string): Promise<void> {
    await this.#mcp.endClient(clientId);
    this.#connections.endClient(clientId);
  }

  async close(): Promise<void> {
    await Promise.all([this.stop('http'), this.stop('https')]);
    await this.#mcp.dispose();
  }

  #routes(): Hono<Env> {
    const app = new Hono<Env>();
    app.use(async (context, next) => {
      const { incoming, hosts } = context.env;
      const { headers, url, rawHeaders } = incoming;
      const refusal =
        checkHost(headers.host, hosts) ?? checkTarget(url, rawHeaders, hosts) ?? checkOrigin(headers, new Set());
      if (refusal) return this.#refused(context, refusal);
      return next();
    });
    app.all('/mcp', (context) => this.#serveMcp(context));
    app.get('/lisply/ping-lisp', (context) =>
      this.#asLisply(context, () => new Response('pong', { headers: { 'content-type': 'text/plain' } })),
    );
    app.get('/lisply/tools/list', (context) => this.#asLisply(context, () => Response.json(lisplyTools)));
    app.get('/lisply/docs/list', (context) => this.#asLisply(context, () => Response.json(lisplyDocs)));
    app.get('/lisply/docs/:id', (context) =>
      this.#asLisply(context, (actor) => lisplyDocument(this.#host, actor, context.req.param('id'))),
    );
    app.post('/lisply/lisp-eval', (context) =>
      this.#asLisply(context, (actor) => this.#lisplyEvaluate(context, actor)),
    );
    app.all('/lisply/lisp-eval', () => wrongMethod('POST'));
    for (const route of ['ping-lisp', 'tools/list', 'docs/list', 'docs/:id'])
      app.all(`/lisply/${route}`, () => wrongMethod('GET'));
    app.notFound((context) =>
      context.json(
        {
          error: `There is nothing at ${context.req.path}. MCP is at /mcp, Lisply at /lisply/ping-lisp, /lisply/tools/list, /lisply/docs/list and POST /lisply/lisp-eval.`,
        },
        404,
      ),
    );
    app.onError((error, context) => context.json({ error: `The server failed: ${error.message}` }, 500));
    return app;
  }

  async #serveMcp(context: Context<Env>): Promise<Response> {
    const actor = this.#authenticate(context);
    if (!('id' in actor)) return this.#refused(context, actor);
    if (context.req.method !== 'POST') return this.#mcp.handle(context.req.raw, context.env.outgoing, actor, undefined);
    const wrongType = checkJsonType(context.req.header('content-type'));
    if (wrongType) return refused(wrongType);
    const { incoming, outgoing } = context.env;
    const body = await readBody(incoming, this.#bodyMs);
    if ('status' in body) {
      return ENDS_CONNECTION.has(body.status)
        ? refused(body)
        : Response.json(errorResponse(null, PARSE_ERROR, `Parse error: ${body.message}`), { status: 400 });
    }
    const refusal = this.#refuseMore(context, actor, body.value);
    if (refusal) return refusal;
    if (await this.#mcp.serveCall(incoming.headers, outgoing, actor, body.value)) return RESPONSE_ALREADY_SENT;
    return this.#mcp.handle(context.req.raw, outgoing, actor, body.value);
  }

  async #lisplyEvaluate(context: Context<Env>, actor: Actor): Promise<Response> {
    const body = await readBody(context.env.incoming, this.#bodyMs); // JSON is accepted with any Content-Type (decision 24).
    if ('status' in body) {
      const headers: Record<string, string> = ENDS_CONNECTION.has(body.status) ? { connection: 'close' } : {};
      return Response.json({ success: false, error: body.message, stdout: '' }, { status: body.status, headers });
    }
    const request = checkLisplyRequest(body.value);
    if (typeof request === 'string')
      return Response.json({ success: false, error: request, stdout: '' }, { status: 400 });
    return lisplyEvaluate(this.#host, actor, request, context.req.raw.signal);
  }

  get #bodyMs(): number {
    return this.#options.bodyMs ?? BODY_LIMIT_MS;
  }

  async #asLisply(context: Context<Env>, serve: (actor: Actor) => Response | Promise<Response>): Promise<Response> {
    const actor = this.#authenticate(context);
    const anonymous = context.req.header('authorization') === undefined ? this.#options.anonymousLisply : null;
    const known = 'id' in actor ? actor : anonymous;
    if (!known) return this.#refused(context, actor as Refusal);
    return this.#refuseMore(context, known) ?? serve(known);
  }

  /**
   * Refuses a request if the client has too many open requests. Only requests count among MCP's messages, because a cancellation notice
   * must always be accepted.
   */
  #refuseMore(context: Context<Env>, { id }: Actor, message?: unknown): Response | null {
    if (typeof message === 'object' && message !== null && !('id' in message)) return null;
    const admitted = this.#host.openRequests.admit(id);
    if (typeof admitted === 'string') return this.#refused(context, { status: 429, message: admitted });
    context.env.outgoing.once('close', admitted);
    return null;
  }

  #refused({ env }: Context<Env>, refusal: Refusal): Response {
    this.#options.onRefused?.(refusal.message, env.scheme);
    return refused(refusal);
  }

  #authenticate(context: Context<Env>): Actor | Refusal {
    const token = bearerToken(context.req.header('authorization'));
    const actor = token === null ? null : this.#host.authenticate(token);
    if (!actor) return token === null ? UNAUTHORIZED : UNKNOWN_TOKEN;
    const claimed = this.#connections.claim(context.env.incoming.socket, actor.id);
    return claimed ? actor : { status: 403, message: 'This client has too many open connections.' };
  }
}

/** Returns the answer to a method that this path does not support. */
function wrongMethod(method: 'GET' | 'POST'): Response {
  const allow = method === 'GET' ? 'GET, HEAD' : method;
  return Response.json({ error: `This path only accepts ${method}.` }, { status: 405, headers: { allow } });
}

function refused({ status, message }: Refusal): Response {
  const headers: Record<string, string> = {};
  if (status === 429) headers['retry-after'] = '1';
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (ENDS_CONNECTION.has(status)) headers['connection'] = 'close';
  return Response.json({ error: message }, { status, headers });
}
