import { expect, it } from 'vitest';
import { commandTarget, openTargetSession } from './targets.fixture.ts';

it('Evaluates in an image that a command of the person starts elsewhere', async () => {
  const { session, say, close, changes } = await openTargetSession(commandTarget());
  try {
    expect(await say('(+ 1 2)')).toBe('3');
    expect(session.view()).toMatchObject({ state: 'idle', target: 'devbox', sandbox: null, problem: null });
    expect(session.view().pid).toBe(Number(await say('(sb-posix:getpid)')));
    expect(changes.map(({ summary }) => summary)).toEqual([expect.stringMatching(/^SBCL \S+ on the target devbox$/)]);
  } finally {
    await close();
  }
});
