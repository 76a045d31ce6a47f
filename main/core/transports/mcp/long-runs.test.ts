/** Evaluations that take longer than their client waits, in both versions of the protocol and over all transports. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type Reply, type TestWorkbench } from '#core/workbench.fixture.ts';
import { WAYS, wayClients, type WayClient, type WayClients } from './clients.fixture.ts';

/** After how many milliseconds a call of these clients is answered with a handle. */
const HELD_MS = 150;
const LOOP = '(loop (sleep 0.05))';
let bench: TestWorkbench;
let clients: WayClients;

beforeAll(async () => {
  bench = await openTestWorkbench();
  const { responseTimeouts } = bench.workbench.transportHost;
  responseTimeouts.response = responseTimeouts.approval = () => HELD_MS;
  clients = await wayClients(bench);
  await writeFile(path.join(bench.project, 'slow.lisp'), '(sleep 0.6)');
  await writeFile(path.join(bench.project, 'slow.asd'), '(defsystem "slow" :components ((:file "slow")))');
  await bench.workbench.session.start();
});

afterAll(async () => {
  await clients.close();
  await bench.close();
});

function handleOf({ text, isError, meta }: Reply): string {
  expect(text).toMatch(/^Still running after \d+ s, and it continues\./);
  expect([isError, meta['status']]).toEqual([false, 'running']);
  expect(text).toContain(`await-approval with {"approval_id": "${String(meta['approval_id'])}"}`);
  return String(meta['approval_id']);
}

/** Waits with the handle until the call has ended. */
async function endOf(agent: WayClient, handle: string): Promise<Reply> {
  for (;;) {
    const reply = await agent.call('await-approval', { approval_id: handle });
    if (reply.meta['status'] !== 'running') return reply;
  }
}

const running = () => bench.workbench.session.view().running;

