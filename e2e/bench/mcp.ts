/** An evaluation by an MCP client, over stdio and over HTTP, against a server of the same SDK that returns a constant. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { compare, interleave, timed, type Comparison, type Sample } from './measure.ts';
import { ROOT, script, temporaryFolder, type Bench } from './setup.ts';

const GOAL = 1.3;

/** How a server is started: a script that Node runs from source, ours and the peer alike. */
interface Command {
  readonly node: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

export async function mcp({ scope }: Bench): Promise<Comparison[]> {
  const node = (await script('places.mjs')).node();
  const env = await environment(scope);
  const command = (file: string, ...args: string[]): Command => ({ node, args: [path.join(ROOT, file), ...args], env });
  const project = await temporaryFolder(scope, 'project');
  // One after the other: the first call of ours builds the core that both use.
  const stdio = await overStdio(command('main/cli.ts', 'mcp', '--headless', '--project', project), scope);
  const http = await overHttp(command('main/cli.ts', 'serve', '--port', '0', '--project', project), scope);
  const peer = 'e2e/bench/constant-server.ts';
  const taken = await interleave(
    {
      stdio,
      stdioPeer: await overStdio(command(peer, 'stdio'), scope),
      http,
      httpPeer: await overHttp(command(peer, 'http'), scope),
    },
    { warmUp: 6, rounds: 30, inARow: 40 },
  );
  return [
    compare('evaluate by MCP over stdio / a constant by MCP', taken.stdio, taken.stdioPeer, GOAL),
    compare('evaluate by MCP over HTTP / a constant by MCP', taken.http, taken.httpPeer, GOAL),
  ];
}

async function overStdio({ node, args, env }: Command, scope: AsyncDisposableStack): Promise<Sample> {
  return connected(new StdioClientTransport({ command: node, args: [...args], env, stderr: 'ignore' }), scope);
}

/** Both servers say in one JSON line where they are. */
async function overHttp({ node, args, env }: Command, scope: AsyncDisposableStack): Promise<Sample> {
  const child = spawn(node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  scope.defer(async () => {
    child.kill('SIGTERM');
    await closed;
  });
  const ready = await Promise.race([once(createInterface(child.stdout), 'line'), closed]);
  if (typeof ready[0] !== 'string') throw new Error(`The server ended before it was ready: ${said.trim()}`);
  const { mcp: url, token } = JSON.parse(ready[0]) as { mcp: string; token: string };
  const headers = { Authorization: `Bearer ${token}` };
  return connected(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }), scope);
}

async function connected(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  scope: AsyncDisposableStack,
): Promise<Sample> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(transport);
  scope.defer(() => client.close());
  const sample = (): Promise<number> =>
    timed(async () => {
      const { content } = await client.callTool({ name: 'evaluate-lisp', arguments: { code: '(+ 1 2 3)' } });
      const text = (content as { text: string }[])[0]?.text;
      if (!text?.includes('6')) throw new Error(`The tool answered ${JSON.stringify(text)}.`);
    });
  await sample(); // starts the image
  return sample;
}

/** A home of its own, and none of the variables that would make ours do more than it does for anybody. */
async function environment(scope: AsyncDisposableStack): Promise<Record<string, string>> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(LISP_WORKBENCH_(?!SBCL)|LISPLY_|HTTP_|START_)/.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), LISP_WORKBENCH_HOME: await temporaryFolder(scope, 'home') };
}
