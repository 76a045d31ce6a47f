/** MCP clients for the benchmarks, without a library, so that they add the same small cost to every side. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';

/** The command that starts a server. */
export interface Command {
  readonly node: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface McpClient {
  /** Milliseconds from the start of the process to the answer to `initialize`. */
  readonly initializedMs: number;
  /** Evaluates `(+ 1 2 3)`. @throws Error if the answer is wrong or missing. */
  readonly evaluate: () => Promise<void>;
  /** Evaluates a form, and resolves with the text of the answer. */
  readonly text: (code: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
}

type Ask = (method: string, params: object) => Promise<Answer>;

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
};

/** Starts a server and communicates with it over its standard streams. */
export async function overStdio({ node, args, env }: Command): Promise<McpClient> {
  const started = performance.now();
  const child = spawn(node, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  const waiting = new Map<number, (answer: Answer) => void>();
  let count = 0;
  createInterface(child.stdout).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  const ask: Ask = (method, params) =>
    new Promise((resolve) => {
      waiting.set((count += 1), resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: count, method, params })}\n`);
    });
  await Promise.race([
    ask('initialize', INITIALIZE),
    closed.then(() => Promise.reject(new Error('The server ended.'))),
  ]);
  const initializedMs = performance.now() - started;
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    initializedMs,
    evaluate: () => evaluated(ask),
    text: (code) => textOf(ask, code),
    close: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** Communicates with a server that listens at `url`, on a persistent connection. */
export async function overHttp(url: string, token: string): Promise<McpClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  let count = 0;
  const post = (message: object): Promise<string> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      const sent = request(url, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      });
      sent.on('error', reject).on('response', (response) => {
        const session = response.headers['mcp-session-id'];
        if (typeof session === 'string') headers['mcp-session-id'] = session;
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(text));
      });
      sent.end(body);
    });
  /** Returns the JSON of a response, or of the only event of a stream. */
  const ask: Ask = async (method, params) => {
    const text = await post({ id: (count += 1), method, params });
    return JSON.parse(text.startsWith('{') ? text : text.slice(text.indexOf('data: ') + 6)) as Answer;
  };
  const started = performance.now();
  await ask('initialize', INITIALIZE);
  const initializedMs = performance.now() - started;
  await post({ method: 'notifications/initialized' });
  return {
    initializedMs,
    evaluate: () => evaluated(ask),
    text: (code) => textOf(ask, code),
    close: async () => agent.destroy(),
  };
}

async function textOf(ask: Ask, code: string): Promise<string> {
  const { result } = await ask('tools/call', { name: 'evaluate-lisp', arguments: { code } });
  return result?.content?.[0]?.text ?? '';
}

async function evaluated(ask: Ask): Promise<void> {
  const { result } = await ask('tools/call', { name: 'evaluate-lisp', arguments: { code: '(+ 1 2 3)' } });
  const text = result?.content?.[0]?.text;
  if (!text?.includes('6')) throw new Error(`The tool answered ${JSON.stringify(text)}.`);
}
