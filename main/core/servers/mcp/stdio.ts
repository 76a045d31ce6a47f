/** MCP over a pair of streams: the stdio command, and connections that come in through the private socket. */
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Actor } from '#contract/session.ts';
import type { DoorHost } from '../door.ts';
import { LineTransport } from './line-transport.ts';
import { createMcpServer } from './server.ts';

/** Serves MCP until the input ends; `closed` resolves then. */
export function serveLines(
  host: DoorHost,
  actor: Actor,
  input: Readable,
  output: Writable,
  how: string,
): { closed: Promise<void>; close: () => Promise<void> } {
  const transport = new LineTransport(input, output, () => host.rate.take(actor.id));
  const context = `${actor.id}:${randomUUID()}`;
  const disconnect = host.connect(actor, how);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const handle = serveStdio(
    ({ era }) => createMcpServer(host, { actor, context, tells: era === 'modern' ? 'all' : 'subscribed' }),
    { transport: observed(transport, resolve) },
  );
  void closed.then(() => {
    disconnect();
    host.forget(context);
  });
  return { closed, close: () => handle.close() };
}

/** Tells the end of a transport whose `onclose` belongs to the SDK. */
function observed(transport: LineTransport, onClose: () => void): LineTransport {
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    onClose();
  };
  return transport;
}
