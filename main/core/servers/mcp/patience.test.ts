/**
 * Clients of every patience, in both eras and over both doors, ask for what a person decides sooner or later: no decision
 * is lost, and what was approved is done once. Time runs twenty times as fast here, for the clients, the server's holds
 * and the card alike: what counts is which of them ends first.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { INERT_MS } from '#core/approvals/entry.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { modern } from './modern.fixture.ts';
import { serveLines } from './stdio.ts';

const FASTER = 20;
/** Milliseconds of real time. */
const SECOND = 1000 / FASTER;
let bench: TestWorkbench;

beforeAll(async () => {
  bench = await openTestWorkbench();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() * FASTER);
  const { holds } = bench.workbench.door;
  const hold = holds.of.bind(holds);
  holds.of = (info) => hold(info) / FASTER;
  bench.workbench.approvals.setApprover('the test');
}, 120_000);

afterAll(async () => {
  vi.restoreAllMocks();
  await bench.close();
});

interface Answer {
  readonly text: string;
  readonly approval: string | null;
}

/** One request of a client; null when it lost patience. */
type Ask = (tool: string, args: Record<string, unknown>, limitMs: number) => Promise<Answer | null>;

describe('K4 case 18 no decision is lost', () => {
  const ways = [20, 30, 60, 240, 300].flatMap((limit) =>
    ['HTTP', 'stdio'].flatMap((door) => [true, false].map((progress) => ({ limit, door, progress }))),
  );

  it.each([3, 24, 40, 130])(
    'that a person makes after %d s, by clients that bear 20 to 300 s, over HTTP and stdio, with and without progress',
    async (seconds) => {
      const { approvals } = bench.workbench;
      const decided: string[] = [];
      const stops = [
        approvals.events.on(
          'requested',
          ({ card: { id } }) => void setTimeout(() => void approve(id), seconds * SECOND),
        ),
        approvals.events.on('decided', ({ card, decision }) => decided.push(`${card.actor.name} ${decision.decision}`)),
      ];
      const names = await Promise.all(
        ways.map(async ({ limit, door, progress }) => {
          const name = `${door} ${limit} ${progress ? 'told' : 'untold'} ${seconds}`;
          const { ask, leave } = await (door === 'HTTP' ? overHttp : overStdio)(name, progress);
          const file = { path: `${name}.txt`, content: name };
          expect(await untilTold(ask, file, limit * SECOND)).toBe(`Wrote ${name.length} bytes to ${file.path}.`);
          expect(await readFile(path.join(bench.project, file.path), 'utf8')).toBe(name);
          leave();
          return name;
        }),
      );
      expect(decided.toSorted()).toEqual(names.map((name) => `${name} approved`).toSorted());
      for (const stop of stops) stop();
    },
    60_000,
  );

  /** Clicks until it counts: a card that was drawn anew the moment before takes no click. */
  async function approve(id: string): Promise<void> {
    const { approvals } = bench.workbench;
    for (;;) {
      const card = approvals.view().waiting.find((each) => each.id === id);
      if (!card) return;
      await approvals.decide(id, card.fingerprint, { decision: 'approved' });
      await new Promise((resolve) => setTimeout(resolve, (2 * INERT_MS) / FASTER));
    }
  }

  /** As clients do: the handle is awaited where there is one, else the call is made again. */
  async function untilTold(ask: Ask, file: Record<string, unknown>, limitMs: number): Promise<string> {
    let handle: string | null = null;
    for (let tries = 0; tries < 100; tries += 1) {
      const answer: Answer | null =
        handle === null
          ? await ask('write-file', file, limitMs)
          : await ask('await-approval', { approval_id: handle }, limitMs);
      if (answer && answer.approval === null) return answer.text;
      handle = answer?.approval ?? handle;
    }
    return 'never told';
  }
});

describe('K4 case 12 a decision that comes when nobody waits', () => {
  it.each([
    ['HTTP', overHttp],
    ['stdio', overStdio],
  ])('is told to the same call sent again, and done once, over %s', async (door, open) => {
    const { approvals } = bench.workbench;
    const { ask, leave } = await open(`late ${door}`, false);
    const file = { path: `late-${door}.txt`, content: 'late' };
    expect(await ask('write-file', file, 10 * SECOND)).toBeNull();
    await expect.poll(() => approvals.view().waiting[0]?.abandoned).toBe(true);
    const { id, fingerprint } = approvals.view().waiting[0]!;
    await expect
      .poll(async () => (await approvals.decide(id, fingerprint, { decision: 'approved' })).reason)
      .toBe('accepted');
    expect(await ask('write-file', file, 60 * SECOND)).toEqual({
      text: `Wrote 4 bytes to late-${door}.txt.`,
      approval: null,
    });
    expect(approvals.view().waiting).toEqual([]);
    leave();
  });
});

