import { mkdtemp, rm, stat, readFile, writeFile, chmod } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { connectSwank, evaluating, type SwankClient } from './swank-client.fixture.ts';

const SECRET = 'open sesame';

let home: string;
let test_: TestWorkbench;
let port: number;
const open: SwankClient[] = [];

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'home-'));
  await writeFile(path.join(home, '.slime-secret'), `${SECRET}\nnot this\n`, { mode: 0o600 });
  // SWANK is compiled once for all tests of the machine.
  const cache = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  test_ = await openTestWorkbench({ environment: { HOME: home, XDG_CACHE_HOME: cache } });
  const record = await test_.workbench.servers.start('swank', 0);
  expect(record).toMatchObject({ state: 'on', problem: null, connections: 0 });
  port = record.port!;
}, 300_000);

afterAll(async () => {
  await test_.close();
  await rm(home, { recursive: true, force: true });
});

const emacs = async (): Promise<SwankClient> => {
  const client = await connectSwank(port, SECRET);
  open.push(client);
  await client.request('(swank:connection-info)');
  return client;
};

test('Emacs that knows the secret evaluates in the image', async () => {
  const client = await emacs();
  expect(await client.request(evaluating('(+ 1 2)'))).toContain('=> 3');
  client.close();
});
