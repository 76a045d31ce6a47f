/** Tests a connection: connects the way a client would, with the command or address from its configuration, and reports each step. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ConnectionStep, ConnectionTest, ConnectionWay } from '#contract/clients/connection.ts';
import { messageOf, systemCode } from '#core/base/error.ts';
import { NO_WINDOW } from '#contract/clients/connection.ts';
import { stdioOf, type ConnectionFacts } from './configurations.ts';
import { TESTER } from '../programs.ts';

/**
 * The time limit of a step in milliseconds. It is long enough that, in propose mode, a call that waits for approval is answered with its
 * handle first.
 */
const STEP_MS = 60_000;
const SAID_LIMIT = 1_000;

/** Tests the connection. Never rejects, because a failure is reported as a step. Calls `onStep` at each change, with all steps so far. */
export async function testConnection(
  way: ConnectionWay,
  facts: ConnectionFacts,
  onStep: (steps: ConnectionStep[]) => void,
): Promise<ConnectionTest> {
  const started = performance.now();
  const steps: ConnectionStep[] = [];
  const link = way === 'stdio' ? overStdio(facts) : overHttp(facts);
  const client = new Client({ name: TESTER, version: '1' });
  const step = async (
    title: string,
    run: () => Promise<string>,
    remedyOf: (error: unknown) => Remedy,
  ): Promise<void> => {
    const index = steps.length;
    const put = (change: Omit<ConnectionStep, 'title'>): void => {
      steps[index] = { title, ...change };
      onStep([...steps]);
    };
    put({ state: 'running', detail: null, remedy: null });
    try {
      put({ state: 'done', detail: await run(), remedy: null });
    } catch (error) {
      put({ state: 'failed', ...remedyOf(error) });
      throw error;
    }
  };
  try {
    await step(link.title, () => connect(client, link), link.remedyOf);
    await step(
      'List the tools',
      () => listTools(client),
      () => AFTER_CONNECTING,
    );
    await step('Evaluate (+ 1 2 3)', () => evaluate(client), evaluationRemedy);
  } catch {
    // The failed step already contains the error.
  }
  await link.leave?.().catch(() => {});
  await client.close().catch(() => {}); // the connection may already be closed
  return { steps, tookMs: performance.now() - started };
}

interface Remedy {
  readonly detail: string;
  readonly remedy: string;
}

interface Link {
  readonly title: string;
  readonly open: () => Transport;
  readonly remedyOf: (error: unknown) => Remedy;
  /** Ends the session, if closing the connection is not enough. */
  readonly leave?: () => Promise<void>;
}

const AFTER_CONNECTING: Remedy = {
  detail: 'The client connected, but did not receive the list.',
  remedy: 'Check the reply in Activity. If there is no reply, restart the program.',
};

function overStdio(facts: ConnectionFacts): Link {
  const { command, args, env } = stdioOf(facts);
  let said = '';
  const open = (): Transport => {
    const transport = new StdioClientTransport({
      command,
      args,
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'pipe',
    });
    transport.stderr!.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-SAID_LIMIT)));
    return transport;
  };
  const remedyOf = (error: unknown): Remedy => {
    if (systemCode(error) === 'ENOENT')
      return {
        detail: `The command ${command} does not exist.`,
        remedy: 'Install the lisp-workbench command, or put its full path into the configuration.',
      };
    const words = said.trim().replaceAll(/^lisp-workbench: /gm, '');
    return { detail: words || messageOf(error), remedy: 'Run the command in a terminal and read its output.' };
  };
  return { title: 'Start the command and connect', open, remedyOf };
}

function overHttp({ url, token }: ConnectionFacts): Link {
  const headers = { Authorization: `Bearer ${token}` };
  let transport: StreamableHTTPClientTransport | null = null;
  const open = (): Transport => {
    transport = new StreamableHTTPClientTransport(new URL(url ?? 'http://127.0.0.1:9'), { requestInit: { headers } });
    return transport;
  };
  const remedyOf = (error: unknown): Remedy => {
    if (url === null)
      return {
        detail: 'The HTTP server is not running.',
        remedy: 'Use the command instead, or see the reason in the Clients panel.',
      };
    const message = messageOf(error);
    if (/401|bearer token/i.test(message))
      return { detail: 'The server refused the token (401).', remedy: 'Create a new token for this client.' };
    return {
      detail: `Nothing answers at ${url}: ${systemCode((error as Error).cause) ?? message}`,
      remedy: 'Compare the address with the address at the bottom of the Clients panel.',
    };
  };
  const leave = async (): Promise<void> => transport?.terminateSession();
  return { title: 'Reach the address and connect', open, remedyOf, leave };
}

async function connect(client: Client, { open }: Link): Promise<string> {
  const started = performance.now();
  const transport = open();
  await client.connect(transport, { timeout: STEP_MS });
  const protocol = 'protocolVersion' in transport ? ` · MCP ${String(transport.protocolVersion)}` : '';
  return `${took(started)}${protocol} · ${client.getServerVersion()?.name ?? 'unknown'} ${client.getServerVersion()?.version ?? ''}`.trim();
}

async function listTools(client: Client): Promise<string> {
  const { tools } = await client.listTools(undefined, { timeout: STEP_MS });
  return `${tools.length} tools`;
}

async function evaluate(client: Client): Promise<string> {
  const started = performance.now();
  const call = { name: 'evaluate-lisp', arguments: { code: '(+ 1 2 3)' } };
  const { content, isError, _meta } = await client.callTool(call, undefined, { timeout: STEP_MS });
  const text = (content as { text?: string }[])[0]?.text ?? '';
  if (text === '=> 6') return `=> 6 · ${took(started)}`;
  if (_meta?.['status'] === 'pending_approval')
    return 'The call is waiting for you in Review, as expected in this mode.';
  if (_meta?.['status'] === 'denied' && isError) return `Denied, as expected. The client receives this reply: ${text}`;
  throw new Error(text);
}

function evaluationRemedy(error: unknown): Remedy {
  if (messageOf(error).startsWith(NO_WINDOW))
    return {
      detail: messageOf(error).slice(0, SAID_LIMIT),
      remedy:
        'The command looks for this window in another folder. Set LISP_WORKBENCH_HOME in the configuration to the value that this program has.',
    };
  if (/does not know this|belongs to/.test(messageOf(error)))
    return {
      detail: messageOf(error).slice(0, SAID_LIMIT),
      remedy: 'Create a new token for this client and put it into its configuration.',
    };
  return {
    detail: messageOf(error).slice(0, SAID_LIMIT),
    remedy: 'Evaluate the form in the REPL. If that fails, restart the image.',
  };
}

function took(started: number): string {
  return `${Math.round(performance.now() - started)} ms`;
}