describe.each(WAYS)('long call over $transport, $era', (way) => {
  const place = `${way.transport}-${way.era}`;
  let agent: WayClient;

  beforeAll(async () => {
    agent = await clients.open(way, `hasty ${place}`);
  });

  it('A call that takes longer is answered with a handle and its output, continues, and await-approval returns its end', async () => {
    const code = `(progn (print :begun) (finish-output) (sleep 0.6) (defparameter *long* "${place}") :done)`;
    const first = await agent.call('evaluate-lisp', { code });
    const handle = handleOf(first);
    expect(first.text).toContain('[Output so far]\n\n:BEGUN');
    expect(first.text).toContain(`interrupt-evaluation with {"evaluation": "${handle}"}`);
    expect((await endOf(agent, handle)).text).toMatch(/\[stdout\]\n\n:BEGUN\s+=> :DONE$/);
    expect(await agent.evaluate('*long*')).toBe(`=> "${place}"`);
  });

  it('A call that asks for progress is answered with a handle too, and continues', async () => {
    const told: number[] = [];
    const first = await agent.call(
      'evaluate-lisp',
      { code: '(progn (sleep 0.6) :with-progress)' },
      { onprogress: ({ progress }) => told.push(progress) },
    );
    const handle = handleOf(first);
    expect((await endOf(agent, handle)).text).toBe('=> :WITH-PROGRESS');
    expect(agent.stray()).toBe(0);
  });

  it('A call by the name of its tool is answered with a handle too, and continues', async () => {
    const call = { name: 'evaluate-lisp', arguments: { code: '(progn (sleep 0.6) :by-name)' } };
    expect((await endOf(agent, handleOf(await agent.call('call-tool', call)))).text).toBe('=> :BY-NAME');
  });

  it('A call that was answered with a handle ends as it would have, though nobody asks for it', async () => {
    handleOf(await agent.call('evaluate-lisp', { code: `(progn (sleep 0.6) (setf (get :unasked :end) "${place}"))` }));
    await expect.poll(() => running()).toBeNull();
    expect(await agent.evaluate('(get :unasked :end)')).toBe(`=> "${place}"`);
  });

  it('The same call, sent again meanwhile, joins the running one and is not run twice', async () => {
    const code = `(progn (incf (get :run :times-${place} 0)) (sleep 0.6) (get :run :times-${place}))`;
    const handle = handleOf(await agent.call('evaluate-lisp', { code }));
    const again = await agent.call('evaluate-lisp', { code });
    expect(again.meta['status'] === 'running' ? again.meta['approval_id'] : handle).toBe(handle);
    expect((await endOf(agent, handle)).text).toBe('=> 1');
  });

  it('A cancelled wait for the end of a call does not cancel the call', async () => {
    const handle = handleOf(await agent.call('evaluate-lisp', { code: '(progn (sleep 0.6) :to-the-end)' }));
    const wait = agent.start('await-approval', { approval_id: handle });
    wait.cancel();
    await expect(wait.reply).rejects.toThrow(/abort/i);
    expect((await endOf(agent, handle)).text).toBe('=> :TO-THE-END');
  });

  it('An endless loop ends by interruption only, and await-approval says so', async () => {
    const handle = handleOf(await agent.call('evaluate-lisp', { code: LOOP }));
    expect((await agent.call('await-approval', { approval_id: handle })).meta['status']).toBe('running');
    expect(running()).not.toBeNull();
    expect((await agent.call('interrupt-evaluation', { evaluation: handle })).isError).toBe(false);
    expect(await endOf(agent, handle)).toMatchObject({
      isError: true,
      text: expect.stringContaining('interrupted') as unknown,
    });
    expect(await agent.evaluate('(+ 1 2)')).toBe('=> 3');
  });

  it('A call that was answered with a handle is ended when all agents are stopped', async () => {
    const { agents, clients: known } = bench.workbench;
    handleOf(await agent.call('evaluate-lisp', { code: LOOP }));
    const paused = await agents.stopAll();
    await expect.poll(() => running()).toBeNull();
    for (const id of paused) await known.change({ id, paused: false });
    expect(await agent.evaluate('(+ 1 2)')).toBe('=> 3');
  });

  it.each([
    ['compile-form', { form: '(eval-when (:load-toplevel) (sleep 0.6))' }, /^Compiled and loaded/],
    ['time-execution', { form: '(sleep 0.2)' }, /real time|seconds|ms/i],
    ['load-file', { path: 'slow.lisp' }, /^Compiled and loaded/],
    ['load-system', { system: 'slow' }, /Loaded: slow/],
  ])('A call of %s that takes longer is answered with a handle too, and ends', async (tool, args, expected) => {
    const handle = handleOf(await agent.call(tool, args));
    const end = await endOf(agent, handle);
    expect(end.isError).toBe(false);
    expect(end.text).toMatch(expected);
  });

  it('The answer to a call that waits for its turn names the call before it, and the call runs when its turn comes', async () => {
    const other = await clients.open(way, `slow ${place}`);
    const first = await other.call('evaluate-lisp', { code: '(sleep 1)' });
    expect(first.text).toMatch(/^Still running after/);
    const second = await agent.call('evaluate-lisp', { code: '(+ 1 1)' });
    expect(second.text).toMatch(/^Not started after \d+ s: it is queued behind slow .*'s \(sleep 1\)\. Do not send/);
    expect((await endOf(agent, String(second.meta['approval_id']))).text).toBe('=> 2');
    await other.end();
  });
});

/**
 * A client's loop ends with the client's connection. This applies only to protocol versions and transports in which a connection can end.
 */
describe.each(WAYS.filter(({ transport, era }) => transport === 'mcp' || era === '2025-11-25'))(
  'connection of a long call over $transport, $era',
  (way) => {
    it('A loop is ended with the connection that nobody uses again', async () => {
      const agent = await clients.open(way, `leaving ${way.transport} ${way.era}`);
      handleOf(await agent.call('evaluate-lisp', { code: LOOP }));
      await agent.end();
      await expect.poll(() => running()).toBeNull();
    });
  },
);
