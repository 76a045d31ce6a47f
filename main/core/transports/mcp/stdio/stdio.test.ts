import { PassThrough } from 'node:stream';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { serveLines } from './stdio.ts';

let bench: TestWorkbench;

beforeAll(async () => {
  bench = await openTestWorkbench();
  await bench.workbench.clients.mint('lines');
}, 120_000);

afterAll(() => bench.close());

interface Lines {
  readonly messages: Record<string, unknown>[];
  readonly closed: Promise<void>;
  send(method: string, params: object, id?: number): void;
  end(): void;
}

/** Opens a connection of the newer version of the protocol, in which each request names its client. */
function lines(): Lines {
  const input = new PassThrough();
  const output = new PassThrough();
  const messages: Record<string, unknown>[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop()!;
    for (const part of parts) messages.push(JSON.parse(part) as Record<string, unknown>);
  });
  const actor = { id: 'client:lines', kind: 'client', name: 'lines' } as const;
  const { closed } = serveLines(bench.workbench.transportHost, actor, input, output, 'MCP over stdio');
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
    [CLIENT_INFO_META_KEY]: { name: 'lines', version: '1' },
    [CLIENT_CAPABILITIES_META_KEY]: {},
  };
  return {
    messages,
    closed,
    send: (method, params, id) =>
      void input.write(
        `${JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params: { ...params, _meta } })}\n`,
      ),
    end: () => input.end(),
  };
}

describe('MCP over lines, 2026-07-28', () => {
  it('MCP over lines answers, tells of changes that were asked for, and cancels', async () => {
    const { messages, send, end, closed } = lines();
    const of = (id: number) => messages.find((message) => message['id'] === id);
    const told = () => messages.filter((message) => message['id'] === undefined).map(({ method }) => method);
    send('tools/call', { name: 'evaluate-lisp', arguments: { code: '(+ 1 2 3)' } }, 1);
    await expect.poll(() => of(1), { timeout: 60_000 }).toMatchObject({ result: { content: [{ text: '=> 6' }] } });
    send('subscriptions/listen', { notifications: { toolsListChanged: true, resourceSubscriptions: [] } }, 2);
    await expect.poll(told).toEqual(['notifications/subscriptions/acknowledged']);
    await bench.workbench.clients.change({ id: 'client:lines', profile: 'all' });
    await expect.poll(() => told().at(-1)).toBe('notifications/tools/list_changed');
    send('tools/call', { name: 'evaluate-lisp', arguments: { code: '(loop (sleep 0.01))' } }, 3);
    await expect.poll(() => bench.workbench.session.view().running).not.toBeNull();
    send('notifications/cancelled', { requestId: 3 });
    await expect.poll(() => bench.workbench.session.view().running).toBeNull();
    expect(told()).not.toContain('notifications/resources/updated');
    end();
    await closed;
  });
});

describe('connection that has ended', () => {
  it('A connection that has ended leaves nobody behind who listens to the workbench', async () => {
    const listeners = (): number => bench.workbench.executor.events.count('ended');
    const before = listeners();
    const { send, messages, end, closed } = lines();
    send('tools/list', {}, 1);
    await expect.poll(() => messages.length).toBe(1);
    expect(listeners()).toBe(before + 1);
    end();
    await closed;
    await expect.poll(listeners).toBe(before);
    await bench.connect('passing');
    expect(listeners()).toBe(before + 1);
    await bench.server.endClient('client:passing');
    await expect.poll(listeners).toBe(before);
  });
});
