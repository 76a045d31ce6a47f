/** The notice that a client gets if the image has changed since the client's last call. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;
let other: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
  other = await bench.connect('other');
}, 120_000);

afterAll(() => bench.close());

it('A reset by somebody else is told in the next answer of each other client, once', async () => {
  await client.evaluate('(defun mine () 1)');
  await other.evaluate('1');
  expect((await client.call('reset-session')).text).toBe(
    'Session reset. All definitions cleared.\nCurrent package: CL-USER',
  );
  expect(await client.evaluate('2')).toBe('=> 2');
  const { text } = await other.call('eval-form', { form: "(fboundp 'mine)" });
  expect(text).toMatch(/^nil\n\n\[image\]\n(.*\n)*The image was reset\. This is a new image: check which/);
  expect(await other.evaluate('3')).toBe('=> 3');
});

it("An image that ended and came back, or that the person went back with, is told in each client's next answer", async () => {
  await other.evaluate('1');
  await client.evaluate('(defun later () 1)');
  const { session } = bench.workbench;
  const back = new Promise<void>((resolve) => {
    const stop = session.events.on('lifecycle', ({ change }) => {
      if (change !== 'rewound' && change !== 'started') return;
      stop();
      resolve();
    });
  });
  process.kill(session.view().pid!, 'SIGKILL');
  await back;
  expect(await other.evaluate('2')).toMatch(
    /^=> 2\n\n\[image\]\nThe image .*SIGKILL.*(Later definitions are gone|This is a new image)/,
  );
  expect(await other.evaluate('3')).toBe('=> 3');
});

it('A session of a workbench that has ended is answered with what to do, and the next one is told that the image is new', async () => {
  const next = await openTestWorkbench();
  try {
    const post = (to: TestWorkbench, body: object, headers: Record<string, string> = {}) =>
      to.fetch('/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const sessionOf = async (to: TestWorkbench): Promise<Record<string, string>> => {
      const opened = await post(to, { id: 0, method: 'initialize', params });
      await opened.text();
      return { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
    };
    const evaluate = { id: 1, method: 'tools/call', params: { name: 'evaluate-lisp', arguments: { code: '1' } } };
    const old = await sessionOf(bench);
    const gone = await post(next, evaluate, old);
    expect([gone.status, await gone.json()]).toEqual([
      404,
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32001,
          message:
            'Session not found: Lisp Workbench was restarted, and its image is new. Send initialize again, without the Mcp-Session-Id header, to start a new session.',
        },
      },
    ]);
    const session = await sessionOf(next);
    const first = await (await post(next, evaluate, session)).text();
    const second = await (await post(next, evaluate, session)).text();
    expect(first).toContain('=> 1\\n\\n[image]\\nLisp Workbench was restarted since you connected');
    expect(second).not.toContain('[image]');
    const invented = await post(next, evaluate, { 'mcp-session-id': 'invented' });
    expect(await invented.text()).toContain('Session not found: it has ended. Send initialize again');
    const fresh = await post(next, evaluate, await sessionOf(next));
    expect(await fresh.text()).not.toContain('[image]');
  } finally {
    await next.close();
  }
});
