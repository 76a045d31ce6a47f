import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestWorkbench } from '#core/workbench.fixture.ts';
import { createSecret, readSecret, secretFile } from './secret.ts';
import { connectSwank, evaluating } from './swank-client.fixture.ts';

const CACHE = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');

let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'home-'));
  file = secretFile(home);
});

afterEach(() => rm(home, { recursive: true, force: true }));

it('The secret is the first line, whatever ends it', async () => {
  await writeFile(file, 'a secret \r\nmore\n', { mode: 0o600 });
  expect(await readSecret(file)).toBe('a secret ');
});

it('A secret that is made is long, in a file for its owner alone, and never takes the place of another', async () => {
  await createSecret(file);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const secret = await readSecret(file);
  expect(secret).toMatch(/^[\w-]{43}$/);
  await createSecret(file);
  expect(await readSecret(file)).toBe(secret);
});

it.each<[string, string | null, number, RegExp, string | null]>([
  ['no file', null, 0o600, /secret file does not exist/, 'create-secret'],
  ['an empty file', '', 0o600, /first line of .* is empty/, null],
  ['an empty first line', '\nsecret\n', 0o600, /first line of .* is empty/, null],
  ['a first line without end', 'x'.repeat(5000), 0o600, /more than 4096 bytes/, null],
  ['a file that others can read', 'secret\n', 0o644, /Other users of this machine can read/, 'protect-secret'],
])('With %s there is no secret, and what to do is told', async (_what, text, mode, message, offer) => {
  if (text !== null) {
    await writeFile(file, text);
    await chmod(file, mode);
  }
  await expect(readSecret(file)).rejects.toMatchObject({ offer, message: expect.stringMatching(message) });
});

it('SWANK does not start without a secret, and starts with the one that it offers to make [decision 23]', async () => {
  const { workbench, close } = await openTestWorkbench({ environment: { HOME: home, XDG_CACHE_HOME: CACHE } });
  try {
    const { servers, session } = workbench;
    const failed = await servers.start('swank', 0);
    expect(failed).toMatchObject({ state: 'failed', offers: [{ id: 'create-secret' }] });
    expect(failed.problem).toContain(file);
    expect(session.view().pid).toBeNull(); // no image was started for this connection
    const { state, port } = await servers.act('swank', 'create-secret');
    expect(state).toBe('on');
    const secret = (await readFile(file, 'utf8')).trim();
    const client = await connectSwank(port!, secret);
    expect(await client.request(evaluating('(+ 1 2)'))).toContain('=> 3');
    client.close();
    await servers.stop('swank');
    await chmod(file, 0o644);
    expect(await servers.start('swank', 0)).toMatchObject({ state: 'failed', offers: [{ id: 'protect-secret' }] });
    expect(await servers.act('swank', 'protect-secret')).toMatchObject({ state: 'on' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  } finally {
    await close();
  }
});

it('Where the machine has no SWANK it says what to install', async () => {
  await createSecret(file);
  const { workbench, close } = await openTestWorkbench({
    environment: { HOME: home, CL_SOURCE_REGISTRY: '(:source-registry :ignore-inherited-configuration)' },
  });
  try {
    const { state, problem } = await workbench.servers.start('swank', 0);
    expect(state).toBe('failed');
    expect(problem).toContain('apt install slime cl-swank');
    expect(problem).toContain('(ql:quickload "swank")');
  } finally {
    await close();
  }
});
