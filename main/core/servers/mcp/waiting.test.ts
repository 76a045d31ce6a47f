import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { modern } from './modern.fixture.ts';
import { older } from './older.fixture.ts';

const KEEP_ALIVE_MS = 50;
const LOOP = '(loop (sleep 0.01))';
let bench: TestWorkbench;
let agent: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench({ keepAliveMs: KEEP_ALIVE_MS });
  agent = await bench.connect('waiter');
  bench.workbench.approvals.setApprover('the test');
  await agent.evaluate('1');
}, 120_000);

afterAll(() => bench.close());

/** Calls as a client that can give up. */
function leaving(name: string, args: object, onprogress?: (progress: Progress) => void) {
  const gone = new AbortController();
  const answer = agent.client
    .callTool({ name, arguments: { ...args } }, undefined, {
      signal: gone.signal,
      timeout: 60_000,
      ...(onprogress ? { onprogress } : {}),
    })
    .catch((error: unknown) => error);
  return { answer, leave: (reason?: string) => gone.abort(reason) };
}

const running = () => bench.workbench.session.view().running?.summary ?? null;
const queued = () => bench.workbench.session.view().waiting.map(({ summary }) => summary);
const cards = () => bench.workbench.approvals.view().waiting;

async function denyAll(): Promise<void> {
  for (const { id, fingerprint } of cards())
    await bench.workbench.approvals.decide(id, fingerprint, { decision: 'denied', reason: 'The test is over.' });
}

describe('a call that is cancelled, 2025-11-25', () => {
  it('leaves the queue when it has not begun', async () => {
    const first = leaving('evaluate-lisp', { code: LOOP });
    await expect.poll(running).toBe(LOOP);
    const second = leaving('evaluate-lisp', { code: '(defvar *must-not-be* 1)' });
    await expect.poll(queued).toEqual(['(defvar *must-not-be* 1)']);
    second.leave();
    await expect.poll(queued).toEqual([]);
    first.leave();
    await expect.poll(running).toBeNull();
    expect(await agent.evaluate("(boundp '*must-not-be*)")).toBe('=> NIL');
  });

  it('is interrupted when it runs', async () => {
    const call = leaving('evaluate-lisp', { code: `(unwind-protect ${LOOP} (defvar *unwound* t))` });
    await expect.poll(running).not.toBeNull();
    call.leave();
    await expect.poll(running).toBeNull();
    expect(await agent.evaluate('*unwound*')).toBe('=> T');
  });

  it('K4 leaves a card that says so when it is held, and nothing runs later without a click', async () => {
    const call = leaving('write-file', { path: 'held.lisp', content: '1' });
    await expect.poll(() => cards().length).toBe(1);
    call.leave();
    await expect.poll(() => cards()[0]?.abandoned).toBe(true);
    expect(cards()[0]!.notice).toBe('waiter stopped waiting. Run anyway?');
    await expect(agent.call('read-file', { path: 'held.lisp' })).resolves.toMatchObject({ isError: true });
    await denyAll();
  });
});

describe('a stream that is dropped, 2026-07-28', () => {
  it('leaves the queue when it has not begun, and is interrupted when it runs', async () => {
    const first = await modern(bench, 'tools/call', { name: 'evaluate-lisp', arguments: { code: LOOP } });
    await expect.poll(running).toBe(LOOP);
    const second = await modern(bench, 'tools/call', {
      name: 'evaluate-lisp',
      arguments: { code: '(defvar *nor-this* 1)' },
    });
    await expect.poll(queued).toEqual(['(defvar *nor-this* 1)']);
    second.drop();
    await expect.poll(queued).toEqual([]);
    first.drop();
    await expect.poll(running).toBeNull();
    expect(await agent.evaluate("(boundp '*nor-this*)")).toBe('=> NIL');
  });

  it('K4 leaves a card that says so, and teaches that this client bears less', async () => {
    const { holds } = bench.workbench.door;
    const info = { name: 'modern', version: '1' };
    expect(holds.of(info)).toBe(25_000);
    const call = await modern(bench, 'tools/call', { name: 'write-file', arguments: { path: 'm.lisp', content: '1' } });
    await expect.poll(() => cards().length).toBe(1);
    call.drop();
    await expect.poll(() => cards()[0]?.abandoned).toBe(true);
    await expect.poll(() => holds.of(info)).toBeLessThan(25_000);
    expect(bench.workbench.clients.list().map(({ protocol }) => protocol)).toContain('MCP 2026-07-28 over HTTP');
    expect(holds.of({ ...info, version: '2' })).toBe(25_000);
    await denyAll();
  });
});

