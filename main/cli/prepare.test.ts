import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtCommand } from '#core/built-command.fixture.ts';

const entry = builtCommand();
let home: string;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'prepared-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const prepare = (...more: string[]) =>
  promisify(execFile)(process.execPath, [entry, 'prepare', ...more], {
    env: { ...process.env, LISP_WORKBENCH_HOME: home },
  });

it('The command prepare builds the core once, says so, and has nothing to do then', async () => {
  const first = await prepare();
  expect(first).toEqual({ stdout: '', stderr: expect.stringMatching(/core that images start from is being built/) });
  const cores = await readdir(path.join(home, 'cache'));
  expect(cores).toEqual([expect.stringMatching(/^engine-[0-9a-f]+\.core$/)]);
  expect(await prepare()).toEqual({ stdout: '', stderr: '' });
  expect(await readdir(path.join(home, 'cache'))).toEqual(cores);
}, 120_000);

it('The command prepare ends with a sentence and exit code 2 where there is no such SBCL', async () => {
  await expect(prepare('--sbcl', '/nowhere/sbcl')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^lisp-workbench: .*\/nowhere\/sbcl/),
  });
});
