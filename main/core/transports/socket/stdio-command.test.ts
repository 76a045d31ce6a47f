import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { builtCommand } from '#core/built-command.fixture.ts';
import { createPaths, findPaths } from '#core/settings/paths.ts';
import { openTestWorkbench, testClient, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { PrivateSocket } from './private-socket.ts';

const CLI = builtCommand();
let bench: TestWorkbench;
let socket: PrivateSocket;
const open: Client[] = [];

beforeAll(async () => {
  bench = await openTestWorkbench();
  const paths = createPaths(findPaths({ ...process.env, LISP_WORKBENCH_HOME: home() }));
  socket = new PrivateSocket(bench.workbench.transportHost, bench.workbench.pairing, paths.socket);
  await socket.listen();
}, 120_000);

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
  await nobodyWaits();
});

afterAll(async () => {
  await socket.close();
  await bench.close();
});

const home = (): string => path.dirname(bench.home);

/** Starts the stdio command as a client does. */
async function stdio(env: Record<string, string>, args: string[] = []): Promise<TestClient & { said: () => string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    env: { ...(process.env as Record<string, string>), LISP_WORKBENCH_HOME: home(), LISP_WORKBENCH_TOKEN: '', ...env },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const client = new Client({ name: 'stdio', version: '1' });
  open.push(client);
  await client.connect(transport);
  return { ...testClient(client), said: () => said };
}

/** Resolves when no client is waiting to be paired. */
function nobodyWaits(): Promise<void> {
  const { pairing } = bench.workbench;
  return new Promise((resolve) => {
    const stop = pairing.events.on('changed', () => check());
    const check = (): void => {
      if (pairing.list().length > 0) return;
      stop();
      resolve();
    };
    check();
  });
}

const list = () => bench.workbench.pairing.list();

describe('stdio client without a token', () => {
  it('A stdio client without a token waits for pairing, and a call made meanwhile goes on when it is paired [D14]', async () => {
    const agent = await stdio({}, ['--client', 'newcomer']);
    expect((await agent.client.listTools()).tools.length).toBeGreaterThan(0);
    const answer = agent.evaluate('(+ 1 2 3)');
    await expect.poll(() => list().map(({ label }) => label)).toEqual(['newcomer']);
    expect(bench.workbench.session.view().running).toBeNull();
    expect(bench.workbench.clients.list().map(({ name }) => name)).not.toContain('newcomer');
    await bench.workbench.pairing.admit(list()[0]!.id, 'newcomer');
    expect(await answer).toBe('=> 6');
    expect(bench.workbench.clients.list().find(({ name }) => name === 'newcomer')).toMatchObject({ connections: 1 });
    expect(agent.said()).toContain('is asking the person to accept this client');
  });

  it('A stdio client without a token works in an image of its own when the person pairs it so [D14, decision 22]', async () => {
    const agent = await stdio({}, ['--client', 'apart']);
    await expect.poll(() => list().length).toBe(1);
    await bench.workbench.pairing.admit(list()[0]!.id, 'apart', true);
    expect(await agent.evaluate('(defvar *apart* 1)')).toBe('=> *APART*');
    const shared = await bench.connect();
    expect(await shared.evaluate("(boundp '*apart*)")).toBe('=> NIL');
    const page = await agent.client.callTool({
      name: 'read-file',
      arguments: { path: 'no-such-file' },
      _meta: { 'lisp-workbench/data': true },
    });
    expect(page.isError).toBe(true);
  });

  it.each([[[]], [['--headless']]])(
    'A command with --tools repl %j is told of no tools for files, joined or not [issue 35.1]',
    async (more) => {
      const agent = await stdio({}, ['--client', 'plain', '--tools', 'repl', ...more]);
      const names = (await agent.client.listTools()).tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['evaluate-lisp', 'load-file', 'run-tests', 'find-tools']));
      expect(names.filter((name) => /file/.test(name))).toEqual(['load-file']);
    },
  );

  it('A client finds the rest of a long reply by its handle, once it is paired [K1, D14]', async () => {
    const agent = await stdio({});
    await expect.poll(() => list().length).toBe(1);
    await bench.workbench.pairing.admit(list()[0]!.id, 'reader');
    const [, handle] = /The whole text: read-file with path (\S+)/.exec(
      await agent.evaluate('(dotimes (i 9000) (print i))'),
    )!;
    expect((await agent.call('read-file', { path: handle! })).text).toContain('\n4000');
  });

  it.runIf(process.platform === 'linux')('A stdio client shows its process and who started it [D14]', async () => {
    await stdio({});
    await expect.poll(() => list()[0]?.process?.command).toContain('cli.js mcp');
    expect(list()[0]!.process!.startedBy).toMatch(/node|vitest/);
  });

  it('An unpaired client is told who it is not: resources are refused until then [D14]', async () => {
    const agent = await stdio({});
    await expect(agent.client.readResource({ uri: 'lisp-workbench://definitions' })).rejects.toThrow(
      /has not admitted/,
    );
  });

  it('An unpaired client is ended when it is refused, and says why [D14]', async () => {
    const agent = await stdio({});
    const closed = new Promise<void>((resolve) => (agent.client.onclose = resolve));
    await expect.poll(() => list().length).toBe(1);
    bench.workbench.pairing.refuse(list()[0]!.id);
    await closed;
    await expect.poll(agent.said).toContain('did not accept this client');
  });

  it('An unpaired client waits no more when it leaves [D14]', async () => {
    const agent = await stdio({});
    await expect.poll(() => list().length).toBe(1);
    await agent.client.close();
    await expect.poll(() => list().length).toBe(0);
  });

  it('A paired client is ended when its pairing is revoked [D14]', async () => {
    const agent = await stdio({});
    await expect.poll(() => list().length).toBe(1);
    await bench.workbench.pairing.admit(list()[0]!.id, 'short');
    expect(await agent.evaluate('1')).toBe('=> 1');
    const closed = new Promise<void>((resolve) => (agent.client.onclose = resolve));
    await bench.workbench.clients.revoke('client:short');
    socket.endClient('client:short');
    await closed;
  });
});

