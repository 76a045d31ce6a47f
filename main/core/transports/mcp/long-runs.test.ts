/** Evaluations that take longer than their client waits. */
import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#contract/session.ts';
import {
  openTestWorkbench,
  testClient,
  type Reply,
  type TestClient,
  type TestWorkbench,
} from '#core/workbench.fixture.ts';
import { createMcpServer } from './server.ts';

let bench: TestWorkbench;
let agent: TestClient;
let connectionId: string;

/** A real client of a real server, which waits a third of a second for an answer. */
async function impatient(name: string): Promise<TestClient> {
  const actor: Actor = { id: `client:${name}`, kind: 'client', name };
  connectionId = `${actor.id}:${randomUUID()}`;
  const [near, far] = InMemoryTransport.createLinkedPair();
  const { server } = createMcpServer(bench.workbench.transportHost, {
    actor,
    connectionId: connectionId,
    approvalTimeoutMs: 300,
    responseTimeoutMs: 300,
  });
  await server.connect(far);
  const client = new Client({ name, version: '1' });
  await client.connect(near);
  return testClient(client);
}

beforeAll(async () => {
  bench = await openTestWorkbench();
  await (await bench.connect()).evaluate('1');
  agent = await impatient('hasty');
}, 120_000);

afterAll(() => bench.close());

function handleOf({ text, isError, meta }: Reply): string {
  expect(text).toMatch(/^Still running after \d+ s, and it goes on\./);
  expect([isError, meta['status']]).toEqual([false, 'running']);
  expect(text).toContain(`await-approval with {"approval_id": "${String(meta['approval_id'])}"}`);
  return String(meta['approval_id']);
}

/** Waits by the handle until it has ended. */
async function endOf(handle: string): Promise<Reply> {
  for (;;) {
    const reply = await agent.call('await-approval', { approval_id: handle });
    if (reply.meta['status'] !== 'running') return reply;
  }
}

it('A call that takes longer is answered with a handle and its output, goes on, and its end is had by the handle', async () => {
  const code = '(progn (print :begun) (finish-output) (sleep 1.5) (defparameter *long* :done) :done)';
  const first = await agent.call('evaluate-lisp', { code });
  const handle = handleOf(first);
  expect(first.text).toContain('[Output so far]\n\n:BEGUN');
  expect(first.text).toContain(`interrupt-evaluation with {"evaluation": "${handle}"}`);
  expect((await endOf(handle)).text).toMatch(/\[stdout\]\n\n:BEGUN\s+=> :DONE$/);
  expect(await agent.evaluate('*long*')).toBe('=> :DONE');
});

it('The same call, sent again meanwhile, joins the running one and is not run twice', async () => {
  const code = '(progn (incf (get :run :times 0)) (sleep 1) (get :run :times))';
  const handle = handleOf(await agent.call('evaluate-lisp', { code }));
  const again = await agent.call('evaluate-lisp', { code });
  expect(again.meta['status'] === 'running' ? again.meta['approval_id'] : handle).toBe(handle);
  expect((await endOf(handle)).text).toBe('=> 1');
});

it('A loop without end is ended by interruption alone, and its handle tells that', async () => {
  const handle = handleOf(await agent.call('evaluate-lisp', { code: '(loop (sleep 0.05))' }));
  expect((await agent.call('await-approval', { approval_id: handle })).meta['status']).toBe('running');
  expect(bench.workbench.session.view().running).not.toBeNull();
  expect((await agent.call('interrupt-evaluation', { evaluation: handle })).isError).toBe(false);
  expect(await endOf(handle)).toMatchObject({ isError: true, text: expect.stringContaining('interrupted') as unknown });
  expect(await agent.evaluate('(+ 1 2)')).toBe('=> 3');
});

it('A loop is ended with the connection that nobody uses again', async () => {
  handleOf(await agent.call('evaluate-lisp', { code: '(loop (sleep 0.05))' }));
  bench.workbench.session.forget(connectionId);
  await expect.poll(() => bench.workbench.session.view().running, { timeout: 20_000 }).toBeNull();
});

it('A load and a test run that take longer are answered with a handle too', async () => {
  const handle = handleOf(await agent.call('compile-form', { form: '(eval-when (:load-toplevel) (sleep 1))' }));
  expect((await endOf(handle)).text).toMatch(/^Compiled and loaded/);
});

it('A call that waits for its turn is told so, and behind what', async () => {
  const other = await impatient('slow');
  const first = await other.call('evaluate-lisp', { code: '(sleep 3)' });
  expect(first.text).toMatch(/^Still running after/);
  const second = await agent.call('evaluate-lisp', { code: '(+ 1 1)' });
  expect(second.text).toMatch(/^Not begun after \d+ s: it waits for its turn behind slow's \(sleep 3\)\. Do not send/);
  expect((await endOf(String(second.meta['approval_id']))).text).toBe('=> 2');
});
