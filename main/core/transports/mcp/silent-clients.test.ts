/** Clients over HTTP that leave without a word: no session is ended, no process seen to end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { waysOver, wayClients, type WayClients } from './clients.fixture.ts';
import { modern } from './modern.fixture.ts';

/** Milliseconds of silence after which a client is forgotten here. */
const FORGET_MS = 400;
let bench: TestWorkbench;
let clients: WayClients;

beforeAll(async () => {
  bench = await openTestWorkbench({ forgetMs: FORGET_MS });
  const { responseTimeouts } = bench.workbench.transportHost;
  responseTimeouts.response = () => 100;
  clients = await wayClients(bench);
  await bench.workbench.session.start();
});

afterAll(async () => {
  await clients.close();
  await bench.close();
});

describe.each(waysOver('HTTP'))('client that leaves without a word, $era', (way) => {
  it('A loop that was answered with a handle is ended when its client has been silent for long', async () => {
    const agent = await clients.open(way, `silent ${way.era}`);
    const { meta } = await agent.call('evaluate-lisp', { code: '(loop (sleep 0.01))' });
    expect(meta['status']).toBe('running');
    await agent.vanish();
    expect(bench.workbench.session.view().running).not.toBeNull();
    await expect.poll(() => bench.workbench.session.view().running).toBeNull();
  });
});

describe('client that listens to changes, 2026-07-28', () => {
  it('A client that listens to changes keeps what it runs, and is forgotten after its stream has ended', async () => {
    const listening = await modern(bench, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    await expect.poll(() => listening.messages.length).toBe(1);
    const asked = performance.now();
    const call = await modern(bench, 'tools/call', {
      name: 'evaluate-lisp',
      arguments: { code: '(loop (sleep 0.01))' },
    });
    await call.ended;
    // The clock of the sweep is what is tested: longer than two of its rounds and the silence together.
    await expect.poll(() => performance.now() - asked > 3 * FORGET_MS).toBe(true);
    expect(bench.workbench.session.view().running).not.toBeNull();
    listening.drop();
    await expect.poll(() => bench.workbench.session.view().running).toBeNull();
  });
});
