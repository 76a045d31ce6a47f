/**
 * Real MCP clients (the official SDK) of both versions of the protocol, over each transport. A test about the lifetime of calls runs once
 * for each entry of `WAYS`, the combinations of transport and version.
 */
import path from 'node:path';
import { PassThrough } from 'node:stream';
import {
  Client,
  StreamableHTTPClientTransport,
  type ElicitResult,
  type Progress,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { builtCommand } from '#core/built-command.fixture.ts';
import { createPaths, findPaths } from '#core/settings/paths.ts';
import type { Reply, TestWorkbench } from '#core/workbench.fixture.ts';
import { PrivateSocket } from '../socket/private-socket.ts';
import { LineTransport } from './stdio/line-transport.ts';
import { serveLines } from './stdio/stdio.ts';

export interface Way {
  /**
   * The transport. `HTTP`; `mcp`, the command that joins the workbench through its private socket; or `streams`, a pair of streams that is
   * served like `mcp --headless`. Streams are for tests with too many clients to start a process for each.
   */
  readonly transport: 'HTTP' | 'mcp' | 'streams';
  readonly era: '2025-11-25' | '2026-07-28';
}

export const WAYS = waysOver('HTTP', 'mcp');

export function waysOver(...transports: Way['transport'][]): readonly Way[] {
  return transports.flatMap((transport) => (['2025-11-25', '2026-07-28'] as const).map((era) => ({ transport, era })));
}

/** A call that its client can cancel. */
interface StartedCall {
  /** Resolves with the reply; rejects once the call is cancelled. */
  readonly reply: Promise<Reply>;
  readonly cancel: (reason?: string) => void;
}

interface CallSettings {
  readonly onprogress?: (progress: Progress) => void;
  /** Milliseconds after which the client gives up a call; ten minutes by default. */
  readonly timeout?: number;
}

export interface WayClient {
  readonly name: string;
  readonly token: string;
  start(tool: string, args?: Record<string, unknown>, settings?: CallSettings): StartedCall;
  call(tool: string, args?: Record<string, unknown>, settings?: CallSettings): Promise<Reply>;
  /** Calls `evaluate-lisp`, and resolves with the text of the answer. */
  evaluate(code: string): Promise<string>;
  /**
   * Returns the number of progress notices that did not belong to a running call, either because no call requested them or because the call
   * had been answered.
   */
  stray(): number;
  /** Ends the client's session or process, as a client does that will not return. */
  end(): Promise<void>;
  /** Closes the connections without notice, as if the client's process had been killed. */
  vanish(): Promise<void>;
}

/** The person at a client program, who answers a question. `over` fires when the question is withdrawn. */
export type ClientPerson = (message: string, over: AbortSignal) => ElicitResult | Promise<ElicitResult>;

/** The clients of one workbench. */
export interface WayClients {
  /**
   * Connects a client with a new token for its name, or with `token`, which another client already uses. `person` answers the client's
   * questions (elicitation); without `person`, the client does not support questions.
   */
  open(way: Way, name: string, token?: string, person?: ClientPerson): Promise<WayClient>;
  close(): Promise<void>;
}

/** The client's timeout is longer than any test, because otherwise it would hide which test hangs. */
const LONG_MS = 600_000;

export async function wayClients(bench: TestWorkbench): Promise<WayClients> {
  const { socket: address } = createPaths(findPaths({ ...process.env, LISP_WORKBENCH_HOME: path.dirname(bench.home) }));
  const socket = new PrivateSocket(bench.workbench.transportHost, bench.workbench.pairing, address);
  await socket.listen();
  const opened: Client[] = [];
  return {
    async open({ transport, era }, name, known, person) {
      const token = known ?? (await bench.workbench.clients.mint(name)).token;
      const mode = era === '2026-07-28' ? { pin: era } : 'legacy';
      const capabilities = person ? { elicitation: {} } : {};
      const client = new Client({ name, version: '1' }, { versionNegotiation: { mode }, capabilities });
      if (person)
        client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
          person(params.message, mcpReq.signal),
        );
      const channel = CHANNELS[transport](bench, token);
      await client.connect(channel);
      opened.push(client);
      return wayClient({ name, token }, client, async () => {
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

/** For each transport, a function that returns the client's end of a connection. */
const CHANNELS: Record<Way['transport'], (bench: TestWorkbench, token: string) => Transport> = {
  HTTP: ({ url }, token) => {
    const headers = { authorization: `Bearer ${token}` };
    return new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } });
  },
  mcp: ({ home }, token) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [builtCommand(), 'mcp'],
      env: { ...environment(), LISP_WORKBENCH_HOME: path.dirname(home), LISP_WORKBENCH_TOKEN: token },
      stderr: 'ignore',
    }),
  streams: ({ workbench: { transportHost, clients } }, token) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    serveLines(transportHost, clients.authenticate(token)!, input, output, 'MCP over stdio');
    const transport = new LineTransport(output, input);
    transport.onclose = () => input.end();
    return transport;
  },
};

function wayClient(who: Pick<WayClient, 'name' | 'token'>, client: Client, end: () => Promise<void>): WayClient {
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
    const cancel = (reason?: string): void => {
      reply.catch(() => {}); // not every test handles the error when the reply is rejected
      gone.abort(reason);
    };
    return { reply, cancel };
  };
  let strays = 0;
  client.onerror = ({ message }) => {
    if (message.includes('progress notification')) strays += 1;
  };
  const call: WayClient['call'] = (...given) => start(...given).reply;
  return {
    ...who,
    start,
    call,
    evaluate: async (code) => (await call('evaluate-lisp', { code })).text,
    stray: () => strays,
    end,
    vanish: () => client.close(),
  };
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
