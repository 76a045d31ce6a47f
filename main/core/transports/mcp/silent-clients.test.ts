/**
 * Clients over HTTP that leave without notice: they do not end their session, and the server cannot notice that their process has ended.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { waysOver, wayClients, type WayClients } from './clients.fixture.ts';
import { modern } from './modern.fixture.ts';
import { older } from './older.fixture.ts';

/** After how many milliseconds without a request this test's server forgets a client. */
const FORGET_MS = 1000;
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
    expect(bench.workbench.session.view().running).not.toBeNull();
    await agent.vanish();
    await expect.poll(() => bench.workbench.session.view().running).toBeNull();
  });
});

describe('client with many sessions, 2025-11-25', () => {
  it('A session that was answered with a handle is not ended to make room for others', async () => {
    const own = await openTestWorkbench(); // a workbench with the usual limit, so that no client is forgotten during the test
    own.workbench.transportHost.responseTimeouts.response = () => 100;
    await own.workbench.session.start();
    const running = () => own.workbench.session.view().running;
    const first = await older(own);
    await (
      await first.send('tools/call', { name: 'evaluate-lisp', arguments: { code: '(loop (sleep 0.01))' } }).response
    ).text();
    for (let count = 0; count < 64; count += 1) await older(own);
    expect(await (await first.send('ping', {}).response).text()).toContain('"result"');
    expect(running()).not.toBeNull();
    await first.end();
    await expect.poll(running).toBeNull();
    await own.close();
  });
});

/** Returns access to the bench's server with another client's token. */
function withToken(token: string): Pick<TestWorkbench, 'fetch'> {
  return {
    fetch: (route, init = {}) =>
      bench.fetch(route, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
  };
}

const running = () => bench.workbench.session.view().running;
const LOOP = { name: 'evaluate-lisp', arguments: { code: '(loop (sleep 0.01))' } };

/** Starts a loop as a client without a session. The call is answered with a handle. */
async function beginLoop(client: Pick<TestWorkbench, 'fetch'>): Promise<void> {
  await (
    await modern(client, 'tools/call', LOOP)
  ).ended;
  expect(running()).not.toBeNull();
}

describe('client without a session, 2026-07-28', () => {
  it('A client that listens to changes keeps what it runs, and is forgotten after its stream has ended', async () => {
    const { token } = await bench.workbench.clients.mint('listener');
    const client = withToken(token);
    const listening = await modern(client, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    await expect.poll(() => listening.messages.length).toBe(1);
    const asked = performance.now();
    await beginLoop(client);
    // Waits for longer than the limit plus two rounds of the timer that removes clients, so that the timer would have removed the client.
    await expect.poll(() => performance.now() - asked > 3 * FORGET_MS).toBe(true);
    expect(running()).not.toBeNull();
    listening.drop();
    await expect.poll(running).toBeNull();
  });

  it.each([
    ['was refused', {}],
    ['named no change', { notifications: {} }],
  ])('A client whose request for changes %s is forgotten too', async (how, params) => {
    const { token } = await bench.workbench.clients.mint(`listener that ${how}`);
    const client = withToken(token);
    await (
      await modern(client, 'subscriptions/listen', params)
    ).ended;
    await beginLoop(client);
    await expect.poll(running).toBeNull();
  });

  it('A client is connected until it is forgotten, and its card is marked then', async () => {
    const { token } = await bench.workbench.clients.mint('passer-by');
    bench.workbench.approvals.setApprover('the test');
    bench.workbench.transportHost.responseTimeouts.approval = () => 50;
    const connections = (): number =>
      bench.workbench.clients.list().find(({ name }) => name === 'passer-by')!.connections;
    const write = { name: 'write-file', arguments: { path: 'left.lisp', content: '1' } };
    await (
      await modern(withToken(token), 'tools/call', write)
    ).ended;
    const card = () => bench.workbench.approvals.view().waiting[0];
    expect([connections(), card()?.abandoned]).toEqual([1, false]);
    await expect.poll(() => [connections(), card()?.abandoned]).toEqual([0, true]);
    bench.workbench.approvals.setApprover(null);
  });

  it('A client whose token is void leaves nothing to the next one of its name', async () => {
    const { clients: known } = bench.workbench;
    const evaluate = async (token: string, code: string): Promise<string> => {
      const call = { name: 'evaluate-lisp', arguments: { code } };
      const stream = await modern(withToken(token), 'tools/call', call);
      await stream.ended;
      return stream.text();
    };
    const { token, client } = await known.mint('heir');
    await evaluate(token, '(progn (defpackage :secret-place) (in-package :secret-place) :secret)');
    await bench.server.endClient(client.id);
    const again = await known.mint('heir');
    expect(await evaluate(again.token, '(list (package-name *package*) *)')).toContain(
      String.raw`(\"COMMON-LISP-USER\" NIL)`,
    );
  });

  it('What a client has running is ended with the server', async () => {
    const own = await openTestWorkbench();
    own.workbench.transportHost.responseTimeouts.response = () => 100;
    await (
      await modern(own, 'tools/call', LOOP)
    ).ended;
    expect(own.workbench.session.view().running).not.toBeNull();
    await own.server.close();
    await expect.poll(() => own.workbench.session.view().running).toBeNull();
    await own.close();
  });
});