describe('a stream that is dropped, 2025-11-25', () => {
  it('K4 leaves a card that says so, though the call was not cancelled', async () => {
    const session = await older(bench);
    const call = session.send('tools/call', { name: 'write-file', arguments: { path: 'o.lisp', content: '1' } });
    await expect.poll(() => cards().length).toBe(1);
    call.drop();
    await expect.poll(() => cards()[0]?.abandoned).toBe(true);
    await denyAll();
  });

  it('lets code run on that waits for nobody', async () => {
    const session = await older(bench);
    const go = path.join(bench.project, 'go');
    const call = session.send('tools/call', {
      name: 'evaluate-lisp',
      arguments: { code: `(progn (loop until (probe-file "${go}") do (sleep 0.01)) (defvar *ran-on* t))` },
    });
    await expect.poll(running).not.toBeNull();
    call.drop();
    await writeFile(go, '');
    await expect.poll(running).toBeNull();
    expect(await agent.evaluate('*ran-on*')).toBe('=> T');
  });
});

describe('K4 a call that is sent again', () => {
  it('joins the card under a new id, in whatever era, and what was approved runs once', async () => {
    const file = { path: 'once.lisp', content: '(once)' };
    const first = await modern(bench, 'tools/call', { name: 'write-file', arguments: file });
    await expect.poll(() => cards().length).toBe(1);
    first.drop();
    await expect.poll(() => cards()[0]?.abandoned).toBe(true);
    const again = await modern(bench, 'tools/call', { name: 'write-file', arguments: file });
    const beside = bench.fetch('/lisply/ping-lisp');
    await expect.poll(() => cards()[0]?.abandoned).toBe(false);
    expect(cards()).toHaveLength(1);
    await beside;
    const { id } = cards()[0]!;
    await expect
      .poll(
        async () =>
          (await bench.workbench.approvals.decide(id, cards()[0]!.fingerprint, { decision: 'approved' })).reason,
      )
      .toBe('accepted');
    await again.ended;
    expect(again.messages.at(-1)).toMatchObject({ result: { isError: false } });
    const writes = bench.workbench.activity
      .newest(100)
      .filter(
        (event) => event.kind === 'approval-decided' && event.tool === 'write_file' && event.summary.includes('once'),
      );
    expect(writes).toHaveLength(1);
  });
});

describe('progress', () => {
  it('tells that a person is asked, with a growing value', async () => {
    const told: Progress[] = [];
    const call = leaving('write-file', { path: 'asked.lisp', content: '1' }, (progress) => told.push(progress));
    await expect.poll(() => told.length).toBeGreaterThan(0);
    expect(told[0]).toMatchObject({ message: 'A person is asked: Write 1 byte to asked.lisp' });
    await denyAll();
    await call.answer;
  });

  it.each(['2025-11-25', '2026-07-28'])('counts the steps of a load of a system, %s', async (era) => {
    const name = `counted-${era.slice(0, 4)}`;
    const files = ['a', 'b', 'c', 'd'];
    const components = files.map((file) => `(:file "${name}-${file}")`).join(' ');
    await writeFile(
      path.join(bench.project, `${name}.asd`),
      `(defsystem "${name}" :serial t :components (${components}))`,
    );
    for (const file of files) await writeFile(path.join(bench.project, `${name}-${file}.lisp`), '(sleep 0.3)');
    const told: Progress[] = [];
    if (era === '2025-11-25') {
      await leaving('load-system', { system: name }, (progress) => told.push(progress)).answer;
    } else {
      const stream = await modern(
        bench,
        'tools/call',
        { name: 'load-system', arguments: { system: name } },
        { progressToken: 'p' },
      );
      await stream.ended;
      for (const { method, params } of stream.messages)
        if (method === 'notifications/progress') told.push(params as never);
    }
    expect(told.length).toBeGreaterThan(2);
    const values = told.map(({ progress }) => progress);
    expect(values.every((value, index) => index === 0 || value > values[index - 1]!)).toBe(true);
    expect(told.every(({ progress, total }) => total !== undefined && progress <= total)).toBe(true);
    expect(told.some(({ message }) => message!.includes(`${name}-b`))).toBe(true);
  });
});

describe('a stream on which nothing is said', () => {
  it.each([
    ['2025-11-25', oldStream],
    ['2026-07-28', newStream],
  ])('gets comments while its call waits, %s', async (_era, stream) => {
    const text = await stream({ name: 'evaluate-lisp', arguments: { code: '(sleep 0.5)' } });
    expect(text.match(/^:/gm)?.length).toBeGreaterThan(1);
    expect(text).toContain('data: ');
  });

  async function newStream(call: Record<string, unknown>): Promise<string> {
    const { text, ended } = await modern(bench, 'tools/call', call);
    await ended;
    return text();
  }

  async function oldStream(params: Record<string, unknown>): Promise<string> {
    const session = await older(bench);
    return (await session.send('tools/call', params).response).text();
  }
});
