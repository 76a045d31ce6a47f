/** The cost of the tools for each of a client's sessions: the size of everything that a model gets before its first call. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ClientProfile } from '#contract/clients/client.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { createMcpServer } from './server.ts';

let bench: TestWorkbench;

beforeAll(async () => {
  bench = await openTestWorkbench();
}, 120_000);

afterAll(() => bench.close());

/** Returns the result of `tools/list` as JSON, and the instructions, for a client with this profile. */
async function told(profile: ClientProfile): Promise<{ list: string; instructions: string }> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const actor = { id: 'client:tester', kind: 'client', name: 'tester' } as const;
  const { server } = createMcpServer(bench.workbench.transportHost, { actor, connectionId: 'size', profile });
  await server.connect(far);
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(near);
  const said = { list: JSON.stringify(await client.listTools()), instructions: client.getInstructions()! };
  await client.close();
  return said;
}

/** Characters reserved for the description of the sandbox and for the project's path, because their lengths vary. */
const ROOM = 400;

it.each<[ClientProfile, number]>([
  ['all', 28_000],
  ['standard', 16_000],
  ['repl', 14_000],
])('The tools of the set %s and the instructions have fewer than %i characters [issue 35.1]', async (profile, most) => {
  const { list, instructions } = await told(profile);
  expect(list.length + instructions.length + ROOM).toBeLessThan(most);
});

it('A client without tools for files is told to change files with its own, and a name of none of ours [issue 35.1]', async () => {
  const { list, instructions } = await told('repl');
  expect(instructions).toContain('Change files with your own tools');
  expect(instructions + list).not.toMatch(/edit-files|read-file|search-files|write-file/);
});
