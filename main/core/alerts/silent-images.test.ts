import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '../workbench.fixture.ts';

let test: TestWorkbench;

beforeEach(async () => {
  test = await openTestWorkbench({ shared: true });
  await test.workbench.session.start();
}, 120_000);

afterEach(async () => {
  const { pid } = test.workbench.session.view();
  if (pid !== null) process.kill(pid, 'SIGCONT');
  await test.close();
});

const silence = () => test.workbench.session.view().silence;

describe('images that do not answer', () => {
  it('A stopped process is told within seconds, and the image goes on when it is continued [issue 11.3]', async () => {
    const { session, alerts } = test.workbench;
    const { pid } = session.view();
    expect(silence()).toBeNull();
    process.kill(pid!, 'SIGSTOP');
    await expect.poll(silence, { timeout: 15_000 }).toMatchObject({ stopped: true });
    expect(alerts.list()).toMatchObject([
      {
        text: expect.stringContaining('a signal has stopped its process'),
        actions: [{ id: 'restart', title: 'Restart' }],
      },
    ]);
    process.kill(pid!, 'SIGCONT');
    await expect.poll(silence, { timeout: 15_000 }).toBeNull();
    expect(alerts.list()).toEqual([]);
    expect(session.view()).toMatchObject({ state: 'idle', pid });
  });

  it('A stopped process is not given up, and a restart ends it at the wish of the person [issue 11.3]', async () => {
    const { session, alerts } = test.workbench;
    const { pid } = session.view();
    process.kill(pid!, 'SIGSTOP');
    await expect.poll(() => alerts.list(), { timeout: 15_000 }).toHaveLength(1);
    const began = silence()!.since;
    // Waits longer than the time after which an unresponsive image is normally given up.
    await expect.poll(() => Date.now() - began, { timeout: 45_000, interval: 500 }).toBeGreaterThan(33_000);
    expect(session.view()).toMatchObject({ pid, silence: { stopped: true } });
    await alerts.act(alerts.list()[0]!.id, 'restart');
    await expect.poll(() => session.view().state, { timeout: 30_000 }).toBe('idle');
    expect(session.view().pid).not.toBe(pid);
    expect(alerts.list()).toEqual([]);
  }, 120_000);
});
