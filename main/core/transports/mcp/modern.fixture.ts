/**
 * A client of protocol version 2026-07-28 over HTTP that sends plain requests. Each request names its client, and ends when its stream
 * ends.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import type { TestWorkbench } from '#core/workbench.fixture.ts';

export interface ModernStream {
  readonly status: number;
  /** The messages received so far, in order. */
  readonly messages: Record<string, unknown>[];
  /** Returns all received text, including comments. */
  readonly text: () => string;
  /** Settles when the stream has ended for any reason. */
  readonly ended: Promise<void>;
  /** Ends the stream as a client does when it gives up. */
  readonly drop: () => void;
}

const VERSION = '2026-07-28';

/** Sends one request, and reads the answer while it arrives. */
export async function modern(
  bench: Pick<TestWorkbench, 'fetch'>,
  method: string,
  params: Record<string, unknown> = {},
  meta: Record<string, unknown> = {},
): Promise<ModernStream> {
  const gone = new AbortController();
  const name = params['name'] ?? params['uri'];
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: VERSION,
    [CLIENT_INFO_META_KEY]: { name: 'modern', version: '1' },
    [CLIENT_CAPABILITIES_META_KEY]: {},
    ...meta,
  };
  const response = await bench.fetch('/mcp', {
    method: 'POST',
    signal: gone.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  let text = '';
  const messages: Record<string, unknown>[] = [];
  const read = async (): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const data = line.startsWith('data: ') ? line.slice(6) : line.startsWith('{') ? line : null;
        if (data !== null) messages.push(JSON.parse(data) as Record<string, unknown>);
      }
    }
    if (rest.startsWith('{')) messages.push(JSON.parse(rest) as Record<string, unknown>);
  };
  const ended = read().catch(() => {}); // a stream that was dropped ends with an error
  return { status: response.status, messages, text: () => text, ended, drop: () => gone.abort() };
}
