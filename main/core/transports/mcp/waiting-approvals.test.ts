/**
 * Calls that wait: for their turn in the queue, for the person's input to their code, or for approval. Tested in both versions of the
 * protocol and over all transports.
 */
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Progress } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { WAYS, wayClients, type WayClient, type WayClients } from './clients.fixture.ts';
import { modern } from './modern.fixture.ts';
import { older } from './older.fixture.ts';

const KEEP_ALIVE_MS = 50;
/** After how many milliseconds calls of a client with a name like `hasty` are answered with a handle. */
const HELD_MS = 150;
const LOOP = '(loop (sleep 0.01))';
const yes: ApprovalDecision = { decision: 'approved' };
let bench: TestWorkbench;
let clients: WayClients;
let agent: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench({ keepAliveMs: KEEP_ALIVE_MS, effects: null });
  const { responseTimeouts } = bench.workbench.transportHost;
  const usual = responseTimeouts.approval.bind(responseTimeouts);
  // Only clients named `impatient`, which one test uses, get the learned timeouts. In other tests clients also give up, but after times
  // that depend on the machine.
  responseTimeouts.approval = (info) =>
    info?.name.startsWith('hasty') ? HELD_MS : info?.name.startsWith('impatient') ? usual(info) : 25_000;
  clients = await wayClients(bench);
  agent = await bench.connect('waiter');
  bench.workbench.approvals.setApprover('the test');
  await bench.workbench.session.start();
});

afterAll(async () => {
  await clients.close();
  await bench.close();
});

const running = () => bench.workbench.session.view().running?.summary ?? null;
const queued = () => bench.workbench.session.view().waiting.map(({ summary }) => summary);
const cards = () => bench.workbench.approvals.view().waiting;
const at = (name: string): string => path.join(bench.project, name);

async function denyAll(): Promise<void> {
  for (const { id, fingerprint } of cards())
    await bench.workbench.approvals.decide(id, fingerprint, { decision: 'denied', reason: 'The test is over.' });
}

