import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { AGENT } from '#core/sessions/session.fixture.ts';
import { childrenOf, ended, until } from './processes.fixture.ts';
import { startSshServer, type SshServer } from './ssh-server.fixture.ts';
import { FAR_GUARD_MS, openTargetSession } from './targets.fixture.ts';

let server: SshServer;
beforeAll(async () => {
  server = await startSshServer();
});
afterAll(() => server.close());

describe('An image behind a server of ssh', { timeout: FAR_GUARD_MS }, () => {
  it('Evaluates, prints in both streams, and goes back to a checkpoint', async () => {
    const { session, say, evaluate, close } = await openTargetSession(server.target());
    try {
      const { output } = await evaluate(
        '(progn (princ "out") (princ "err" *error-output*) (run-program "/bin/echo" (list "process") :output t))',
      );
      expect(output.map(({ stream, text }) => `${stream} ${text}`).toSorted()).toEqual([
        'stderr err',
        'stderr process\n',
        'stdout out',
      ]);
      await say('(defvar *kept* :before)');
      const { id } = await session.checkpoint('here', PERSON);
      const first = session.view().pid!;
      await say('(setf *kept* :after)');
      await session.rewind(id, PERSON);
      expect(await say('*kept*')).toBe(':BEFORE');
      await ended(first);
      expect(session.view().pid).toBe(Number(await say('(sb-posix:getpid)')));
      const pids = [session.view().pid!, ...childrenOf(session.view().pid!)];
      await session.dispose();
      for (const pid of pids) await ended(pid);
    } finally {
      await close();
    }
  });

  it('Goes on at the checkpoint before an agent’s evaluation that ended the image', async () => {
    const { session, say, close } = await openTargetSession(server.target(), { checkpoints: true });
    try {
      await say('(defun kept () 1)', { actor: AGENT });
      expect(await say('(sb-ext:exit :code 7 :abort t)', { actor: AGENT })).toMatch(
        /ended the image with exit code 7\. The image returns to its last checkpoint/,
      );
      expect(await say('(kept)')).toBe('1');
      expect(session.view().target).toBe('farbox');
    } finally {
      await close();
    }
  });

  it('Leaves no process although its code can be neither interrupted nor heard', async () => {
    const { session, say, close } = await openTargetSession(server.target());
    try {
      await session.start();
      await session.checkpoint('here', PERSON);
      const { pid } = session.view();
      void say('(sb-sys:without-gcing (loop (make-list 1000)))').catch(() => {});
      await until(() => session.underway.length > 0);
      const pids = [pid!, ...childrenOf(pid!)];
      expect(pids).toHaveLength(2);
      await session.dispose();
      for (const each of pids) await ended(each);
    } finally {
      await close();
    }
  });

  for (const cut of ['the client', 'the server’s process'] as const)
    it(`Says what was lost when ${cut} is killed, leaves no process there, and connects anew`, async () => {
      const earlier = new Set(clients());
      const { session, say, close, changes } = await openTargetSession(server.target());
      try {
        await say('(defun lost-one () 1)');
        const wire = clients().find((pid) => !earlier.has(pid))!;
        const { id } = await session.checkpoint('here', PERSON);
        await session.rewind(id, PERSON); // continues in a later process, which has its own checkpoints
        const before = session.view().pid!;
        if (cut === 'the client') process.kill(wire, 'SIGKILL');
        else for (const pid of serverProcesses(server.pid)) process.kill(pid, 'SIGKILL');
        await ended(before);
        await until(() => changes.some(({ change }) => change === 'ended'));
        expect(changes.find(({ change }) => change === 'ended')!.summary).toMatch(
          /^The connection to the target farbox was lost, and with it the image there\./,
        );
        expect(await say('(fboundp (quote lost-one))')).toBe('NIL');
        expect(session.view().lost!.definitions).toMatchObject([{ name: 'LOST-ONE' }]);
        expect((await session.replay()).replayed).toBe(1);
        expect(await say('(lost-one)')).toBe('1');
      } finally {
        await close();
      }
    });

  it('Says in words that the host key is unknown, or another one, and that the key is refused', async () => {
    const faults = async (options: string): Promise<string | null> => {
      const { session, close } = await openTargetSession(server.target({ options }));
      try {
        await session.start().catch(() => {});
        return session.view().problem;
      } finally {
        await close();
      }
    };
    const none = path.join(server.folder, 'no_known_hosts');
    expect(await faults(server.options.replace('known_hosts', 'no_known_hosts'))).toMatch(
      new RegExp(
        `^The target farbox cannot be used\\. ssh does not know the host key of .* in a terminal, ssh -F none -p ${server.port} .* accept it\\.$`,
      ),
    );
    const other = execFileSync('cat', [path.join(server.folder, 'stranger.pub')], { encoding: 'utf8' });
    await writeFile(none, `[127.0.0.1]:${server.port} ${other}`);
    expect(await faults(server.options.replace('known_hosts', 'no_known_hosts'))).toMatch(
      new RegExp(
        `host key of .* is another one than ssh knows.*: ssh-keygen -f "${none}" -R "\\[127\\.0\\.0\\.1\\]:${server.port}"$`,
      ),
    );
    expect(await faults(server.options.replace('/user ', '/stranger '))).toMatch(/ssh authentication at .* failed/);
    expect(await faults(server.options.replace(`-p ${server.port}`, '-p 1'))).toMatch(
      /refused the connection.*The start is tried again\.$/,
    );
  });
});

/** Returns the ssh clients that this process started. */
function clients(): number[] {
  return childrenOf(process.pid).filter((pid) => commandOf(pid) === 'ssh');
}

/** Returns the processes that the ssh server has started for connections, without the commands that they run. */
function serverProcesses(pid: number): number[] {
  return childrenOf(pid).flatMap((child) =>
    commandOf(child).startsWith('sshd') ? [child, ...serverProcesses(child)] : [],
  );
}

function commandOf(pid: number): string {
  return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}
