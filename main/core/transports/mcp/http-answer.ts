/**
 * The HTTP response to a tool call. It is JSON if the answer comes at once. Otherwise it is a stream that stays open until the answer
 * comes.
 */
import type { ServerResponse } from 'node:http';
import type { ErrorResponse } from './message-checks.ts';
import type { CallResponse } from './tool-calls.ts';

/** The time, in milliseconds, after which a response becomes a stream. This is much less than any client waits for a first byte. */
const AT_ONCE_MS = 100;

/**
 * Responds with the result of `answer`, which never rejects. If the result is null, the call was cancelled, so no answer is sent. Until the
 * result is known, sends a comment every `keepAliveMs` milliseconds. `headers` are added to the response.
 */
export async function respond(
  outgoing: ServerResponse,
  answer: Promise<CallResponse | ErrorResponse | null>,
  keepAliveMs: number,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  let keepAlive: NodeJS.Timeout | undefined;
  const late = setTimeout(() => {
    outgoing.writeHead(200, { ...headers, ...STREAM });
    outgoing.flushHeaders();
    keepAlive = setInterval(() => outgoing.write(': keepalive\n\n'), keepAliveMs);
  }, AT_ONCE_MS);
  const message = await answer;
  clearTimeout(late);
  clearInterval(keepAlive);
  if (outgoing.destroyed) return;
  const text = message === null ? null : JSON.stringify(message);
  if (keepAlive) outgoing.end(text === null ? '' : `event: message\ndata: ${text}\n\n`);
  else if (text === null) outgoing.writeHead(204, headers).end();
  else
    outgoing
      .writeHead(200, { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text);
}

const STREAM = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
};
