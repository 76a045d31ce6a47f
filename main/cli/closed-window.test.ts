/** The stdio command of a client with a token, while the workbench's window is closed and opened again. */
import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { builtCommand } from '#core/built-command.fixture.ts';
import { PrivateSocket } from '#core/transports/socket/private-socket.ts';
import { createPaths, findPaths } from '#core/settings/paths.ts';
import { openTestWorkbench, testClient, type TestWorkbench } from '#core/workbench.fixture.ts';

const CLI = builtCommand();
const NOT_OPEN = /^No window of Lisp Workbench is open for LISP_WORKBENCH_HOME=\S+\. Nothing was run/;
let bench: TestWorkbench;
let window: PrivateSocket | null = null;
let token: string;
const clients: Client[] = [];

const home = (): string => path.dirname(bench.home);
const paths = () => createPaths(findPaths({ ...process.env, LISP_WORKBENCH_HOME: home() }));

async function openWindow(): Promise<void> {
  window = new PrivateSocket(bench.workbench.transportHost, bench.workbench.pairing, paths().socket);
  await window.listen();
}

async function closeWindow(): Promise<void> {
  await window?.close();
  window = null;
}

async function connect(args: string[] = [], env: Record<string, string> = { LISP_WORKBENCH_TOKEN: token }) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    env: { ...(process.env as Record<string, string>), LISP_WORKBENCH_HOME: home(), LISP_WORKBENCH_TOKEN: '', ...env },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'claude-code', version: '1' });
  clients.push(client);
  await client.connect(transport);
  return { ...testClient(client), pid: transport.pid! };
}

beforeAll(async () => {
  bench = await openTestWorkbench();
  const shared = await bench.connect();
  await shared.evaluate('(defvar *marker* :shared)');
}, 120_000);

beforeEach(async () => {
  ({ token } = await bench.workbench.clients.mint('claude-code'));
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await closeWindow();
});

afterAll(() => bench.close());

it('A command started while no window is open says so in each answer, runs nothing, and joins when there is one', async () => {
  const agent = await connect();
  expect((await agent.client.listTools()).tools.length).toBeGreaterThan(20);
  for (const code of ['(+ 1 2)', '(boundp (quote *marker*))']) expect(await agent.evaluate(code)).toMatch(NOT_OPEN);
  expect(await agent.call('read-file', { path: 'x' })).toMatchObject({ isError: true });
  expect(process.platform === 'linux' ? await children(agent.pid) : []).toEqual([]);
  await openWindow();
  expect(await agent.evaluate('*marker*')).toBe('=> :SHARED');
});

it('A window that is closed under the command answers what was under way, and the next call joins the new one', async () => {
  await openWindow();
  const agent = await connect();
  expect(await agent.evaluate('*marker*')).toBe('=> :SHARED');
  const { began, answer: underWay } = await running(() => agent.evaluate('(progn (sleep 0.3) :ended)'));
  await began;
  await closeWindow();
  const lost = await underWay;
  expect(lost).toMatch(/^The window was closed while this ran\. .*No window of Lisp Workbench is open/);
  expect(lost).not.toContain('Nothing was run');
  expect(await agent.evaluate("(boundp '*marker*)")).toMatch(NOT_OPEN);
  await openWindow();
  expect(await agent.evaluate('*marker*')).toBe('=> :SHARED');
});

it('A socket whose file was removed is a closed window, until it is made again', async () => {
  await openWindow();
  rmSync(paths().socket);
  const agent = await connect();
  expect(await agent.evaluate('*marker*')).toMatch(NOT_OPEN);
  await openWindow();
  expect(await agent.evaluate('*marker*')).toBe('=> :SHARED');
});

it('A silent client is joined too, and told that its tools may be others', async () => {
  const agent = await connect();
  await openWindow();
  await expect
    .poll(() => bench.workbench.clients.list().find(({ name }) => name === 'claude-code')!.connections, {
      timeout: 20_000,
    })
    .toBe(1);
  expect(await agent.evaluate('*marker*')).toBe('=> :SHARED');
});

