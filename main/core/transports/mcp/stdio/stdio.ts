/** MCP over a pair of streams, for the stdio command and for connections through the private socket. */
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ClientProfile } from '#contract/clients/client.ts';
import type { Actor } from '#contract/image/session.ts';
import type { TransportHost } from '../../host.ts';
import type { Elicit } from '../questions/client-channels.ts';
import { LineTransport } from './line-transport.ts';
import { createMcpServer } from '../server.ts';
import type { ProgressNotice } from '../questions/progress.ts';
import { cancellation, plainCall, type ToolCalls } from '../tool-calls.ts';

/** Facts about a connection that are known before its client introduces itself; see `McpConnection`. */
export interface LineOptions {
  readonly imageNotice?: string | null;
  /** The tool set that the client's command requests; null if it depends on the client. */
  readonly profile?: ClientProfile | null;
}

/** Serves MCP until the input ends. `closed` resolves when that has happened. */
export function serveLines(
  host: TransportHost,
  actor: Actor,
  input: Readable,
  output: Writable,
  how: string,
  { imageNotice = null, profile = null }: LineOptions = {},
): { closed: Promise<void>; close: () => Promise<void> } {
  const transport = new LineTransport(input, output, () => host.openRequests.admit(actor.id));
  const connectionId = `${actor.id}:${randomUUID()}`;
  const disconnect = host.connect(actor, how);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const handle = serveStdio(
    ({ era }) => {
      const tells = era === 'modern' ? 'all' : 'subscribed';
      const { server, calls } = createMcpServer(host, {
        actor,
        connectionId,
        imageNotice,
        tells,
        ...(profile === null ? {} : { profile }),
      });
      if (era === 'legacy') serveCalls(transport, server, calls);
      return server;
    },
    { transport: observed(transport, resolve) },
  );
  void closed.then(() => {
    disconnect();
    host.forget(connectionId);
  });
  return { closed, close: () => handle.close() };
}

/** Answers the calls of a client of the older era without the SDK's layers, after the client has named itself. */
function serveCalls(transport: LineTransport, server: Server, calls: ToolCalls): void {
  const notify = (params: ProgressNotice): Promise<void> =>
    transport.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { ...params } });
  transport.intercept = (message) => {
    const cancelled = cancellation(message);
    if (cancelled) return calls.cancel(cancelled.id, cancelled.reason);
    const info = server.getClientVersion();
    const request = info && plainCall(message);
    if (!request) return false;
    const elicit: Elicit = (params, options) => server.elicitInput(params, options);
    const ways = { capabilities: server.getClientCapabilities(), elicit };
    void calls.serve(request, { info, notify, ...ways }).then((response) => response && transport.send(response));
    return true;
  };
  const end = server.onclose;
  server.onclose = () => {
    calls.close();
    end?.();
  };
}

/** Calls `onClose` when a transport ends. The transport's own `onclose` cannot be used for this, because the SDK sets it. */
function observed(transport: LineTransport, onClose: () => void): LineTransport {
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    onClose();
  };
  return transport;
}
