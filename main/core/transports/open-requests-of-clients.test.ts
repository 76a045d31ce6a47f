/** The limit on a client's open requests, tested through each transport. */
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { openTestWorkbench } from '#core/workbench.fixture.ts';
import { serveLines } from './mcp/stdio/stdio.ts';

const MOST = 3;
const bench = await openTestWorkbench({ mostOpenRequests: MOST });
afterAll(() => bench.close());

const message = (id: number | null, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id === null ? {} : { id }), method, params });

describe('client with many requests', () => {
  it('A client over HTTP makes any number of calls one after the other [K1, issue 35.3]', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 300; n += 1) statuses.add((await bench.fetch('/lisply/ping-lisp')).status);
    expect([...statuses]).toEqual([200]);
  });

  it('A client is answered 429 over HTTP while it has too many requests without an answer, and others are served [K1, issue 35.3]', async () => {
    const { token } = await bench.workbench.clients.mint('flood');
    const authorization = `Bearer ${token}`;
    const ping = () => bench.fetch('/lisply/ping-lisp', { headers: { authorization } });
    const end = new AbortController();
    const open = Array.from({ length: MOST }, () =>
      bench
        .fetch('/lisply/lisp-eval', {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ code: '(loop (sleep 0.01))' }),
          signal: end.signal,
        })
        .catch(() => null),
    );
    await expect.poll(async () => (await ping()).status).toBe(429);
    const refused = await ping();
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toEqual({
      error: expect.stringMatching(/^Nothing was run, because this client already has 3 requests without an answer/),
    });
    expect((await bench.fetch('/lisply/ping-lisp')).status).toBe(200); // another client
    end.abort();
    await Promise.all(open);
    await expect.poll(async () => (await ping()).status).toBe(200);
  });

  it('A client over stdio makes any number of calls one after the other, and is refused too many at once, until it cancels one [K1, issue 35.3]', async () => {
    const { client } = await bench.workbench.clients.mint('lines');
    const [input, output] = [new PassThrough(), new PassThrough()];
    const actor = { id: client.id, kind: 'client', name: client.name } as const;
    const { closed } = serveLines(bench.workbench.transportHost, actor, input, output, 'a test');
    let said = '';
    output.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const answers = () =>
      said
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Answer);
    const answerTo = async (id: number): Promise<Answer> => {
      await expect.poll(() => answers().some((each) => each.id === id)).toBe(true);
      return answers().find((each) => each.id === id)!;
    };
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'l', version: '1' } };
    input.write(`${message(0, 'initialize', opening)}\n${message(null, 'notifications/initialized')}\n`);
    for (let id = 1; id <= 20; id += 1) {
      input.write(`${message(id, 'ping')}\n`);
      expect((await answerTo(id)).error).toBeUndefined();
    }
    const code = '(loop (sleep 0.01))';
    for (const id of [101, 102, 103])
      input.write(`${message(id, 'tools/call', { name: 'evaluate-lisp', arguments: { code } })}\n`);
    input.write(`${message(104, 'ping')}\n`);
    expect((await answerTo(104)).error?.code).toBe(-32_000);
    input.write(`${message(null, 'notifications/cancelled', { requestId: 103 })}\n${message(105, 'ping')}\n`);
    expect((await answerTo(105)).error).toBeUndefined();
    for (const id of [102, 101]) input.write(`${message(null, 'notifications/cancelled', { requestId: id })}\n`);
    await expect.poll(() => bench.workbench.session.view().running).toBeNull();
    input.end();
    await closed;
  });
});

interface Answer {
  readonly id: number;
  readonly error?: { readonly code: number };
}
