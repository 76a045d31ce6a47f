/**
 * Real MCP clients (the official SDK) of both protocol eras over each transport. A test of how long calls live takes `WAYS` as its
 * parameter, so that none of them holds for one era only.
 */
import path from 'node:path';
import { Client, StreamableHTTPClientTransport, type Progress } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { builtCommand } from '#core/built-command.fixture.ts';
import { createPaths, findPaths } from '#core/settings/paths.ts';
import type { Reply, TestWorkbench } from '#core/workbench.fixture.ts';
import { PrivateSocket } from '../socket/private-socket.ts';

export interface Way {
  /** Over HTTP, or by the command `mcp`, which joins the workbench through its private socket. */
  readonly transport: 'HTTP' | 'mcp';
  readonly era: '2025-11-25' | '2026-07-28';
}

export const WAYS: readonly Way[] = (['HTTP', 'mcp'] as const).flatMap((transport) =>
  (['2025-11-25', '2026-07-28'] as const).map((era) => ({ transport, era })),
);

/** A call that its client can cancel. */
export interface StartedCall {
  /** The reply; rejects once the call is cancelled. */
  readonly reply: Promise<Reply>;
  readonly cancel: (reason?: string) => void;
}

export interface CallSettings {
  readonly onprogress?: (progress: Progress) => void;
  /** Milliseconds after which the client gives up, as all clients do; ten minutes when left out. */
  readonly timeout?: number;
}

export interface WayClient {
  readonly name: string;
  start(tool: string, args?: Record<string, unknown>, settings?: CallSettings): StartedCall;
  call(tool: string, args?: Record<string, unknown>, settings?: CallSettings): Promise<Reply>;
  /** Calls `evaluate-lisp`; gives its text. */
  evaluate(code: string): Promise<string>;
  /** Ends the connection as a client does that will not come back: its session, its process. */
  end(): Promise<void>;
}

/** The clients of one workbench. */
export interface WayClients {
  /** Connects a client of its own name. */
  open(way: Way, name: string): Promise<WayClient>;
  close(): Promise<void>;
}

/** Longer than any test: its own guard against hanging says which one it was. */
const LONG_MS = 600_000;

export async function wayClients(bench: TestWorkbench): Promise<WayClients> {
  const home = path.dirname(bench.home);
  const { socket: address } = createPaths(findPaths({ ...process.env, LISP_WORKBENCH_HOME: home }));
  const socket = new PrivateSocket(bench.workbench.transportHost, bench.workbench.pairing, address);
  await socket.listen();
  const opened: Client[] = [];
  return {
    async open({ transport, era }, name) {
      const { token } = await bench.workbench.clients.mint(name);
      const mode = era === '2026-07-28' ? { pin: era } : 'legacy';
      const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
      const headers = { authorization: `Bearer ${token}` };
      const channel =
        transport === 'HTTP'
          ? new StreamableHTTPClientTransport(new URL('/mcp', bench.url), { requestInit: { headers } })
          : new StdioClientTransport({
              command: process.execPath,
              args: [builtCommand(), 'mcp'],
              env: { ...environment(), LISP_WORKBENCH_HOME: home, LISP_WORKBENCH_TOKEN: token },
              stderr: 'ignore',
            });
      await client.connect(channel);
      opened.push(client);
      return wayClient(name, client, async () => {
        if (channel instanceof StreamableHTTPClientTransport) await channel.terminateSession();
        await client.close();
      });
    },
    async close() {
      for (const client of opened) await client.close();
      await socket.close();
    },
  };
}

function wayClient(name: string, client: Client, end: () => Promise<void>): WayClient {
  const start: WayClient['start'] = (tool, args = {}, { onprogress, timeout = LONG_MS } = {}) => {
    const gone = new AbortController();
    const reply = client
      .callTool(
        { name: tool, arguments: args },
        { signal: gone.signal, timeout, ...(onprogress ? { onprogress } : {}) },
      )
      .then(({ content, isError, _meta }): Reply => {
        const [item, ...more] = content;
        if (item?.type !== 'text' || more.length > 0) throw new Error('A reply must be one text item.');
        return { text: item.text, isError: isError === true, meta: _meta ?? {} };
      });
    return { reply, cancel: (reason) => gone.abort(reason) };
  };
  const call: WayClient['call'] = (...given) => start(...given).reply;
  return {
    name,
    start,
    call,
    evaluate: async (code) => (await call('evaluate-lisp', { code })).text,
    end,
  };
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
