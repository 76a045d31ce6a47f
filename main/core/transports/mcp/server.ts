/** An MCP server over the tool registry, for one connection. Both protocol eras are served from it. */
import { randomUUID } from 'node:crypto';
import { CLIENT_INFO_META_KEY, ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ClientProfile } from '#contract/client.ts';
import type { ToolResult } from '#contract/tool.ts';
import { imageSection } from '#core/tools/executor/results.ts';
import { checkCall } from '#core/tools/checked-call.ts';
import { publishedName } from '#core/tools/registry.ts';
import { profileFor, toolsOf } from '#core/tools/tool-sets/tool-sets.ts';
import { replySizeOf } from '#core/tools/replies/reply-sizes.ts';
import { inputSchemaOf } from '#core/tools/schema.ts';
import type { Tool } from '#core/tools/tool.ts';
import { levelOf } from '#core/tools/tool.ts';
import type { CallOptions, ChangeNotice, TransportHost } from '../host.ts';
import { dataOf, outputSchemaOf, wantsData } from './structured-content.ts';
import { isTimeout, type ClientInfo } from './response-timeout.ts';
import { reportProgress } from './progress.ts';
import { serveResources } from './resources.ts';

const INVALID_PARAMS = -32602;

const clientInfo = z.object({ name: z.string(), version: z.string() });

export interface McpConnection extends Pick<CallOptions, 'actor' | 'connectionId'> {
  /** How long calls are held; by what the client says it is when left out. */
  readonly approvalTimeoutMs?: number;
  /** How long a call may take before it is answered with a handle; by what the client says it is when left out. */
  readonly responseTimeoutMs?: number;
  /** Which tools are listed; as the person chose for the client when left out. */
  readonly profile?: ClientProfile;
  /**
   * What the server tells of changes by itself: what the client subscribed to one by one, or all, which the transport
   * then sorts. Nothing when left out: the server then lives for one request.
   */
  readonly tells?: 'subscribed' | 'all';
  readonly progressMs?: number;
  /** Said in the answer to the first call; null or left out where there is nothing to say. */
  readonly news?: string | null;
}

/** Of a workbench that was ended and started again under a client. */
export const OPENED_AGAIN =
  'Lisp Workbench was closed and opened again since you were connected: the image is a new one. What was defined or loaded in it before is not there, unless the person has evaluated it again.';

type Answer = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError: boolean;
  _meta: Record<string, unknown>;
};

export function createMcpServer(host: TransportHost, connection: McpConnection): Server {
  const { actor, connectionId, progressMs } = connection;
  let news = connection.news ?? null;
  const profileOf = (request: ServerContext['mcpReq']): ClientProfile =>
    connection.profile ?? profileFor(host.profileOf(actor), clientInfoOf(server, request)?.name);
  const server = new Server(
    { name: 'lisp-workbench', title: 'Lisp Workbench', version: host.version },
    {
      capabilities: { tools: { listChanged: true }, resources: { listChanged: true, subscribe: true } },
      instructions: instructions(host.notice),
    },
  );
  const subscribed = serveResources(server, host, { actor, connectionId: connectionId });
  tellChanges(server, host, connection, subscribed);
  server.oninitialized = () => void host.asProgram(actor, server.getClientVersion()?.name);
  server.setRequestHandler('tools/list', (_request, { mcpReq }) => ({
    tools: toolsOf(profileOf(mcpReq)).map((tool) => publish(tool, wantsData(mcpReq._meta))),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq, http }) => {
    const checked = checkCall(randomUUID(), params.name, params.arguments ?? {});
    if (!checked.ok) throw new ProtocolError(INVALID_PARAMS, checked.message);
    const { onProgress: progress, stop } = reportProgress(
      mcpReq._meta?.progressToken,
      (progress) => mcpReq.notify({ method: 'notifications/progress', params: { ...progress } }),
      progressMs,
    );
    const { signal } = mcpReq;
    const left = http?.req?.signal;
    const info = clientInfoOf(server, mcpReq);
    const replySize = replySizeOf(info?.name);
    const approvalTimeoutMs = connection.approvalTimeoutMs ?? host.responseTimeouts.approval(info);
    const started = performance.now();
    try {
      const { result } = await host.call(checked.call, {
        actor,
        connectionId,
        approvalTimeoutMs: approvalTimeoutMs,
        responseTimeoutMs: connection.responseTimeoutMs ?? host.responseTimeouts.response(info),
        program: info?.name,
        profile: profileOf(mcpReq),
        replySize,
        signal,
        onProgress: progress,
        ...(left ? { disconnected: left } : {}),
      });
      const unheard = (signal.aborted || left?.aborted) && result.metadata.approval_id !== undefined;
      if (unheard && isTimeout(signal.reason)) host.responseTimeouts.gaveUp(info, performance.now() - started);
      const said = news === null ? result.content : `${result.content}${imageSection(news)}`;
      news = null;
      const text = host.replies.reply(said, actor, replySize);
      return answer(result, text, wantsData(mcpReq._meta) ? dataOf(checked.call.tool, result) : undefined);
    } finally {
      stop();
    }
  });
  return server;
}

/** What the client says it is, once in the older era and with each request in the newer one. */
function clientInfoOf(server: Server, { envelope }: ServerContext['mcpReq']): ClientInfo | undefined {
  const claimed = clientInfo.safeParse((envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY]);
  return claimed.success ? claimed.data : server.getClientVersion();
}

/** Tells the client what is different, as long as it is connected. */
function tellChanges(
  server: Server,
  host: TransportHost,
  { actor, tells }: McpConnection,
  subscribed: ReadonlySet<string>,
): void {
  if (tells === undefined) return;
  const tell = (change: ChangeNotice): Promise<void> => {
    if (change === 'tools') return server.sendToolListChanged();
    if (change === 'resources') return server.sendResourceListChanged();
    const wanted = tells === 'all' || subscribed.has(change.resource);
    return wanted ? server.sendResourceUpdated({ uri: change.resource }) : Promise.resolve();
  };
  const stop = host.watch(actor, (change) => void tell(change).catch(() => {})); // who is gone needs no news
  server.onclose = stop;
}

/** Made before the client has said who it is, so it holds for all of them, whatever they are told of. */
function instructions(notice: string): string {
  return `A live Common Lisp image. Definitions stay between calls. Where your list has no tool for something (tracing, timing, disassembly, class slots, checkpoints, history, moving files), find-tools finds it and call-tool calls it. ${notice}`;
}

function publish(
  tool: Tool,
  withData: boolean,
): {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object' };
  outputSchema?: { type: 'object' };
  annotations: object;
} {
  const level = levelOf(tool, { shared: true });
  const output = withData ? outputSchemaOf(tool) : undefined;
  const annotations = {
    title: tool.title,
    readOnlyHint: level === 'safe',
    destructiveHint: level !== 'safe',
    idempotentHint: level === 'safe',
    openWorldHint: tool.openWorld,
  };
  return {
    name: publishedName(tool),
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    ...(output ? { outputSchema: output } : {}),
    annotations,
  };
}

/** The answer to a call: one text item, `isError` always present, the rest of the result in `_meta` (T3–T6, E13). */
function answer(result: ToolResult, text: string, data: Record<string, unknown> | undefined): Answer {
  return {
    content: [{ type: 'text', text }],
    ...(data ? { structuredContent: data } : {}),
    isError: !result.success,
    _meta: { id: result.id, ...result.metadata },
  };
}
