/** One port of the HTTP transport, plain or with TLS, and how it is opened and closed. */
import type { Server } from 'node:http';
import { createServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { systemCode, WorkbenchError } from '#core/base/error.ts';
import type { Connections } from './connection-limits.ts';
import { portOwner } from './port-owner.ts';
import { allowedHosts } from './request-checks.ts';
import type { ServerCertificate } from './server-certificate.ts';

/** Where to listen. */
export interface Place {
  /** 0 takes any free port. */
  readonly port: number;
  /** Loopback, except in the container image. */
  readonly address: string;
  readonly moreHosts: readonly string[];
  /** The certificate of HTTPS; null for plain HTTP. */
  readonly certificate: ServerCertificate | null;
}

/** The ports that a server can have, each by what is spoken on it. */
export type Scheme = 'http' | 'https';

/** A request with what of its listener counts for it. */
export type ListenerBindings = HttpBindings & { readonly hosts: ReadonlySet<string>; readonly scheme: Scheme };

const HEADERS_LIMIT_MS = 10_000;
/** How often Node looks for connections whose headers are late. */
const HEADERS_CHECK_MS = 1_000;
const DRAIN_MS = 500;
/**
 * How long a connection stays open between calls; a client is told it. A model thinks longer than Node's five seconds, and a call that is
 * sent just as its connection is closed is lost.
 */
const IDLE_LIMIT_MS = 75_000;

const TIMES = {
  headersTimeout: HEADERS_LIMIT_MS,
  connectionsCheckingInterval: HEADERS_CHECK_MS,
  keepAliveTimeout: IDLE_LIMIT_MS,
  requestTimeout: 0, // a held call may take long; what bounds it is its own deadline
};

export class Listener {
  readonly scheme: Scheme;
  readonly #server: Server;
  readonly #connections: Connections;
  #hosts: ReadonlySet<string> = new Set();

  constructor(
    certificate: ServerCertificate | null,
    serve: (request: Request, bindings: ListenerBindings) => Response | Promise<Response>,
    connections: Connections,
  ) {
    this.scheme = certificate === null ? 'http' : 'https';
    const { scheme } = this;
    const common = {
      fetch: (request: Request, bindings: unknown) =>
        serve(request, { ...(bindings as HttpBindings), hosts: this.#hosts, scheme }),
      overrideGlobalObjects: false,
    };
    this.#server = (
      certificate === null
        ? createAdaptorServer({ ...common, serverOptions: TIMES })
        : createAdaptorServer({ ...common, createServer, serverOptions: { ...TIMES, ...tlsOptions(certificate) } })
    ) as Server;
    this.#connections = connections;
    connections.watch(this.#server);
    if (certificate !== null) endFailedHandshakes(this.#server as TlsServer, connections);
  }

  /**
   * Listens; gives the port.
   * @throws WorkbenchError `system` when the port is taken or may not be used.
   */
  async listen({ port, address, moreHosts, certificate }: Place): Promise<number> {
    const server = this.#server;
    const failure = await new Promise<Error | null>((resolve) => {
      server.once('error', resolve);
      server.listen(port, address, () => resolve(null));
    });
    if (failure) throw await listenError(failure, port);
    const taken = (server.address() as AddressInfo).port;
    this.#hosts = allowedHosts({ port: taken, address, secure: certificate !== null }, moreHosts);
    return taken;
  }

  /** Serves new connections with another certificate. */
  renew(certificate: ServerCertificate): void {
    (this.#server as TlsServer).setSecureContext(tlsOptions(certificate));
  }

  /** Takes no more connections, lets answers that are under way get out, and then ends what is left. */
  async close(): Promise<void> {
    const server = this.#server;
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // Node's own end of all connections leaves out those on which no TLS has come about yet.
    const late = setTimeout(() => this.#connections.endOf(server), DRAIN_MS);
    await closed;
    clearTimeout(late);
  }
}

function tlsOptions({ certificate, key }: ServerCertificate) {
  return { cert: certificate, key, minVersion: 'TLSv1.2', handshakeTimeout: HEADERS_LIMIT_MS } as const;
}

const PLAIN_ANSWER = `This port speaks HTTPS: the address must begin with "https://".\n`;

/** Ends connections on which no TLS came about; to plain HTTP it is said what is wrong. */
function endFailedHandshakes(server: TlsServer, connections: Connections): void {
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (error: Error, secure: TLSSocket) => {
    const below = systemCode(error) === 'ERR_SSL_HTTP_REQUEST' ? connections.tcpOf(secure) : undefined;
    if (below?.writable) answerPlain(below);
    else secure.destroy();
  });
}

function answerPlain(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: ${PLAIN_ANSWER.length}\r\nConnection: close\r\n\r\n${PLAIN_ANSWER}`,
    () => socket.destroy(),
  );
}

/** Returns the error of a server that cannot listen on its port, with who has it. */
export async function listenError(error: Error, port: number): Promise<WorkbenchError> {
  const code = systemCode(error);
  const owner = code === 'EADDRINUSE' ? ((await portOwner(port)) ?? 'another program') : null;
  const reason =
    owner !== null ? `is taken by ${owner}` : code === 'EACCES' ? 'cannot be used (permission denied)' : null;
  return new WorkbenchError('system', `Port ${port} ${reason ?? `cannot be used (${error.message})`}.`, {
    cause: error,
  });
}
