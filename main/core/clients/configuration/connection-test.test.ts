import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectionStep, ConnectionWay } from '#contract/clients/connection.ts';
import { builtCommand } from '#core/built-command.fixture.ts';
import { PrivateSocket } from '#core/transports/socket/private-socket.ts';
import { createPaths, findPaths, leadingEnvironment } from '#core/settings/paths.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import type { ConnectionFacts } from './configurations.ts';
import { testConnection } from './connection-test.ts';

const CLI = builtCommand();
let bench: TestWorkbench;
let socket: PrivateSocket;
let facts: ConnectionFacts;

beforeAll(async () => {
  bench = await openTestWorkbench();
  const environment = { ...process.env, LISP_WORKBENCH_HOME: path.dirname(bench.home) };
  socket = new PrivateSocket(
    bench.workbench.transportHost,
    bench.workbench.pairing,
    createPaths(findPaths(environment)).socket,
  );
  await socket.listen();
  const { token } = await bench.workbench.clients.mint('tested');
  facts = {
    name: 'tested',
    token,
    url: `${bench.url}/mcp`,
    command: [process.execPath, CLI, 'mcp'],
    environment: leadingEnvironment(environment),
  };
}, 120_000);

afterAll(async () => {
  await socket.close();
  await bench.close();
});

async function run(way: ConnectionWay, more: Partial<ConnectionFacts> = {}): Promise<ConnectionStep[]> {
  return (await testConnection(way, { ...facts, ...more }, () => {})).steps;
}

describe('test of a connection', () => {
  it.each<ConnectionWay>(['stdio', 'http'])(
    'The test of a connection over %s connects, lists and evaluates in the image of the window [D14]',
    async (way) => {
      const told: ConnectionStep[][] = [];
      const { steps } = await testConnection(way, facts, (so) => told.push(so));
      expect(steps.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
      expect(steps[1]!.detail).toMatch(/^\d+ tools$/);
      expect(steps[2]!.detail).toMatch(/^=> 6 · \d+ ms$/);
      expect(told.at(0)).toMatchObject([{ state: 'running' }]);
      expect(bench.workbench.activity.newest(20)).toContainEqual(
        expect.objectContaining({
          kind: 'client-changed',
          change: 'connected',
          actor: expect.objectContaining({ name: 'tested' }) as unknown,
        }),
      );
      await expect
        .poll(() => bench.workbench.clients.list().find(({ name }) => name === 'tested')!.connections)
        .toBe(0);
    },
  );

  it.each<[string, ConnectionWay, Partial<ConnectionFacts>, RegExp, RegExp]>([
    ['a void token', 'stdio', { token: 'lwb_void' }, /does not know this/, /new token/],
    ['a void token', 'http', { token: 'lwb_void' }, /refused the token/, /new token/],
    ['another client’s token', 'stdio', { name: 'other' }, /belongs to tested/, /new token/],
    ['no such command', 'stdio', { command: ['/no/such/lisp-workbench', 'mcp'] }, /does not exist/, /Install/],
    [
      'a command that is none',
      'stdio',
      { command: [process.execPath, '-e', '0', '--'] },
      /closed/i,
      /Run the command in a terminal/,
    ],
    [
      'an address where nothing is',
      'http',
      { url: 'http://127.0.0.1:9/mcp' },
      /Nothing answers at/,
      /Compare the address/,
    ],
    ['no server', 'http', { url: null }, /is not running/, /Use the command/],
  ])(
    'The test of a connection says what the client would see with %s over %s, and one thing to try [D14]',
    async (_what, way, more, detail, remedy) => {
      const steps = await run(way, more);
      expect(steps.slice(0, -1).every(({ state }) => state === 'done')).toBe(true);
      expect(steps.at(-1)).toMatchObject({
        state: 'failed',
        detail: expect.stringMatching(detail) as unknown,
        remedy: expect.stringMatching(remedy) as unknown,
      });
    },
  );

  it('The test of a connection takes the answer of a mode for what it is [D14]', async () => {
    await bench.workbench.clients.change({ id: 'client:tested', mode: 'observe' });
    const steps = await run('http');
    expect(steps.at(-1)).toMatchObject({ state: 'done', detail: expect.stringContaining('Denied') as unknown });
    await bench.workbench.clients.change({ id: 'client:tested', mode: 'collaborate' });
  });
});