describe.each(WAYS)('waiting call over $transport, $era', (way) => {
  const place = `${way.transport}-${way.era}`.toLowerCase();
  let caller: WayClient;

  beforeAll(async () => {
    caller = await clients.open(way, `caller ${place}`);
  });

  it('A cancelled call leaves the queue when it has not begun', async () => {
    const first = caller.start('evaluate-lisp', { code: LOOP });
    await expect.poll(running).toBe(LOOP);
    const second = caller.start('evaluate-lisp', { code: `(defvar |not ${place}| 1)` });
    await expect.poll(queued).toEqual([`(defvar |not ${place}| 1)`]);
    second.cancel();
    await expect.poll(queued).toEqual([]);
    first.cancel();
    await expect.poll(running).toBeNull();
    expect(await agent.evaluate(`(boundp '|not ${place}|)`)).toBe('=> NIL');
  });

  it('A cancelled call is interrupted when it runs', async () => {
    let printed = false;
    const stop = bench.workbench.session.events.on('output', () => (printed = true));
    const call = caller.start('evaluate-lisp', {
      code: `(unwind-protect (progn (print :begun) (finish-output) ${LOOP}) (defvar |unwound ${place}| t))`,
    });
    await expect.poll(() => printed).toBe(true);
    stop();
    call.cancel();
    await expect.poll(running).toBeNull();
    expect(await agent.evaluate(`|unwound ${place}|`)).toBe('=> T');
  });

  it('A cancelled call that waits for approval leaves a card that says so, and nothing runs later without a click [K4]', async () => {
    const call = caller.start('write-file', { path: `held-${place}.lisp`, content: '1' });
    await expect.poll(() => cards().length).toBe(1);
    call.cancel();
    await expect.poll(() => cards()[0]?.abandoned).toBe(true);
    expect(cards()[0]!.notice).toBe(`${caller.name} stopped waiting. Run anyway?`);
    await denyAll();
    await expect(stat(at(`held-${place}.lisp`))).rejects.toThrow(/ENOENT/);
  });

  it('An effect is withdrawn when its call is cancelled [K4]', async () => {
    const file = at(`gone-${place}.txt`);
    const call = caller.start('evaluate-lisp', { code: `(open "${file}" :direction :output)` });
    await nextCard(bench.workbench.approvals);
    call.cancel();
    await expect.poll(cards).toEqual([]);
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
  });

  it('A client that gives up twice after the same time is answered sooner, its card left [K4]', async () => {
    const { responseTimeouts } = bench.workbench.transportHost;
    const bore: number[] = [];
    vi.spyOn(responseTimeouts, 'gaveUp').mockImplementation((_info, afterMs) => void bore.push(afterMs));
    const impatient = await clients.open(way, `impatient ${place}`);
    const call = impatient.call('write-file', { path: `m-${place}.lisp`, content: '1' }, { timeout: 500 });
    await expect(call).rejects.toThrow(/timed? ?out/i);
    await expect.poll(() => cards()[0]?.abandoned).toBe(true);
    await expect.poll(() => bore.length).toBe(1);
    vi.restoreAllMocks();
    const info = { name: impatient.name, version: '1' };
    expect(responseTimeouts.approval(info)).toBe(25_000);
    for (let time = 0; time < 2; time += 1) responseTimeouts.gaveUp(info, bore[0]!);
    expect(responseTimeouts.approval(info)).toBeLessThan(25_000);
    expect(responseTimeouts.approval({ ...info, version: '2' })).toBe(25_000);
    await denyAll();
  });

  it('A call that is sent again joins the card under a new id, and what was approved runs once [K4]', async () => {
    const file = { path: `once-${place}.lisp`, content: '(once)' };
    const first = caller.start('write-file', file);
    await expect.poll(() => cards().length).toBe(1);
    first.cancel();
    await expect.poll(() => cards()[0]?.abandoned).toBe(true);
    const again = caller.call('write-file', file);
    await expect.poll(() => cards()[0]?.abandoned).toBe(false);
    expect(cards()).toHaveLength(1);
    await decideNext(bench.workbench.approvals, yes);
    expect((await again).isError).toBe(false);
    const writes = bench.workbench.activity
      .newest(100)
      .filter((event) => event.kind === 'approval-decided' && event.summary.includes(`once-${place}`));
    expect(writes).toHaveLength(1);
  });

  describe('call that was answered with a handle', () => {
    let hasty: WayClient;

    beforeAll(async () => {
      hasty = await clients.open(way, `hasty ${place}`);
    });

    /** Makes a call that waits for a person. Returns the handle from its answer. */
    async function held(tool: string, args: Record<string, unknown>): Promise<string> {
      const { text, isError, meta } = await hasty.call(tool, args);
      expect(text).toMatch(/^Waiting for approval/);
      expect([isError, meta['status']]).toEqual([false, 'pending_approval']);
      return String(meta['approval_id']);
    }

    /** Waits with the handle until the call has ended, and returns its reply. */
    async function endOf(handle: string): Promise<{ text: string; isError: boolean }> {
      for (;;) {
        const { text, isError, meta } = await hasty.call('await-approval', { approval_id: handle });
        if (meta['status'] !== 'pending_approval' && meta['status'] !== 'running') return { text, isError };
      }
    }

    const write = (file: string): string =>
      `(progn (with-open-file (s "${at(file)}" :direction :output) (write-string "written" s)) :done)`;

    it('An effect waits on after its call was answered, and the code continues when it is approved [K4, decision 26]', async () => {
      const handle = await held('evaluate-lisp', { code: write(`effect-${place}.txt`) });
      // Another call is answered in the meantime, because the waiting call does not block other calls.
      expect(await hasty.evaluate('(+ 1 1)')).toBe('=> 2');
      expect(cards()).toMatchObject([{ headline: `Create the file effect-${place}.txt`, abandoned: false }]);
      await decideNext(bench.workbench.approvals, yes);
      expect(await endOf(handle)).toMatchObject({ text: expect.stringMatching(/^=> :DONE/) as string, isError: false });
      expect(await readFile(at(`effect-${place}.txt`), 'utf8')).toBe('written');
    });

    it('An effect that is denied after its call was answered signals the reason to the code, and await-approval brings it', async () => {
      const handle = await held('evaluate-lisp', { code: write(`denied-${place}.txt`) });
      await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'Not this folder' });
      const { text, isError } = await endOf(handle);
      expect(text).toMatch(/EFFECT-DENIED[^]*Not this folder/);
      expect(isError).toBe(true);
    });

    it('Code that waits for one effect after another after its call was answered is asked about each', async () => {
      const files = [`a-${place}.txt`, `b-${place}.txt`];
      const handle = await held('evaluate-lisp', { code: `(progn ${files.map(write).join(' ')})` });
      await decideNext(bench.workbench.approvals, yes);
      await expect.poll(() => cards()[0]?.headline).toBe(`Create the file ${files[1]}`);
      await decideNext(bench.workbench.approvals, yes);
      expect((await endOf(handle)).isError).toBe(false);
      for (const file of files) expect(await readFile(at(file), 'utf8')).toBe('written');
    });

    it('An effect that nobody decides is denied at the deadline of the workbench, not when its call is answered [G5]', async () => {
      await bench.workbench.changeSettings({ approvalMinutes: 0.05 });
      const handle = await held('evaluate-lisp', { code: write(`nobody-${place}.txt`) });
      await bench.workbench.changeSettings({ approvalMinutes: 5 });
      expect((await endOf(handle)).text).toMatch(/EFFECT-DENIED[^]*The person did not decide within/);
    });

    it('A write that is approved after its call was answered is done, and await-approval brings the result [K4, decision 26]', async () => {
      const file = `late-${place}.txt`;
      const handle = await held('write-file', { path: file, content: 'late' });
      await decideNext(bench.workbench.approvals, yes);
      expect(await endOf(handle)).toEqual({ text: `Wrote 4 bytes to ${file}.`, isError: false });
      expect(await readFile(at(file), 'utf8')).toBe('late');
    });

    it('A write that is denied after its call was answered has its reason from await-approval', async () => {
      const handle = await held('write-file', { path: `no-${place}.txt`, content: 'no' });
      await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'Use another name' });
      expect(await endOf(handle)).toEqual({
        text: 'User denied tool execution: Use another name',
        isError: true,
      });
    });
  });

  it('Progress tells that a person is asked, with a growing value', async () => {
    const told: Progress[] = [];
    const call = caller.call(
      'write-file',
      { path: `asked-${place}.lisp`, content: '1' },
      { onprogress: (progress) => told.push(progress) },
    );
    await expect.poll(() => told.length).toBeGreaterThan(0);
    expect(told[0]).toMatchObject({
      message: `Waiting for the decision of a person: Write 1 byte to asked-${place}.lisp`,
    });
    await denyAll();
    await call;
  });

  it('Progress counts the steps of a load of a system', async () => {
    const name = `counted-${place}`;
    const files = ['a', 'b', 'c', 'd'];
    const components = files.map((file) => `(:file "${name}-${file}")`).join(' ');
    await writeFile(at(`${name}.asd`), `(defsystem "${name}" :serial t :components (${components}))`);
    for (const file of files) await writeFile(at(`${name}-${file}.lisp`), '(sleep 0.3)');
    const told: Progress[] = [];
    await caller.call('load-system', { system: name }, { onprogress: (progress) => told.push(progress) });
    expect(told.length).toBeGreaterThan(2);
    const values = told.map(({ progress }) => progress);
    expect(values.every((value, index) => index === 0 || value > values[index - 1]!)).toBe(true);
    expect(told.every(({ progress, total }) => total !== undefined && progress <= total)).toBe(true);
    expect(told.some(({ message }) => message!.includes(`${name}-b`))).toBe(true);
  });
});

describe('dropped stream of a session, which cancels nothing', () => {
  it('A dropped stream of 2025-11-25 leaves a card that says so, though the call was not cancelled [K4]', async () => {
    const session = await older(bench);
    const call = session.send('tools/call', { name: 'write-file', arguments: { path: 'o.lisp', content: '1' } });
    await expect.poll(() => cards().length).toBe(1);
    call.drop();
    await expect.poll(() => cards()[0]?.abandoned).toBe(true);
    await denyAll();
  });

  it('A dropped stream of 2025-11-25 lets code continue that waits for nobody', async () => {
    const session = await older(bench);
    const go = at('go');
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

describe('silent stream', () => {
  it.each([
    ['2025-11-25', oldStream],
    ['2026-07-28', newStream],
  ])('A stream on which nothing is said gets comments while its call waits, %s', async (_era, stream) => {
    const text = await stream({ name: 'evaluate-lisp', arguments: { code: '(sleep 0.5)' } });
    expect(text.match(/^:/gm)?.length).toBeGreaterThan(1);
    expect(text).toContain('data: ');
    expect(bench.workbench.clients.list().map(({ protocol }) => protocol)).toContain('MCP 2026-07-28 over HTTP');
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
