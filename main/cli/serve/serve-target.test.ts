import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { CACHE_THERE, FAR_GUARD_MS } from '#core/targets/targets.fixture.ts';
import { testClient } from '#core/workbench.fixture.ts';

const CLI = path.resolve(import.meta.dirname, '..', '..', 'cli.ts');

it('A client of serve with --target works in the image there', { timeout: FAR_GUARD_MS }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'serve-target-'));
  const env = { ...process.env, LISP_WORKBENCH_HOME: path.join(folder, 'home') };
  const place = `command:env XDG_CACHE_HOME=${CACHE_THERE} FAR=yes`;
  const server = spawn(process.execPath, [CLI, 'serve', '--port', '0', '--target', place], { env, cwd: folder });
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const ready = JSON.parse((await lines.next()).value!) as { mcp: string; token: string };
    const client = new Client({ name: 'agent', version: '1.0.0' });
    const headers = { Authorization: `Bearer ${ready.token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(ready.mcp), { requestInit: { headers } }));
    const agent = testClient(client);
    let text = await agent.evaluate('(sb-posix:getenv "FAR")');
    // Building the core on the target may take longer than one call waits.
    for (let handle; (handle = /^Handle: (\S+)$/m.exec(text)?.[1]) !== undefined;)
      ({ text } = await agent.call('await-approval', { approval_id: handle }));
    expect(text).toContain('=> "yes"');
    expect((await agent.call('list-sessions')).text).toContain('on the target env XDG_CACHE_HOME=');
    await client.close();
  } finally {
    const over = once(server, 'exit');
    server.kill();
    await over;
    await rm(folder, { recursive: true, force: true });
  }
});