describe('stdio command', () => {
  it('The stdio command joins with a token at once, and is told of changes', async () => {
    const { token } = await bench.workbench.clients.mint('with token');
    const agent = await stdio({ LISP_WORKBENCH_TOKEN: token });
    expect(await agent.evaluate('(+ 1 2 3)')).toBe('=> 6');
    let told = 0;
    agent.client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (told += 1));
    await bench.workbench.clients.change({ id: 'client:with token', profile: 'all' });
    await expect.poll(() => told).toBe(1);
    expect(agent.said()).toContain('Joined the running desktop');
  });

  it('The stdio command has an image of its own where no desktop is open, says so, and starts no Lisp before it must [S39]', async () => {
    const agent = await stdio({ LISP_WORKBENCH_HOME: path.join(home(), 'elsewhere') });
    const { tools } = await agent.client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    expect(agent.said()).toContain('No desktop is open, so this connection has its own image');
    const sessions = await agent.client.callTool({ name: 'list-sessions', _meta: { 'lisp-workbench/data': true } });
    expect(sessions.structuredContent).toMatchObject({ sessions: [{ name: 'workbench' }] });
    expect(JSON.stringify(sessions.structuredContent)).not.toContain('lisp"');
    const instructions = agent.client.getInstructions();
    expect(instructions).toContain('only you use it');
    expect(instructions).toContain(
      'Nobody can approve requests here, so actions that need approval, such as writing files, are denied.',
    );
    expect(instructions).not.toMatch(/waits|share/);
  });

  it('The stdio command with --headless joins no desktop that is open: what it does stays in its own image [S39–S41]', async () => {
    const agent = await stdio({}, ['--headless']);
    await expect.poll(() => agent.evaluate('(+ 1 2)'), { timeout: 50_000 }).toBe('=> 3'); // the first call starts the client's image
    expect(await agent.evaluate('(defun only-there () 1)')).toBe('=> ONLY-THERE');
    expect(agent.said()).not.toContain('Joined');
    const shared = await bench.connect();
    expect(await shared.evaluate("(fboundp 'only-there)")).toBe('=> NIL');
  });
});
