/** The server of the scripted model, on loopback. It implements the features of four vendors' APIs that the agents use. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { LOOPBACK_MODEL } from '#core/hosted/recipes/recipe.ts';
import { anthropic } from './dialects/anthropic.ts';
import { chat } from './dialects/chat.ts';
import type { Body } from './dialects/dialect.ts';
import { geminiContents } from './dialects/gemini.ts';
import { responses } from './dialects/responses.ts';
import { type ModelRequest, replyTo } from './model-script.ts';

const DIALECTS = [anthropic, chat, responses, geminiContents];
/** The name of the server's only model. */
const MODEL = LOOPBACK_MODEL;

export interface ModelServer {
  readonly url: string;
  /** The requests to the model that contain steps, in order. */
  readonly requests: readonly ModelRequest[];
  /** Requested paths that the server does not support. */
  readonly unknown: readonly string[];
}

/** Starts the server, which is closed with `scope`. */
export async function startModelServer(scope: AsyncDisposableStack): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const unknown: string[] = [];
  const server = createServer((request, response) => {
    serve(request, response, requests, unknown).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, unknown };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  requests: ModelRequest[],
  unknown: string[],
): Promise<void> {
  const { pathname } = new URL(request.url!, 'http://localhost');
  const said = await text(request);
  const dialect = DIALECTS.find(({ takes }) => request.method === 'POST' && takes(pathname));
  if (!dialect) return serveRest(request.method!, pathname, response, unknown);
  const body: Body = JSON.parse(said);
  const asked = dialect.read(body);
  if (asked.prompt !== null) requests.push({ ...asked, body: said });
  const reply = replyTo(asked);
  if (!dialect.streams(pathname, body)) return sendJson(response, dialect.whole(reply, body));
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const [name, data] of dialect.events(reply, body))
    response.write(
      `${name === null ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    );
  response.end();
}

function serveRest(method: string, pathname: string, response: ServerResponse, unknown: string[]): void {
  if (pathname.endsWith('/models')) {
    const model = {
      id: MODEL,
      object: 'model',
      created: 1,
      owned_by: 'nobody',
      type: 'model',
      display_name: 'Scripted',
    };
    return sendJson(response, { object: 'list', data: [model], models: [], has_more: false });
  }
  if (pathname.endsWith('/count_tokens')) return sendJson(response, { input_tokens: 10 });
  if (pathname.endsWith(':countTokens')) return sendJson(response, { totalTokens: 10 });
  unknown.push(`${method} ${pathname}`);
  response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not here"}}');
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
