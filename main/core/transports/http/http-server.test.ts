import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf } from '#core/tools/checked-call.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { BODY_LIMIT } from './request-checks.ts';

let bench: TestWorkbench;

beforeAll(async () => {
  bench = await openTestWorkbench();
}, 120_000);

afterAll(() => bench.close());

/** Sends raw octets. Resolves with everything received until the server closes the connection. */
function raw(text: string): Promise<{ answer: string; tookMs: number }> {
  const started = Date.now();
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(bench.url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', () => {});
    socket.on('close', () => resolve({ answer, tookMs: Date.now() - started }));
  });
}

describe('HTTP transport', () => {
  it('The HTTP transport ends a connection whose headers are not complete in ten seconds [K1, case 10]', async () => {
    const { tookMs } = await raw('GET /lisply/ping-lisp HTTP/1.1\r\nHost: x\r\n');
    expect(Math.floor(tookMs / 1000)).toBeGreaterThanOrEqual(9);
  });

  it.each(['/mcp', '/lisply/lisp-eval'])(
    'The HTTP transport refuses a body over 4 MiB at %s, and closes the connection [K1]',
    async (route) => {
      const response = await bench.fetch(route, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: ' '.repeat(BODY_LIMIT + 1),
      });
      expect([response.status, response.headers.get('connection')]).toEqual([413, 'close']);
      expect(await (await bench.fetch('/lisply/ping-lisp')).text()).toBe('pong');
    },
  );
});

describe('client that opens session after session', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const post = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
    bench.fetch('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(body),
    });

  it('A client that opens session after session loses the one that was silent longest, not one that is in use [K1]', async () => {
    const ids: string[] = [];
    const listening = new AbortController();
    for (let index = 0; index < 65; index += 1) {
      const response = await post(initialize);
      await response.text();
      ids.push(response.headers.get('mcp-session-id')!);
      if (index === 0)
        await bench.fetch('/mcp', {
          headers: { accept: 'text/event-stream', 'mcp-session-id': ids[0]! },
          signal: listening.signal,
        });
    }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const answers = await Promise.all(ids.slice(0, 3).map((id) => post(ping, { 'mcp-session-id': id })));
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
    listening.abort();
  });
});

describe('token that becomes void', () => {
  it('A token that becomes void ends a Lisply evaluation that is under way, and denies what waits [K1]', async () => {
    const { workbench, url } = bench;
    const { token, client } = await workbench.clients.mint('gone');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const evaluation = fetch(`${url}/lisply/lisp-eval`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ code: '(loop)' }),
    }).then((response) => response.text());
    workbench.approvals.setApprover('the test');
    const actor = workbench.clients.authenticate(token)!;
    const waiting = workbench.transportHost.call(callOf('w', 'write_file', { path: 'x.lisp', content: 'x' }), {
      actor,
      connectionId: 'gone',
      approvalTimeoutMs: 20_000,
    });
    await expect.poll(() => workbench.session.view().running?.actor.id).toBe(client.id);
    await expect.poll(() => workbench.approvals.view().waiting.length).toBe(1);
    workbench.clients.events.on('revoked', ({ id }) => void bench.server.endClient(id));
    await workbench.clients.revoke(client.id);
    await expect(evaluation).rejects.toThrow(/terminated|closed/);
    expect((await waiting).result).toMatchObject({ content: 'Not approved: The token of this client was revoked.' });
    await expect.poll(() => workbench.session.view().state).toBe('idle');
  });

  it('A token that becomes void ends an MCP call that is under way [K1]', async () => {
    const { workbench } = bench;
    const agent = await bench.connect('also gone');
    agent.call('evaluate-lisp', { code: '(loop)' }).catch(() => {}); // the call is never answered, so it fails in the end
    await expect.poll(() => workbench.session.view().running?.actor.name).toBe('also gone');
    workbench.clients.events.on('revoked', ({ id }) => void bench.server.endClient(id));
    await workbench.clients.revoke('client:also gone');
    await expect.poll(() => workbench.session.view().state).toBe('idle');
  });
});
