/** Real clients of MCP, by the official SDK: over HTTP in the image of `serve`, and over standard streams in an image of their own. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Place } from './place.ts';
import { mcpCommand, type Served } from './served.ts';

export interface Answer {
  /** The answer without the notice. */
  readonly text: string;
  /** The image's changes since the last call of the connection; null where nothing did. */
  readonly notice: string | null;
  readonly isError: boolean;
}

export interface Agent {
  readonly call: (tool: string, args?: Record<string, unknown>, signal?: AbortSignal) => Promise<Answer>;
  /** Calls evaluate-lisp; the text of its answer. */
  readonly evaluate: (code: string, signal?: AbortSignal) => Promise<string>;
  readonly client: Client;
  /** Says goodbye: the session ends at the other side too. */
  readonly close: () => Promise<void>;
  /** Is gone without a word. */
  readonly drop: () => Promise<void>;
}

/** An image of a client's own, with the process that the client started for it. */
export interface OwnImage extends Agent {
  readonly pid: number;
}

/** The answer to a call that goes on when its client has waited as long as it can: it asks for the outcome then. */
const UNDER_WAY = /^(?:Still running|Not begun|Waiting for approval)[^]*"approval_id": "([^"]+)"/;
/** Milliseconds after which a call counts as hanging. */
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
