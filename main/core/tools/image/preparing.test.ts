/** An evaluation whose turn in the queue has come, while the checkpoint before it is still being made. */
import { expect, it } from 'vitest';
import { openTestWorkbench } from '#core/workbench.fixture.ts';

it('The tool list-sessions says of an evaluation that the image is copied before it, and an interrupt that it never began [K6]', async () => {
  const bench = await openTestWorkbench();
  const client = await bench.connect('codex');
  await bench.workbench.session.start();
  const { pid } = bench.workbench.session.view();
  process.kill(pid!, 'SIGSTOP'); // a stopped image makes no checkpoint
  try {
    const answer = client.evaluate('(defvar *never* t)');
    const listed = async (): Promise<string> => (await client.call('list-sessions')).text;
    await expect
      .poll(listed)
      .toMatch(
        /\n- preparing for \d+ s, after the image is started or a checkpoint is created: \(defvar \*never\* t\) \(yours, [\w-]+\)$/,
      );
    const interrupted = client.call('interrupt-evaluation');
    await listed(); // ensures that the interruption has been received
    process.kill(pid!, 'SIGCONT');
    expect((await interrupted).text).toBe('Cancelled before it started: (defvar *never* t)');
    expect(await answer).toContain('Cancelled before it was evaluated.');
    expect(await client.evaluate('(list :next)')).toBe('=> (:NEXT)');
  } finally {
    await bench.close();
  }
}, 120_000);
