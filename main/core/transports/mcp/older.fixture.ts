/** A client of protocol version 2025-11-25 over HTTP that sends plain requests. If a request's stream ends, its call continues. */
import type { TestWorkbench } from '#core/workbench.fixture.ts';

export interface OlderSession {
  /** Sends a request, whose answer is a stream. */
  send(
    method: string,
    params: Record<string, unknown>,
  ): { readonly response: Promise<Response>; readonly drop: () => void };
  /** Ends the session as a client does when it has finished. */
  end(): Promise<void>;
}

/** Connects a client of the older version of the protocol, with the bench's token or with another token. */
export async function older(bench: Pick<TestWorkbench, 'fetch' | 'token'>, token = bench.token): Promise<OlderSession> {
  const authorization = `Bearer ${token}`;
  const accept = 'application/json, text/event-stream';
  const headers = { authorization, 'content-type': 'application/json', accept };
  const post = (body: object, more: Record<string, string>, signal?: AbortSignal): Promise<Response> =>
    bench.fetch('/mcp', {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      ...(signal ? { signal } : {}),
    });
  const clientInfo = { name: 'older', version: '1' };
  const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const opened = await post({ id: 0, method: 'initialize', params: opening }, {});
  await opened.text();
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
  let id = 0;
  return {
    send(method, params) {
      id += 1;
      const gone = new AbortController();
      const response = post({ id, method, params }, session, gone.signal);
      response.catch(() => {}); // the request may be dropped before its headers arrive
      return { response, drop: () => gone.abort() };
    },
    async end() {
      await (await bench.fetch('/mcp', { method: 'DELETE', headers: { authorization, ...session } })).text();
    },
  };
}