describe('case 19 progress', () => {
  it.each([
    ['HTTP', overHttp],
    ['stdio', overStdio],
  ])(
    'over %s only grows, ends with its answer, and is told to nobody who did not ask',
    async (door, open) => {
      const name = `steps-${door.toLowerCase()}`;
      const files = ['a', 'b', 'c', 'd'].map((each) => `${name}-${each}`);
      for (const file of files) await writeFile(path.join(bench.project, `${file}.lisp`), '(sleep 0.25)');
      await writeFile(
        path.join(bench.project, `${name}.asd`),
        `(defsystem "${name}" :serial t :components (${files.map((file) => `(:file "${file}")`).join(' ')}))`,
      );
      const loud = await open(`loud ${door}`, true);
      const quiet = await open(`quiet ${door}`, false);
      for (const { ask } of [loud, quiet])
        expect((await ask('load-system', { system: name }, 6000 * SECOND))!.text).toContain(`Loaded: ${name}`);
      expect(quiet.progress).toEqual([]);
      expect(loud.progress.length).toBeGreaterThan(2);
      const values = loud.progress.map(({ value }) => value);
      expect(values).toEqual([...new Set(values)].toSorted((one, other) => one - other));
      expect(loud.progress.filter(({ after }) => after)).toEqual([]);
      quiet.leave();
      loud.leave();
    },
    60_000,
  );
});

interface Told {
  readonly value: number;
  /** It came when its call was answered already. */
  readonly after: boolean;
}

interface Opened {
  readonly ask: Ask;
  readonly progress: Told[];
  readonly leave: () => void;
}

async function overHttp(name: string, wanted: boolean): Promise<Opened> {
  const { token } = await bench.workbench.clients.mint(name);
  const progress: Told[] = [];
  const fetchAs = (route: string, init: RequestInit = {}): Promise<Response> =>
    bench.fetch(route, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
  let calls = 0;
  const ask: Ask = async (tool, args, limitMs) => {
    const call = `call ${(calls += 1)}`;
    const stream = await modern(
      { fetch: fetchAs },
      'tools/call',
      { name: tool, arguments: args },
      wanted ? { progressToken: call } : {},
    );
    const timer = setTimeout(() => stream.drop(), limitMs);
    await stream.ended;
    clearTimeout(timer);
    const answered = stream.messages.findIndex((message) => 'result' in message || 'error' in message);
    for (const [index, { method, params }] of stream.messages.entries())
      if (method === 'notifications/progress')
        progress.push({
          value: (params as { progress: number }).progress,
          after: answered >= 0 && index > answered,
        });
    return answered < 0 ? null : answerOf(stream.messages[answered]!['result']);
  };
  return { ask, progress, leave: () => {} };
}

async function overStdio(name: string, wanted: boolean): Promise<Opened> {
  const { token } = await bench.workbench.clients.mint(name);
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveLines(
    bench.workbench.door,
    bench.workbench.clients.authenticate(token)!,
    input,
    output,
    'MCP over stdio',
  );
  const waiting = new Map<unknown, (answer: Answer | null) => void>();
  const answered = new Set<unknown>();
  const progress: Told[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const { id, result, method, params } = JSON.parse(line) as {
        id?: number;
        result?: unknown;
        method?: string;
        params?: unknown;
      };
      if (method === 'notifications/progress') {
        const { progressToken, progress: value } = params as { progressToken: string; progress: number };
        progress.push({ value, after: answered.has(Number(progressToken)) });
      } else if (id !== undefined) {
        answered.add(id);
        waiting.get(id)?.(result === undefined ? null : answerOf(result));
      }
    }
  });
  const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let calls = 0;
  const request = (method: string, params: object, limitMs: number): Promise<Answer | null> => {
    const id = (calls += 1);
    const meta = wanted ? { _meta: { progressToken: String(id) } } : {};
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'Request timed out' } });
        resolve(null);
      }, limitMs);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      send({ id, method, params: { ...params, ...meta } });
    });
  };
  const clientInfo = { name, version: '1' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 6000 * SECOND);
  send({ method: 'notifications/initialized' });
  return {
    progress,
    ask: (tool, args, limitMs) => request('tools/call', { name: tool, arguments: args }, limitMs),
    leave: () => void served.close(),
  };
}

function answerOf(result: unknown): Answer {
  const { content, _meta } = result as { content?: { text: string }[]; _meta?: Record<string, unknown> };
  const pending = _meta?.['status'] === 'pending_approval';
  return { text: content?.[0]?.text ?? '', approval: pending ? String(_meta['approval_id']) : null };
}
