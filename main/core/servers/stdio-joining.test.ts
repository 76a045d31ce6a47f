import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPlaces, findPlaces } from '#core/settings/places.ts';
import { openTestWorkbench, testClient, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { PrivateSocket } from './private-socket.ts';

const CLI = path.resolve(import.meta.dirname, '..', '..', 'cli.ts');
let bench: TestWorkbench;
let socket: PrivateSocket;
const open: Client[] = [];

beforeAll(async () => {
  bench = await openTestWorkbench();
  const places = createPlaces(findPlaces({ ...process.env, LISP_WORKBENCH_HOME: home() }));
  socket = new PrivateSocket(bench.workbench.door, bench.workbench.admissions, places.socket);
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

/** The command as a client starts it. */
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

/** Resolves when all who waited have left. */
function nobodyWaits(): Promise<void> {
  const { admissions } = bench.workbench;
  return new Promise((resolve) => {
    const stop = admissions.events.on('changed', () => check());
    const check = (): void => {
      if (admissions.list().length > 0) return;
      stop();
      resolve();
    };
    check();
  });
}

const list = () => bench.workbench.admissions.list();

describe('D14 a stdio client without a token', () => {
  it('waits to be let in; a call made meanwhile goes on when it is', async () => {
    const agent = await stdio({}, ['--client', 'newcomer']);
    expect((await agent.client.listTools()).tools.length).toBeGreaterThan(0);
    const answer = agent.evaluate('(+ 1 2 3)');
    await expect.poll(() => list().map(({ label }) => label)).toEqual(['newcomer']);
    expect(bench.workbench.session.view().running).toBeNull();
    expect(bench.workbench.clients.list().map(({ name }) => name)).not.toContain('newcomer');
    await bench.workbench.admissions.admit(list()[0]!.id, 'newcomer');
    expect(await answer).toBe('=> 6');
    expect(bench.workbench.clients.list().find(({ name }) => name === 'newcomer')).toMatchObject({ connections: 1 });
    expect(agent.said()).toContain('is asked to let this client in');
  });

  it('decision 22 works in an image of its own when the person lets it into one', async () => {
    const agent = await stdio({}, ['--client', 'apart']);
    await expect.poll(() => list().length).toBe(1);
    await bench.workbench.admissions.admit(list()[0]!.id, 'apart', true);
    expect(await agent.evaluate('(defvar *apart* 1)')).toBe('=> *APART*');
    const shared = await bench.connect();
    expect(await shared.evaluate("(boundp '*apart*)")).toBe('=> NIL');
    const page = await agent.client.callTool({ name: 'read-file', arguments: { path: 'no-such-file' } });
    expect(page.isError).toBe(true);
  });

  it('K1 finds the rest of a long reply by its handle, once it is in', async () => {
    const agent = await stdio({});
    await expect.poll(() => list().length).toBe(1);
    await bench.workbench.admissions.admit(list()[0]!.id, 'reader');
    await writeFile(path.join(bench.project, 'long.txt'), 'x'.repeat(1_200_000));
    const text = async (name: string): Promise<string> => {
      const { content } = await agent.client.callTool({ name: 'read-file', arguments: { path: name } });
      return (content as { text: string }[])[0]!.text;
    };
    const [, handle] = /They go on at (\S+),/.exec(await text('long.txt'))!;
    expect(await text(handle!)).toMatch(/^x+$/);
  });

  it.runIf(process.platform === 'linux')('shows which process it is and who started it', async () => {
    await stdio({});
    await expect.poll(() => list()[0]?.process?.command).toContain('cli.ts mcp');
    expect(list()[0]!.process!.startedBy).toMatch(/node|vitest/);
  });

  it('is told who it is not: resources are refused until then', async () => {
    const agent = await stdio({});
    await expect(agent.client.readResource({ uri: 'lisp-workbench://definitions' })).rejects.toThrow(/has not let/);
  });

  it('is ended when it is refused, and says why', async () => {
    const agent = await stdio({});
    const closed = new Promise<void>((resolve) => (agent.client.onclose = resolve));
    await expect.poll(() => list().length).toBe(1);
    bench.workbench.admissions.refuse(list()[0]!.id);
    await closed;
    await expect.poll(agent.said).toContain('did not let this client in');
  });

  it('waits no more when it leaves', async () => {
    const agent = await stdio({});
    await expect.poll(() => list().length).toBe(1);
    await agent.client.close();
    await expect.poll(() => list().length).toBe(0);
  });

  it('is ended when what it was let in as is revoked', async () => {
    const agent = await stdio({});
    await expect.poll(() => list().length).toBe(1);
    await bench.workbench.admissions.admit(list()[0]!.id, 'short');
    expect(await agent.evaluate('1')).toBe('=> 1');
    const closed = new Promise<void>((resolve) => (agent.client.onclose = resolve));
    await bench.workbench.clients.revoke('client:short');
    socket.endClient('client:short');
    await closed;
  });
});

describe('the stdio command', () => {
  it('joins with a token at once, and is told of changes', async () => {
    const { token } = await bench.workbench.clients.mint('with token');
    const agent = await stdio({ LISP_WORKBENCH_TOKEN: token });
    expect(await agent.evaluate('(+ 1 2 3)')).toBe('=> 6');
    let told = 0;
    agent.client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (told += 1));
    await bench.workbench.clients.change({ id: 'client:with token', profile: 'all' });
    await expect.poll(() => told).toBe(1);
    expect(agent.said()).toContain('Joined the running desktop');
  });

  it('S39 has an image of its own where no desktop is open, says so, and starts no Lisp before it must', async () => {
    const agent = await stdio({ LISP_WORKBENCH_HOME: path.join(home(), 'elsewhere') });
    const { tools } = await agent.client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    expect(agent.said()).toContain('No desktop is open, so this has an image of its own');
    const sessions = await agent.client.callTool({ name: 'list-sessions' });
    expect(sessions.structuredContent).toMatchObject({ sessions: [{ lisp: null }] });
  });
});
