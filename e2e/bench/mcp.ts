/**
 * Evaluations by an MCP client. Over stdio the lower bound is a relay, which is Node without libraries in front of a plain SBCL. Over HTTP
 * the comparison is with a server that uses the same libraries and returns a constant. The workbench's server runs the way clients start
 * it: as the built command, with its core already built.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findSbcl } from '#core/lisp/start/sbcl.ts';
import { compare, interleave, timed, type Comparison, type Sample } from './harness/measure.ts';
import { overHttp, overStdio, type Command, type McpClient } from './harness/mcp-client.ts';
import { ROOT, script, temporaryFolder, type Bench } from './harness/setup.ts';

/** The greatest ratio of our time to the relay's, over stdio. */
const STDIO_GOAL = 2;
/** The greatest allowed ratio of our time to the constant server's over HTTP. It also applies to the calls of four clients at once. */
const HTTP_GOAL = 1.5;
const INITIALIZE_MS = 250;
const FIRST_EVALUATION_MS = 450;

/** The number of calls that count as the first calls of a client. `STARTS` is the number of starts in which they are measured. */
const FIRST_CALLS = 100;
const STARTS = 5;
const CLIENTS = 4;
const CALLS_EACH = 25;

export async function mcp({ scope }: Bench): Promise<Comparison[]> {
  await (await script('build-command.mjs')).buildCommand();
  const node = (await script('places.mjs')).node();
  const env = await environment(scope);
  const project = await temporaryFolder(scope, 'project');
  const command = (file: string, ...args: string[]): Command => ({ node, args: [path.join(ROOT, file), ...args], env });
  const { path: sbcl } = await findSbcl(process.env['LISP_WORKBENCH_SBCL'] || null);
  const sides = {
    ours: command('out/cli/cli.js', 'mcp', '--headless', '--project', project),
    relay: command('e2e/bench/harness/relay-server.ts', sbcl),
    constant: command('e2e/bench/harness/constant-server.ts', 'stdio'),
  };
  await firstCalls(sides.ours); // also builds the core
  const early = { ours: await starts(sides.ours), relay: await starts(sides.relay) };
  const open = async (side: Command): Promise<Sample> => sampleOf(closing(await overStdio(side), scope));
  const ours = await listening(command('out/cli/cli.js', 'serve', '--port', '0', '--project', project), scope);
  const constant = await listening(command('e2e/bench/harness/constant-server.ts', 'http'), scope);
  const taken = await interleave(
    {
      stdio: await open(sides.ours),
      relay: await open(sides.relay),
      constant: await open(sides.constant),
      http: await one(ours, scope),
      httpConstant: await one(constant, scope),
    },
    { warmUp: 8, rounds: 30, inARow: 20 },
  );
  const together = await interleave(
    { ours: await several(ours, scope), constant: await several(constant, scope) },
    { warmUp: 4, rounds: 15, inARow: 1 },
  );
  return [
    compare(
      'evaluate by MCP over stdio / Node without a library before a plain SBCL',
      taken.stdio,
      taken.relay,
      STDIO_GOAL,
    ),
    compare('  of the first hundred calls', early.ours.calls, early.relay.calls, STDIO_GOAL),
    compare('  over stdio / a constant by MCP', taken.stdio, taken.constant, null),
    compare('evaluate by MCP over HTTP / a constant by MCP', taken.http, taken.httpConstant, HTTP_GOAL),
    compare(
      `  ${CLIENTS} clients, ${CLIENTS * CALLS_EACH} calls / a constant`,
      together.ours,
      together.constant,
      HTTP_GOAL,
    ),
    compare(
      'mcp answers initialize / the relay',
      early.ours.initialized,
      early.relay.initialized,
      null,
      'milliseconds',
      INITIALIZE_MS,
    ),
    compare(
      '  and its first evaluation',
      early.ours.first,
      early.relay.first,
      null,
      'milliseconds',
      FIRST_EVALUATION_MS,
    ),
  ];
}

interface Early {
  /** Milliseconds of the first calls of several processes. */
  readonly calls: number[];
  /** Milliseconds from the start of each process to the answer to `initialize`. */
  readonly initialized: number[];
  /** Milliseconds from the start of each process to the answer to its first evaluation. */
  readonly first: number[];
}

async function starts(side: Command): Promise<Early> {
  const early: Early = { calls: [], initialized: [], first: [] };
  for (let start = 0; start < STARTS; start += 1) {
    const { initialized, calls } = await firstCalls(side);
    early.initialized.push(initialized);
    early.first.push(initialized + calls[0]!);
    early.calls.push(...calls.slice(1));
  }
  return early;
}

async function firstCalls(side: Command): Promise<{ initialized: number; calls: number[] }> {
  const client = await overStdio(side);
  const calls: number[] = [];
  for (let call = 0; call < FIRST_CALLS; call += 1) calls.push(await timed(client.evaluate));
  await client.close();
  return { initialized: client.initializedMs, calls };
}

/** The address of a server; both servers print it in one line of JSON. */
interface Place {
  readonly mcp: string;
  readonly token: string;
}

async function listening({ node, args, env }: Command, scope: AsyncDisposableStack): Promise<Place> {
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
  return JSON.parse(ready[0]) as Place;
}

async function one({ mcp: url, token }: Place, scope: AsyncDisposableStack): Promise<Sample> {
  return sampleOf(closing(await overHttp(url, token), scope));
}

/** Returns a sample that makes all calls of all clients. The clients do not wait for one another. */
async function several({ mcp: url, token }: Place, scope: AsyncDisposableStack): Promise<Sample> {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async () => closing(await overHttp(url, token), scope)),
  );
  const calls = async ({ evaluate }: McpClient): Promise<void> => {
    for (let call = 0; call < CALLS_EACH; call += 1) await evaluate();
  };
  return () => timed(() => Promise.all(clients.map(calls)));
}

function sampleOf({ evaluate }: McpClient): Sample {
  return () => timed(evaluate);
}

function closing(client: McpClient, scope: AsyncDisposableStack): McpClient {
  scope.defer(client.close);
  return client;
}

/** Returns an environment with its own home, without variables that would make the workbench's server do more than by default. */
async function environment(scope: AsyncDisposableStack): Promise<NodeJS.ProcessEnv> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(LISP_WORKBENCH_(?!SBCL)|LISPLY_|HTTP_|START_)/.test(name),
  );
  return { ...Object.fromEntries(kept), LISP_WORKBENCH_HOME: await temporaryFolder(scope, 'home') };
}
