import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { groupPids, sandboxedPids } from './pids.ts';
import { prepareSandbox } from './start/sandbox.ts';

const possible = await prepareSandbox({ hidden: [], cache: '/' }, process.env, tmpdir()).then(
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
  it('Process ids without a sandbox are those of this system', () => {
    const pids = groupPids(process.pid);
    expect([pids.hostPid(17), pids.imagePid(17)]).toEqual([17, 17]);
  });

  it('Processes of the group are those of the image, and no others are', async () => {
    child = spawn('sh', ['-c', 'sleep 600 & echo $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const [said] = (await once(child.stdout!, 'data')) as [Buffer];
    const pids = groupPids(child.pid!);
    expect([child.pid!, Number(said)].map((pid) => pids.owns(pid))).toEqual([true, true]);
    expect([process.pid, process.ppid, 1, 0, 2 ** 22].map((pid) => pids.owns(pid))).not.toContain(true);
  });

  it('Process ids of processes that are not in the sandbox are ids of no process at all [G7]', () => {
    const pids = sandboxedPids(process.pid);
    for (const told of [0, 1, 2, process.pid, process.ppid]) {
      expect(() => process.kill(pids.hostPid(told), 0)).toThrow('ESRCH');
      expect(pids.imagePid(pids.hostPid(told))).toBe(told);
      expect(pids.owns(told)).toBe(told === process.pid);
    }
  });

  it('A process and its child in a sandbox are found, also when the builder and the first have ended [G7]', async () => {
    expect(await (possible ? foundBehindWall() : noneWithoutWall())).toBe(true);
  });
});

async function foundBehindWall(): Promise<boolean> {
  const walled = spawnWalled('sh -c "echo child; exec sleep 600" & echo own; read line');
  let said = '';
  walled.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await expect.poll(() => said.split('\n').toSorted()).toEqual(['', 'child', 'own']);
  const pids = sandboxedPids(walled.pid!);
  const [shell, sleep] = [pids.hostPid(2), pids.hostPid(3)];
  expect([shell, sleep, process.pid, process.ppid].map((pid) => pids.owns(pid))).toEqual([true, true, false, false]);
  expect([programOf(shell), pids.imagePid(shell), pids.imagePid(sleep)]).toEqual([expect.stringMatching(/sh$/), 2, 3]);
  await expect.poll(() => programOf(sleep)).toMatch(/sleep|coreutils|busybox/);
  const over = once(walled, 'exit');
  walled.stdin!.end('\n');
  await over;
  expect(pids.hostPid(3)).toBe(sleep);
  expect(() => process.kill(pids.hostPid(2), 0)).toThrow('ESRCH');
  return process.kill(-walled.pid!, 'SIGKILL');
}

/** Checks that, on a machine without namespaces, no process has a second id, and that no unrelated process is found by mistake. */
async function noneWithoutWall(): Promise<boolean> {
  const walled = spawnWalled('read line');
  await once(walled, 'exit');
  expect(() => process.kill(sandboxedPids(walled.pid ?? 2 ** 22).hostPid(2), 0)).toThrow('ESRCH');
  return true;
}

function spawnWalled(script: string): ChildProcess {
  const mounts = ['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'];
  const args = [...mounts, '--unshare-pid', '--', 'sh', '-c', script];
  child = spawn('bwrap', args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  child.on('error', () => child!.emit('exit', null, null)); // bubblewrap is not installed
  return child;
}

function programOf(pid: number): string {
  return readlinkSync(`/proc/${pid}/exe`);
}
