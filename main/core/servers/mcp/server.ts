/** An MCP server over the tool registry, for one connection. Both protocol eras are served from it. */
import { randomUUID } from 'node:crypto';
import { CLIENT_INFO_META_KEY, ProtocolError, Server, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ClientProfile } from '#contract/client.ts';
import type { Actor } from '#contract/session.ts';
import type { SafetyLevel, ToolResult } from '#contract/tool.ts';
import { REPLY_LIMIT } from '#core/tools/long-replies.ts';
import { checkArguments, findTool, publishedName, tools } from '#core/tools/registry.ts';
import { toolsOf } from '#core/tools/profile.ts';
import type { Tool } from '#core/tools/tool.ts';
import { levelOf } from '#core/tools/tool.ts';
import type { CallOptions, DoorChange, DoorHost } from '../door.ts';
import { lostPatience, type ClientInfo } from './holds.ts';
import { reportProgress } from './progress.ts';
import { serveResources } from './resources.ts';

const INVALID_PARAMS = -32602;

const clientInfo = z.object({ name: z.string(), version: z.string() });

const waitingForApproval = z.object({
  status: z.literal('pending_approval'),
  approval_id: z.string(),
  message: z.string(),
});

export interface McpConnection extends Pick<CallOptions, 'actor' | 'context'> {
  /** How long calls are held; by what the client says it is when left out. */
  readonly holdMs?: number;
  /** Which tools are listed; as the person chose for the client when left out. */
  readonly profile?: ClientProfile;
  /**
   * What the server tells of changes by itself: what the client subscribed to one by one, or all, which the transport
   * then sorts. Nothing when left out: the server then lives for one request.
   */
  readonly tells?: 'subscribed' | 'all';
  readonly progressMs?: number;
}

type Answer = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError: boolean;
  _meta: Record<string, unknown>;
};

export function createMcpServer(host: DoorHost, connection: McpConnection): Server {
  const { actor, context, progressMs } = connection;
  const profile = (): ClientProfile => connection.profile ?? host.profileOf(actor);
  const server = new Server(
    { name: 'lisp-workbench', title: 'Lisp Workbench', version: host.version },
    {
      capabilities: { tools: { listChanged: true }, resources: { listChanged: true, subscribe: true } },
      instructions: instructions(host.notice, profile()),
    },
  );
  const subscribed = serveResources(server, host, { actor, context });
  tellChanges(server, host, connection, subscribed);
  server.setRequestHandler('tools/list', () => ({ tools: toolsOf(profile()).map(publish) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq, http }) => {
    const tool = findTool(params.name);
    if (!tool) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${params.name}`);
    const checked = checkArguments(tool, params.arguments ?? {});
    if (!checked.ok) throw new ProtocolError(INVALID_PARAMS, checked.message);
    const { news, stop } = reportProgress(
      mcpReq._meta?.progressToken,
      (progress) => mcpReq.notify({ method: 'notifications/progress', params: { ...progress } }),
      progressMs,
    );
    const { signal } = mcpReq;
    const left = http?.req?.signal;
    const info = clientInfoOf(server, mcpReq);
    const holdMs = connection.holdMs ?? host.holds.of(info);
    const started = performance.now();
    try {
      const call = { id: randomUUID(), name: tool.name, arguments: checked.value };
      const result = await host.call(call, {
        actor,
        context,
        holdMs,
        signal,
        news,
        ...(left ? { left } : {}),
      });
      const unheard = (signal.aborted || left?.aborted) && result.metadata.status === 'pending_approval';
      if (unheard && lostPatience(signal.reason)) host.holds.gaveUp(info, performance.now() - started);
      return answer(tool, result, actor, host.replies);
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
  host: DoorHost,
  { actor, tells }: McpConnection,
  subscribed: ReadonlySet<string>,
): void {
  if (tells === undefined) return;
  const tell = (change: DoorChange): Promise<void> => {
    if (change === 'tools') return server.sendToolListChanged();
    if (change === 'resources') return server.sendResourceListChanged();
    const wanted = tells === 'all' || subscribed.has(change.resource);
    return wanted ? server.sendResourceUpdated({ uri: change.resource }) : Promise.resolve();
  };
  const stop = host.watch(actor, (change) => void tell(change).catch(() => {})); // who is gone needs no news
  server.onclose = stop;
}

function instructions(notice: string, profile: ClientProfile): string {
  const listed = new Set(toolsOf(profile));
  const further = tools.filter((tool) => !listed.has(tool)).map(publishedName);
  const more = further.length > 0 ? ` These tools are not listed and answer all the same: ${further.join(', ')}.` : '';
  return `A live Common Lisp image that you may share with a person, who sees what you do. Definitions stay between calls. Writing files waits for the person.${more} ${notice}`;
}

function publish(tool: Tool): {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object' };
  outputSchema?: { type: 'object' };
  annotations: object;
} {
  const level = levelOf(tool, { shared: true });
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
    inputSchema: { ...schemaOf(tool.input, 'input'), type: 'object' },
    ...(tool.output ? { outputSchema: outputSchemaOf(tool.output, level) } : {}),
    annotations,
  };
}

/** A call that may wait for a person is answered with that first. */
function outputSchemaOf(output: z.ZodObject, level: SafetyLevel): { type: 'object' } {
  const done = schemaOf(output, 'output');
  if (level === 'safe') return { ...done, type: 'object' };
  return { type: 'object', anyOf: [done, schemaOf(waitingForApproval, 'output')] } as { type: 'object' };
}

function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, { io });
  return plain;
}

/** T3–T6, E13: one text item, `isError` always present; the rest of the result in `_meta`. */
function answer(tool: Tool, result: ToolResult, actor: Actor, replies: DoorHost['replies']): Answer {
  const structured = tool.output ? structuredOf(result) : undefined;
  const data = structured ? JSON.stringify(structured) : '';
  const fits = Buffer.byteLength(data) <= REPLY_LIMIT;
  const text = fits ? replies.reply(result.content, actor) : tooMuch(replies.keep(data, actor), data.length);
  return {
    content: [{ type: 'text', text }],
    ...(structured && fits ? { structuredContent: structured } : {}),
    isError: !result.success || !fits,
    _meta: { id: result.id, ...result.metadata },
  };
}

/** Half of an object is no answer of the shape that was promised. */
function tooMuch(handle: string, length: number): string {
  return `Tool error: The answer has ${length} characters of data, more than can be sent at once. Ask for less of it, or read it as JSON from ${handle}, which is a resource and a path for read-file.`;
}

/** What a client gets that was promised data: those of the call, or that it waits. */
function structuredOf({ content, structured, metadata }: ToolResult): Record<string, unknown> | undefined {
  if (metadata.status !== 'pending_approval') return structured;
  return { status: metadata.status, approval_id: metadata.approval_id, message: content };
}
