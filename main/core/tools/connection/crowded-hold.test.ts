import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let holder: TestClient;
let other: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  [holder, other] = [await bench.connect('holder'), await bench.connect('other')];
}, 120_000);

afterEach(() => vi.useRealTimers());
afterAll(() => bench.close());

const FAILS = { code: '(error "held")', hold: true };

it('A checkpoint that a held error keeps from being made says how the hold ends, to its client and to others [issue 35.1]', async () => {
  await holder.call('evaluate-lisp', FAILS);
  expect((await holder.call('checkpoint', {})).text).toMatch(
    /Your error is still waiting in the debugger: take the restart ABORT with .*invoke-restart.*, then try again\.$/,
  );
  expect((await other.call('checkpoint', {})).text).toMatch(
    / holder has an error waiting in the debugger; that ends at most two minutes after the error was last looked at\.$/,
  );
  await holder.call('invoke-restart', { restart: 'ABORT' });
  expect((await holder.call('checkpoint', {})).text).toMatch(/^Checkpoint \d+: /);
});

it('A held error waits ten minutes after the last look at it, and two where another client works in the image [issue 35.1]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { session } = bench.workbench;
  const isHeld = () => session.debuggers.length === 1;
  await holder.call('evaluate-lisp', FAILS);
  vi.advanceTimersByTime(5 * 60_000);
  expect(isHeld()).toBe(true);
  const left = new Promise<void>((resolve) => void session.events.on('debugger-left', () => resolve()));
  await other.evaluate('1');
  vi.advanceTimersByTime(1);
  await left;
  expect(isHeld()).toBe(false);
});
