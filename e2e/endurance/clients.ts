/** Real MCP clients that use the official SDK. They use the image of `serve` over HTTP, and their own image over standard streams. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Place } from './place.ts';
import { mcpCommand, type Served } from './served.ts';

export interface Answer {
  /** The text of the answer, without the notice. */
  readonly text: string;
  /** The changes of the image since the connection's last call; null if there were none. */
  readonly notice: string | null;
  readonly isError: boolean;
}

export interface Agent {
  readonly call: (tool: string, args?: Record<string, unknown>, signal?: AbortSignal) => Promise<Answer>;
  /** Calls evaluate-lisp and returns the text of its answer. */
  readonly evaluate: (code: string, signal?: AbortSignal) => Promise<string>;
  readonly client: Client;
  /** Closes the connection properly, which also ends the session on the other side. */
  readonly close: () => Promise<void>;
  /** Closes the connection without ending the session. */
  readonly drop: () => Promise<void>;
}

/** A client that has its own image, with the process that the client started for the image. */
export interface OwnImage extends Agent {
  readonly pid: number;
}

/** The answer to a call that is still running when its client's time limit has passed. The client then requests the outcome. */
const UNDER_WAY = /^(?:Still running|Not started|Waiting for approval)[^]*"approval_id": "([^"]+)"/;
/** Milliseconds after which a call counts as hung. */
const GUARD_MS = 180_000;

export async function connectOverHttp({ mcp, token }: Pick<Served, 'mcp' | 'token'>, name: string): Promise<Agent> {
  const client = new Client({ name, version: '1.0.0' });
  const headers = { Authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(mcp), { requestInit: { headers } });
  await client.connect(transport, { timeout: GUARD_MS });
  const drop = (): Promise<void> => client.close();
  return {
    ...callsOf(client),
    drop,
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

export async function startOwnImage(place: Place, name: string): Promise<OwnImage> {
  const client = new Client({ name, version: '1.0.0' });
  const env = Object.fromEntries(
    Object.entries(place.environment).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const transport = new StdioClientTransport({ ...mcpCommand(place), cwd: place.project, env, stderr: 'ignore' });
  await client.connect(transport, { timeout: GUARD_MS });
  const close = (): Promise<void> => client.close();
  return { ...callsOf(client), pid: transport.pid!, close, drop: close };
}

function callsOf(client: Client): Pick<Agent, 'call' | 'evaluate' | 'client'> {
  const call: Agent['call'] = async (tool, args = {}, signal) => {
    const options = { timeout: GUARD_MS, ...(signal ? { signal } : {}) };
    const begun = performance.now();
    for (let params = { name: tool, arguments: args }; ;) {
      const { content, isError } = await client.callTool(params, undefined, options);
      const [item] = content as { type: string; text: string }[];
      const [text, notice = null] = (item?.text ?? '').split('\n\n[image]\n') as [string, string?];
      const handle = UNDER_WAY.exec(text)?.[1];
      if (handle === undefined) return { text, notice, isError: isError === true };
      if (performance.now() - begun > GUARD_MS) throw new Error(`${JSON.stringify(args)} hangs: ${text}`);
      params = { name: 'await-approval', arguments: { approval_id: handle } };
    }
  };
  return { client, call, evaluate: async (code, signal) => (await call('evaluate-lisp', { code }, signal)).text };
}
