import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { samePids, walledPids } from './pids.ts';
import { prepareWall } from './wall.ts';

const possible = await prepareWall({ hidden: [], cache: '/' }, process.env, tmpdir()).then(
  () => true,
  () => false,
);

let child: ChildProcess | null = null;

afterEach(async () => {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
});

describe('process ids that an image tells', () => {
  it('without a wall are those of this system', () => {
    expect([samePids.outer(17), samePids.told(17)]).toEqual([17, 17]);
  });

  it('G7 of processes that are not behind the wall are ids of no process at all', () => {
    const pids = walledPids(process.pid);
    for (const told of [0, 1, 2, process.pid, process.ppid]) {
      expect(() => process.kill(pids.outer(told), 0)).toThrow('ESRCH');
      expect(pids.told(pids.outer(told))).toBe(told);
    }
  });

  it('G7 behind a wall a process and its child are found, also when the builder and the first have ended', async () => {
    expect(await (possible ? foundBehindWall() : noneWithoutWall())).toBe(true);
  });
});

async function foundBehindWall(): Promise<boolean> {
  const walled = spawnWalled('sh -c "echo child; exec sleep 600" & echo own; read line');
  let said = '';
  walled.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => said.split('\n').toSorted()).toEqual(['', 'child', 'own']);
  const pids = walledPids(walled.pid!);
  const [shell, sleep] = [pids.outer(2), pids.outer(3)];
  expect([programOf(shell), pids.told(shell), pids.told(sleep)]).toEqual([expect.stringMatching(/sh$/), 2, 3]);
  await expect.poll(() => programOf(sleep)).toMatch(/sleep|coreutils|busybox/);
  const over = once(walled, 'exit');
  walled.stdin!.end('\n');
  await over;
  expect(pids.outer(3)).toBe(sleep);
  expect(() => process.kill(pids.outer(2), 0)).toThrow('ESRCH');
  return process.kill(-walled.pid!, 'SIGKILL');
}

/** Where there are no namespaces no process has two numbers, and none is taken for another. */
async function noneWithoutWall(): Promise<boolean> {
  const walled = spawnWalled('read line');
  await once(walled, 'exit');
  expect(() => process.kill(walledPids(walled.pid ?? 2 ** 22).outer(2), 0)).toThrow('ESRCH');
  return true;
}

function spawnWalled(script: string): ChildProcess {
  const mounts = ['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'];
  const args = [...mounts, '--unshare-pid', '--', 'sh', '-c', script];
  child = spawn('bwrap', args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  child.on('error', () => child!.emit('exit', null, null)); // no bubblewrap at all
  return child;
}

function programOf(pid: number): string {
  return readlinkSync(`/proc/${pid}/exe`);
}
