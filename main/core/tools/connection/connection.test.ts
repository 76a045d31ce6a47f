import { expect, it } from 'vitest';
import { WorkbenchError } from '#core/base/error.ts';
import { openTestSession, testOptions } from '#core/sessions/session.fixture.ts';
import { connectionOf } from './connection.ts';

it('An image whose place none could take is told as that with what to do, and a new one once it is there', async () => {
  let lacks = false;
  const test = await openTestSession({
    runtime: () => {
      if (lacks) throw new WorkbenchError('no-sbcl', 'There is no SBCL. Install one.');
      return testOptions('/').runtime();
    },
  });
  const { session } = test;
  const connection = connectionOf({ session, connectionId: 'codex' });
  const told = (): string | null => connection.imageWords(connection.takeImageNotices());
  try {
    await session.start();
    lacks = true;
    const failed = new Promise<void>((resolve) => {
      session.events.on('lifecycle', ({ change }) => change === 'failed' && resolve());
    });
    process.kill(session.view().pid!, 'SIGKILL');
    await failed;
    expect(told()).toBe(
      'The image was ended by SIGKILL. The image was not replaced: There is no SBCL. Install one. Each evaluation tries to start a new image, without the earlier definitions and systems.',
    );
    expect(told()).toBeNull(); // once
    lacks = false;
    await session.start();
    expect(told()).toMatch(/^An image could be started again\. This is a new image: check which/);
    expect(told()).toBeNull();
  } finally {
    await test.close();
  }
}, 120_000);
