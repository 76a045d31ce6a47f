/** A program that uses another program's token, for example from a configuration in the project. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decideNext } from '#core/approvals/decide.fixture.ts';
import { isOtherProgram } from '#core/clients/programs.ts';
import { openTestWorkbench, testClient, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
const clients: Client[] = [];

beforeAll(async () => {
  bench = await openTestWorkbench({ effects: null });
  bench.workbench.approvals.setApprover('the test');
}, 120_000);

afterAll(async () => {
  for (const client of clients) await client.close();
  await bench.close();
});

async function connectAs(name: string, token: string): Promise<TestClient> {
  const client = new Client({ name, version: '1' });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', bench.url), { requestInit: { headers } }));
  clients.push(client);
  return testClient(client);
}

const record = () => bench.workbench.clients.list().find(({ name }) => name === 'claude-code')!;
const told = () =>
  bench.workbench.activity
    .newest(Infinity)
    .flatMap((event) => (event.kind === 'client-changed' && event.change === 'changed' ? [event.summary] : []));

it("Another program with a client's token is named as what it says it is, on the list, in the activity and on its cards, from its first word", async () => {
  const { token } = await bench.workbench.clients.mint('claude-code');
  const own = await connectAs('claude-code', token);
  expect(await own.evaluate('1')).toBe('=> 1');
  expect(record().protocol).toBe('MCP over HTTP');
  const other = await connectAs('codex-mcp-client', token);
  expect(record().protocol).toBe('MCP over HTTP, used by codex-mcp-client');
  expect(told()).toEqual([
    expect.stringMatching(/^a program that says it is codex-mcp-client uses its token, .*new token$/),
  ]);
  await connectAs('codex-mcp-client', token);
  expect(told().length).toBe(1);
  const call = other.call('write-file', { path: 'a.txt', content: 'a' });
  await decideNext(bench.workbench.approvals, (card) => {
    expect(card.actor).toEqual({
      id: 'client:claude-code',
      kind: 'client',
      name: 'claude-code (says it is codex-mcp-client)',
    });
    return { decision: 'denied', reason: 'no' };
  });
  await call;
  const effect = other.evaluate('(with-open-file (s "/tmp/lisp-workbench-none/x" :direction :output) 1)');
  await decideNext(bench.workbench.approvals, (card) => {
    expect(card.actor.name).toBe('claude-code (or codex-mcp-client)');
    return { decision: 'denied', reason: 'no' };
  });
  await effect;
  const actors = bench.workbench.activity
    .newest(Infinity)
    .map((event) => ('actor' in event ? event.actor?.name : null));
  expect(actors).toEqual(expect.arrayContaining(['claude-code', 'claude-code (says it is codex-mcp-client)']));
});

it('Another program is forgotten with the token that it used', async () => {
  const { token } = await bench.workbench.clients.mint('claude-code');
  await connectAs('claude-code', token);
  expect(record().protocol).toBe('MCP over HTTP');
});

describe('what a program says of itself', () => {
  it.each([
    ['claude-code', 'claude-code'],
    ['claude-desktop', 'claude-ai'],
    ['codex', 'codex-mcp-client'],
    ['vscode', 'Visual Studio Code'],
    ['cline-cli', '@cline/core'],
    ['copilot-cli', 'GitHub Copilot CLI'],
    ['gemini-cli', 'gemini-cli-mcp-client'],
    ['mcp-client', 'anything'],
    ['my agent', 'codex-mcp-client'],
    ['claude-code', 'lisp-workbench-test'],
  ])('The client %s may say that it is %s', (client, says) => expect(isOtherProgram(client, says)).toBe(false));

  it.each([
    ['claude-code', 'codex-mcp-client'],
    ['codex', 'claude-code'],
    ['cursor', 'somebody'],
  ])('The client %s that says it is %s is another program', (client, says) =>
    expect(isOtherProgram(client, says)).toBe(true),
  );
});
