import { request } from 'node:http';
import path from 'node:path';
import { createServer } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { agentOf, expect, test, type Desktop } from '../../desktop/fixture.ts';
import { freePort } from '../../desktop/launch.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The stdio command as a client's configuration starts it. */
async function stdioClient(
  desktop: Desktop,
  env: Record<string, string>,
  args: string[] = [],
): Promise<{ client: Client; said: () => string }> {
  const transport = new StdioClientTransport({
    command: 'npm',
    args: ['run', '-s', 'cli', '--', 'mcp', ...args],
    cwd: ROOT,
    env: { PATH: process.env['PATH']!, HOME: process.env['HOME']!, LISP_WORKBENCH_HOME: desktop.home, ...env },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const client = new Client({ name: 'stdio', version: '1.0.0' });
  await client.connect(transport);
  return { client, said: () => said };
}

test('Lisply answers plain HTTP in the image that the person sees [L37]', async ({ sharedDesktop: desktop }) => {
  const { token } = await desktop.mint('lisply');
  const url = await desktop.serverUrl();
  const response = await fetch(new URL('/lisply/lisp-eval', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ code: '(defun over-http () 7) (+ 1 2 3)' }),
  });
  expect(await response.json()).toEqual({ success: true, result: '6', stdout: '' });
  await desktop.repl('(over-http)');
  await expect(desktop.region('REPL')).toContainText('7');
});

test('MCP over stdio joins the running desktop with the same identity', async ({ desktop }) => {
  const { token } = await desktop.mint('claude-code');
  const { client, said } = await stdioClient(desktop, { LISP_WORKBENCH_TOKEN: token }, ['--client', 'claude-code']);
  const agent = agentOf(client);
  expect((await agent.call('evaluate-lisp', { code: '(defun from-stdio () :joined)' })).text).toBe('=> FROM-STDIO');
  expect(said()).toContain('Joined the running desktop');
  await desktop.repl('(from-stdio)');
  await expect(desktop.region('REPL')).toContainText(':JOINED');
  expect((await desktop.snapshot()).clients).toMatchObject([{ name: 'claude-code', connections: 1 }]);
  await client.close();
  await expect.poll(async () => (await desktop.snapshot()).clients[0]!.connections).toBe(0);
});

test('MCP over stdio with --headless has an image of its own and says so [S39–S41]', async ({ desktop }) => {
  const { client, said } = await stdioClient(desktop, {}, ['--headless']);
  const agent = agentOf(client);
  await agent.call('evaluate-lisp', { code: '(defun only-there () 1)' });
  expect(said()).not.toContain('Joined');
  await desktop.repl('(fboundp (quote only-there))');
  await expect(desktop.region('REPL')).toContainText('NIL');
  await client.close();
});

test('MCP over stdio without a token waits until the person pairs it [D14]', async ({ desktop }) => {
  const { page } = desktop;
  const { client, said } = await stdioClient(desktop, {}, ['--client', 'newcomer']);
  const answer = agentOf(client).call('evaluate-lisp', { code: '(defun let-in () :welcome)' });
  await page.getByRole('button', { name: 'Decide' }).click();
  const waiting = desktop.region('Clients').getByRole('listitem', { name: 'newcomer wants to join' });
  await expect(waiting).toContainText('cli');
  expect((await desktop.snapshot()).clients).toEqual([]);
  await waiting.getByRole('textbox', { name: 'Let it in as' }).fill('guest');
  await waiting.getByRole('button', { name: 'Admit' }).click();
  expect((await answer).text).toBe('=> LET-IN');
  await expect(waiting).toBeHidden();
  expect((await desktop.snapshot()).clients).toMatchObject([{ name: 'guest', connections: 1 }]);
  expect(said()).toContain('is asked to let this client in');
  await client.close();
});

test('A client is paired with an image of its own [D14, decision 22]', async ({ desktop }) => {
  const { client } = await stdioClient(desktop, {}, ['--client', 'apart']);
  const answer = agentOf(client).call('evaluate-lisp', { code: '(defun only-apart () 1)' });
  await desktop.page.getByRole('button', { name: 'Decide' }).click();
  const waiting = desktop.region('Clients').getByRole('listitem', { name: 'apart wants to join' });
  await waiting.getByRole('button', { name: 'Own image' }).click();
  expect((await answer).text).toBe('=> ONLY-APART');
  await desktop.repl('(fboundp (quote only-apart))');
  await expect(desktop.region('REPL')).toContainText('NIL');
  expect((await desktop.snapshot()).clients).toMatchObject([{ name: 'apart', ownImage: true }]);
  await client.close();
});

test('MCP over stdio without a token ends when it is refused [D14]', async ({ desktop }) => {
  const { client, said } = await stdioClient(desktop, {}, ['--client', 'stranger']);
  const closed = new Promise<void>((resolve) => (client.onclose = resolve));
  await desktop.page.getByRole('button', { name: 'Decide' }).click();
  await desktop.region('Clients').getByRole('button', { name: 'Refuse' }).click();
  await closed;
  await expect.poll(said).toContain('did not let this client in');
  expect((await desktop.snapshot()).clients).toEqual([]);
});

test('A wrong token over stdio is told in each answer, and the tools are listed', async ({ desktop }) => {
  await expect(desktop.region('Status bar').getByText(/^MCP 127/)).toBeVisible(); // before, no window could be joined
  const { client, said } = await stdioClient(desktop, { LISP_WORKBENCH_TOKEN: 'lwb_wrong' });
  expect((await client.listTools()).tools.length).toBeGreaterThan(20);
  for (const code of ['1', '2']) {
    const { text } = await agentOf(client).call('evaluate-lisp', { code });
    expect(text).toContain('does not know this LISP_WORKBENCH_TOKEN');
  }
  expect(said()).toContain('does not know this LISP_WORKBENCH_TOKEN');
  expect((await desktop.snapshot()).clients).toEqual([]);
  await client.close();
});

test('A port that is taken is told with its owner, and the next free one is used', async ({ launch }) => {
  const port = await freePort();
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(port, '127.0.0.1', resolve));
  try {
    const desktop = await launch({ env: { HTTP_PORT: String(port) } });
    await expect
      .poll(async () => (await desktop.server('http')).notice)
      .toMatch(new RegExp(`Port ${port} is taken by .*\\(pid ${process.pid}\\)`));
    expect((await desktop.server('http')).port).toBeGreaterThan(port);
  } finally {
    blocker.close();
  }
});

test('Requests that are turned away are counted beside the address, and told on the record [K1, case 1]', async ({
  desktop,
}) => {
  const { port } = new URL(await desktop.serverUrl());
  const refused = (headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.once('error', reject);
      asked.end('{}');
    });
  expect(await refused({ host: 'evil.example', 'content-type': 'application/json' })).toBe(403);
  await desktop.page.keyboard.press('Control+Shift+J');
  const foot = desktop.region('Clients').getByText(/A request was refused, the last just now/);
  await expect(foot).toContainText('This server does not answer to the host "evil.example"');
  expect(await refused({ 'content-type': 'application/json' })).toBe(401);
  const told = (await desktop.snapshot()).activity.filter((event) => event.kind === 'server-changed');
  expect(told.at(-1)).toMatchObject({ change: 'refused' });
});
