/** The limit of requests as clients meet it, at each door. */
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { openTestWorkbench } from '#core/workbench.fixture.ts';
import { serveLines } from './mcp/stdio.ts';

const bench = await openTestWorkbench({ rate: { perSecond: 0.001, burst: 20 } });
afterAll(() => bench.close());

const message = (id: number | null, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id === null ? {} : { id }), method, params });

describe('K1 a client that asks too often', () => {
  it('is answered 429 over HTTP, and when to come back, whatever it asks for; it is counted as refused', async () => {
    const { token } = await bench.workbench.clients.mint('flood');
    const authorization = `Bearer ${token}`;
    const ping = () => bench.fetch('/lisply/ping-lisp', { headers: { authorization } });
    const statuses: number[] = [];
    for (let n = 0; n < 25; n += 1) statuses.push((await ping()).status);
    expect(statuses).toEqual([...Array<number>(20).fill(200), ...Array<number>(5).fill(429)]);
    const refused = await bench.fetch('/mcp', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: message(1, 'tools/list'),
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toEqual({
      error: expect.stringMatching(/too long\. Nothing was run\. Wait a second/),
    });
    expect((await bench.fetch('/lisply/ping-lisp')).status).toBe(200); // another client
  });

  it('is answered an error over stdio, and can still cancel', async () => {
    const { client } = await bench.workbench.clients.mint('lines');
    const [input, output] = [new PassThrough(), new PassThrough()];
    const actor = { id: client.id, kind: 'client', name: client.name } as const;
    const { closed } = serveLines(bench.workbench.door, actor, input, output, 'a test');
    let said = '';
    output.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const answers = () =>
      said
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Answer);
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'l', version: '1' } };
    input.write(`${message(0, 'initialize', opening)}\n${message(null, 'notifications/initialized')}\n`);
    const code = '(loop (sleep 0.01))';
    input.write(`${message(1, 'tools/call', { name: 'evaluate-lisp', arguments: { code } })}\n`);
    await expect.poll(() => bench.workbench.session.view().running?.summary).toBe(code);
    for (let id = 2; id < 22; id += 1) input.write(`${message(id, 'ping')}\n`);
    await expect.poll(() => answers().length).toBe(21);
    const errors = answers().flatMap(({ id, error }) => (error ? [[id, error.code]] : []));
    expect(errors).toEqual([
      [20, -32_000],
      [21, -32_000],
    ]);
    input.write(`${message(null, 'notifications/cancelled', { requestId: 1 })}\n`);
    await expect.poll(() => bench.workbench.session.view().running).toBeNull();
    input.end();
    await closed;
  });
});

interface Answer {
  readonly id: number;
  readonly error?: { readonly code: number };
}
