/** The built commands, run by the Node version that a client might find, without features that older Node versions lack. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
/**
 * A module that removes features, so that this Node behaves like Node 20. Which features the sources may use is checked by the `lib` of
 * main/tsconfig.json.
 */
const OLDER = `data:text/javascript,${encodeURIComponent(`
  delete Promise.withResolvers; delete Promise.try; delete Map.groupBy; delete Object.groupBy; delete Array.fromAsync;
  for (const name of Object.getOwnPropertyNames(Set.prototype)) if (/^(union|inter|diff|symm|is)/.test(name)) delete Set.prototype[name];
  for (const name of Object.getOwnPropertyNames(Iterator.prototype)) if (name !== 'constructor') delete Iterator.prototype[name];
`)}`;

let checkout: string;
const built = (): string => path.join(checkout, 'out', 'cli', 'cli.js');

/** Uses a separate checkout, so that the test does not change the real `out`. */
beforeAll(async () => {
  checkout = await mkdtemp(path.join(tmpdir(), 'checkout-'));
  for (const part of [
    'main',
    'lisp',
    'resources/setup',
    'package.json',
    'package-lock.json',
    'vite.config.ts',
    'tsconfig.json',
  ])
    await cp(path.join(ROOT, part), path.join(checkout, part), { recursive: true });
  await mkdir(path.join(checkout, 'renderer'));
  await symlink(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
  const { code, err } = await run([path.join(checkout, 'resources', 'setup', 'build-command.mjs')]);
  if (code !== 0) throw new Error(err);
}, 120_000);

afterAll(() => rm(checkout, { recursive: true, force: true }));

function run(args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, XDG_CACHE_HOME: path.join(checkout, 'cache') };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

it('The built command evaluates for a real client in a Node that lacks what Node 20 lacks', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-'));
  await symlink(TEST_CACHE, path.join(home, 'cache')).catch(() => {});
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', OLDER, built(), 'mcp', '--headless'],
    env: { ...getDefaultEnvironment(), LISP_WORKBENCH_HOME: home },
    cwd: checkout,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'built', version: '1' });
  await client.connect(transport);
  const { content } = await client.callTool({ name: 'evaluate-lisp', arguments: { code: '(+ 1 2)' } });
  expect(content).toEqual([{ type: 'text', text: '=> 3' }]);
  await client.callTool({ name: 'evaluate-lisp', arguments: { code: '(defun f () 1)' } });
  for (const [name, given, expected] of [
    ['undo-definition', {}, /FUNCTION F/i],
    ['list-definitions', { package: 'CL-USER' }, /F/],
    ['checkpoint', { label: 'here' }, /here/],
    ['list-sessions', {}, /idle/],
  ] as const) {
    const told = await client.callTool({ name, arguments: given });
    expect((told.content as { text: string }[])[0]!.text).toMatch(expected);
  }
  await client.close();
  await rm(home, { recursive: true, force: true });
}, 120_000);

it('The built command makes a certificate of its own, and serves HTTPS with it [L25]', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-'));
  const started = spawn(process.execPath, ['--import', OLDER, built(), 'serve', '--no-http', '--https-port', '0'], {
    env: { ...process.env, LISP_WORKBENCH_HOME: home },
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(started.stdout), 'line')) as [string];
  const { https, token } = JSON.parse(line) as { https: { lisply: string; certificate: string }; token: string };
  const options = { ca: await readFile(https.certificate), headers: { authorization: `Bearer ${token}` } };
  const [answer] = (await once(get(`${https.lisply}/ping-lisp`, options), 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  started.kill();
  await once(started, 'close');
  await rm(home, { recursive: true, force: true });
}, 120_000);

it('The built command is built again by itself when its sources are newer, with nothing of that on standard output', async () => {
  const [source, later] = [path.join(checkout, 'main', 'cli', 'options', 'arguments.ts'), new Date(Date.now() + 2_000)];
  expect((await run([built(), '--version'])).err).toBe('');
  await writeFile(
    path.join(checkout, 'package.json'),
    JSON.stringify({
      name: 'lisp-workbench',
      version: '9.9.9',
      type: 'module',
      imports: { '#contract/*': './main/contract/*', '#core/*': './main/core/*' },
    }),
  );
  await utimes(source, later, later);
  const again = await run([built(), '--version']);
  expect(again).toMatchObject({ code: 0, out: 'lisp-workbench 9.9.9\n' });
  expect(again.err).toContain('built again');
}, 120_000);
