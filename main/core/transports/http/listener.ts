/** Opens and closes one port of the HTTP transport, plain or with TLS. */
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

/** The address and port of a listener, with its certificate. */
export interface Place {
  /** Zero means any free port. */
  readonly port: number;
  /** A loopback address, except in the container image. */
  readonly address: string;
  readonly moreHosts: readonly string[];
  /** The certificate of HTTPS; null for plain HTTP. */
  readonly certificate: ServerCertificate | null;
}

/** The schemes of a server's ports. */
export type Scheme = 'http' | 'https';

/** A request, with facts about the listener that received it. */
export type ListenerBindings = HttpBindings & { readonly hosts: ReadonlySet<string>; readonly scheme: Scheme };

const HEADERS_LIMIT_MS = 10_000;
/** How often, in milliseconds, Node checks for connections whose headers are late. */
const HEADERS_CHECK_MS = 1_000;
const DRAIN_MS = 500;
/**
 * How long, in milliseconds, a connection stays open between calls; the client is informed of this. A model thinks longer than Node's
 * default of five seconds, and a call that is sent just as its connection closes would be lost.
 */
const IDLE_LIMIT_MS = 75_000;

const TIMES = {
  headersTimeout: HEADERS_LIMIT_MS,
  connectionsCheckingInterval: HEADERS_CHECK_MS,
  keepAliveTimeout: IDLE_LIMIT_MS,
  requestTimeout: 0, // no limit here, because a call may take long; it has its own deadline
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
   * Listens and returns the port.
   * @throws WorkbenchError `system` if the port is taken or may not be used.
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

  /** Uses another certificate for new connections. */
  renew(certificate: ServerCertificate): void {
    (this.#server as TlsServer).setSecureContext(tlsOptions(certificate));
  }

  /** Stops accepting connections, waits for running answers, and then closes the remaining connections. */
  async close(): Promise<void> {
    const server = this.#server;
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // Closes connections without a completed TLS handshake too, which Node's own function for closing all connections omits.
    const late = setTimeout(() => this.#connections.endOf(server), DRAIN_MS);
    await closed;
    clearTimeout(late);
  }
}

function tlsOptions({ certificate, key }: ServerCertificate) {
  return { cert: certificate, key, minVersion: 'TLSv1.2', handshakeTimeout: HEADERS_LIMIT_MS } as const;
}

const PLAIN_ANSWER = `This port speaks HTTPS: the address must begin with "https://".\n`;

/** Closes connections whose TLS handshake failed. A plain HTTP client gets an explanation first. */
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

/** Returns the error for a server that cannot listen on its port. It names the program that uses the port. */
export async function listenError(error: Error, port: number): Promise<WorkbenchError> {
  const code = systemCode(error);
  const owner = code === 'EADDRINUSE' ? ((await portOwner(port)) ?? 'another program') : null;
  const reason =
    owner !== null ? `is taken by ${owner}` : code === 'EACCES' ? 'cannot be used (permission denied)' : null;
  return new WorkbenchError('system', `Port ${port} ${reason ?? `cannot be used (${error.message})`}.`, {
    cause: error,
  });
}
