import { describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';

const GUARD_MS = 120_000;
const NOTICE = '[image]\nThe image was ended by SIGKILL. This is a new image: check which';

describe('An image that ended', { timeout: GUARD_MS }, () => {
  /** Resolves when `holds` returns true. Checks again whenever the session emits `event`. */
  const until = ({ workbench }: TestWorkbench, event: 'changed' | 'output', holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const stop = workbench.session.events.on(event, () => {
        if (!holds()) return;
        stop();
        resolve();
      });
    });

  it('Is told by the call that was evaluated in it, to the call that waited for its turn, and to the next one of another client', async () => {
    const bench = await openTestWorkbench({ checkpoints: false });
    try {
      const [client, other] = [await bench.connect('codex'), await bench.connect('other')];
      await client.evaluate('(defun kept () 1)');
      await other.evaluate('1');
      const { session } = bench.workbench;
      const begun = until(bench, 'output', () => true);
      const lost = client.evaluate('(progn (print 1) (finish-output) (loop))');
      await begun;
      const queued = until(bench, 'changed', () => session.underway.length === 2);
      const waiting = client.evaluate('(kept)');
      await queued;
      process.kill(session.view().pid!, 'SIGKILL');
      expect(await lost).toMatch(/IMAGE-LOST\nThe image was ended by SIGKILL\.(?![^]*\[image\])/);
      expect(await waiting).toMatch(/UNDEFINED-FUNCTION/);
      expect(await waiting).toContain(NOTICE);
      expect(await client.evaluate('1')).toBe('=> 1');
      expect(await other.evaluate('1')).toContain(NOTICE);
      expect(await other.evaluate('1')).toBe('=> 1');
    } finally {
      await bench.close();
    }
  });

  it('Is told once by the call that made it another one on purpose: a reset, a way back', async () => {
    const bench = await openTestWorkbench();
    try {
      const client = await bench.connect('codex');
      await client.evaluate('(defun kept () 1)');
      const { id } = await bench.workbench.session.checkpoint('here', { id: 'test', kind: 'client', name: 'test' });
      const replies = [(await client.call('rewind', { id })).text, (await client.call('reset-session')).text];
      expect(replies).toEqual([
        expect.stringContaining('The image is back at checkpoint'),
        expect.stringContaining('Session reset'),
      ]);
      for (const reply of replies) expect(reply).not.toContain('[image]');
    } finally {
      await bench.close();
    }
  });
});
