/**
 * The server that the MCP benchmark compares with. It uses the same SDK and libraries, and its only tool returns a constant. `stdio` uses
 * its standard streams; `http` listens on a free port and prints its address as one line of JSON.
 */
import { randomUUID } from 'node:crypto';
import type { Server as HttpListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Hono } from 'hono';

const ADDRESS = '127.0.0.1';

function createServer(): Server {
  const server = new Server({ name: 'constant', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'evaluate-lisp', inputSchema: { type: 'object' as const } }],
  }));
  server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text' as const, text: '6' }], isError: false }));
  return server;
}

function listen(): void {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createServer().connect(transport);
    return transport;
  };
  const app = new Hono();
  app.all('/mcp', async (context) => {
    const transport = sessions.get(context.req.header('mcp-session-id') ?? '') ?? (await open());
    return transport.handleRequest(context.req.raw);
  });
  const listener = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as HttpListener;
  listener.listen(0, ADDRESS, () => {
    const { port } = listener.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ mcp: `http://${ADDRESS}:${port}/mcp`, token: 'none' })}\n`);
  });
}

if (process.argv[2] === 'http') listen();
else serveStdio(createServer);
