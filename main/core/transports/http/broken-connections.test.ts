import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { older } from '#core/transports/mcp/older.fixture.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';

const ENDLESS = '(progn (print :begun) (finish-output) (loop (sleep 0.01)))';
const CALL = { name: 'evaluate-lisp', arguments: { code: ENDLESS } };

describe('An evaluation whose connection breaks', { timeout: 120_000 }, () => {
  let bench: TestWorkbench;
  let begun: Promise<void>;

  beforeEach(async () => {
    bench = await openTestWorkbench({ checkpoints: false });
    const { session } = bench.workbench;
    await session.start();
    begun = new Promise((resolve) => session.events.on('output', () => resolve()));
  });

  afterEach(() => bench.close());

  const running = (): number => bench.workbench.session.underway.length;

  it('Is ended over Lisply, where nobody could ask for its answer later [K6]', async () => {
    const gone = new AbortController();
    const answer = bench.fetch('/lisply/lisp-eval', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: ENDLESS }),
      signal: gone.signal,
    });
    await begun;
    gone.abort();
    await answer.then((response) => response.text()).catch(() => {}); // the request was aborted
    await expect.poll(running).toBe(0);
  });

  it.each([
    ['without progress', {}],
    ['with progress', { _meta: { progressToken: 1 } }],
  ])('Goes on in a session of MCP, %s, and ends with the session [K6]', async (_how, meta) => {
    const session = await older(bench);
    const call = session.send('tools/call', { ...CALL, ...meta });
    await begun;
    call.drop();
    // When this request is answered, the server has already noticed that the stream was closed.
    expect(await (await session.send('ping', {}).response).text()).toContain('"result"');
    expect(running()).toBe(1);
    await session.end();
    await expect.poll(running).toBe(0);
  });
});