it('A client without a token that was told to join waits for the window as well, and is then asked about', async () => {
  const agent = await connect(['--join', '--client', 'joiner'], {});
  expect(await agent.evaluate('*marker*')).toMatch(NOT_OPEN);
  await openWindow();
  const answer = agent.evaluate('*marker*');
  const { pairing } = bench.workbench;
  await expect.poll(() => pairing.list().length, { timeout: 20_000 }).toBe(1);
  await pairing.admit(pairing.list()[0]!.id, 'joiner');
  expect(await answer).toBe('=> :SHARED');
});

const VOID =
  /The desktop does not know this LISP_WORKBENCH_TOKEN; it may have been revoked\. Get a new one with "Connect an AI client…"\..* Nothing was run.* restart this MCP server\.$/;

it('A token that the window does not know is told in each answer, and the tools are listed all the same', async () => {
  await openWindow();
  const agent = await connect([], { LISP_WORKBENCH_TOKEN: 'lwb_nobody' });
  expect((await agent.client.listTools()).tools.length).toBeGreaterThan(20);
  expect(await agent.call('evaluate-lisp', { code: '1' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(VOID) as unknown,
  });
  const mine = await connect(['--client', 'somebody-else']);
  expect(await mine.evaluate('1')).toMatch(/^This token belongs to claude-code, not to somebody-else\. /);
});

it('A token that becomes void under way is told in the answer to what ran, and in each after it', async () => {
  await openWindow();
  const agent = await connect();
  const { began, answer } = await running(() => agent.evaluate('(progn (sleep 30) :ended)'));
  await began;
  await bench.workbench.clients.mint('claude-code');
  window!.endClient('client:claude-code');
  const lost = await answer;
  expect(lost).toMatch(/^The window ended the connection while this ran\. /);
  expect(lost).not.toContain('Nothing was run');
  expect(await agent.evaluate('1')).toMatch(VOID);
  expect((await agent.client.listTools()).tools.length).toBeGreaterThan(20);
});

it('The first answer from another run of the workbench says that the image is a new one, and only that', async () => {
  await openWindow();
  const agent = await connect();
  await agent.evaluate('(defun mine () 1)');
  await closeWindow();
  await expect.poll(() => agent.evaluate('(mine)')).toMatch(NOT_OPEN);
  await openWindow();
  expect(await agent.evaluate('(mine)')).toBe('=> 1');
  await closeWindow();
  await expect.poll(() => agent.evaluate('(mine)')).toMatch(NOT_OPEN);
  const other = await openTestWorkbench();
  try {
    const minted = await other.workbench.clients.mint('claude-code');
    const again = new PrivateSocket(
      {
        ...other.workbench.transportHost,
        authenticate: () => other.workbench.transportHost.authenticate(minted.token),
      },
      other.workbench.pairing,
      paths().socket,
    );
    await again.listen();
    expect(await agent.evaluate("(fboundp 'mine)")).toMatch(
      /^=> NIL\n\n\[image\]\nLisp Workbench was restarted since you connected, and the image is new\./,
    );
    expect(await agent.evaluate('1')).toBe('=> 1');
    await again.close();
  } finally {
    await other.close();
  }
});

/** Begins a call. `began` resolves when the image is running the call. */
async function running(call: () => Promise<string>): Promise<{ began: Promise<void>; answer: Promise<string> }> {
  const { session } = bench.workbench;
  const began = new Promise<void>((resolve) => {
    const stop = session.events.on('changed', () => {
      if (session.view().running === null) return;
      stop();
      resolve();
    });
  });
  return { began, answer: call() };
}

/** Returns the child processes of a process. */
async function children(pid: number): Promise<string[]> {
  const { readFile } = await import('node:fs/promises');
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  );
  return lists.join(' ').split(' ').filter(Boolean);
}
