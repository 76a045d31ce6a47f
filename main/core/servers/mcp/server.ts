/** An MCP server over the tool registry, for one connection. Both protocol eras are served from it. */
import { randomUUID } from 'node:crypto';
import { ProtocolError, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SafetyLevel, ToolResult } from '#contract/tool.ts';
import { checkArguments, findTool, publishedName, tools } from '#core/tools/registry.ts';
import { toolsOf, type Profile } from '#core/tools/profile.ts';
import type { Tool } from '#core/tools/tool.ts';
import { levelOf } from '#core/tools/tool.ts';
import type { CallOptions, DoorHost } from '../door.ts';

const INVALID_PARAMS = -32602;
/** An answer longer than this is cut: no client reads more, and some break. */
const REPLY_LIMIT = 1024 * 1024;
const PROGRESS_MS = 10_000;

const waitingForApproval = z.object({
  status: z.literal('pending_approval'),
  approval_id: z.string(),
  message: z.string(),
});

export interface McpConnection extends Pick<CallOptions, 'actor' | 'context' | 'holdMs'> {
  /** Which tools are listed; `standard` when left out. */
  readonly profile?: Profile;
}

export function createMcpServer(host: DoorHost, connection: McpConnection): Server {
  const { profile = 'standard', ...caller } = connection;
  const server = new Server(
    { name: 'lisp-workbench', title: 'Lisp Workbench', version: host.version },
    { capabilities: { tools: {} }, instructions: instructions(host.notice, profile) },
  );
  server.setRequestHandler('tools/list', () => ({ tools: toolsOf(profile).map(publish) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = findTool(params.name);
    if (!tool) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${params.name}`);
    const checked = checkArguments(tool, params.arguments ?? {});
    if (!checked.ok) throw new ProtocolError(INVALID_PARAMS, checked.message);
    const stopProgress = reportProgress(params._meta?.progressToken, (progress) =>
      mcpReq.notify({ method: 'notifications/progress', params: progress }),
    );
    try {
      return answer(
        tool,
        await host.call(
          { id: randomUUID(), name: tool.name, arguments: checked.value },
          { ...caller, signal: mcpReq.signal },
        ),
      );
    } finally {
      stopProgress();
    }
  });
  return server;
}

function instructions(notice: string, profile: Profile): string {
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
function answer(
  tool: Tool,
  result: ToolResult,
): {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError: boolean;
  _meta: Record<string, unknown>;
} {
  const structured = tool.output ? structuredOf(result) : undefined;
  return {
    content: [{ type: 'text', text: bounded(result.content) }],
    ...(structured ? { structuredContent: structured } : {}),
    isError: !result.success,
    _meta: { id: result.id, ...result.metadata },
  };
}

/** What a client gets that was promised data: those of the call, or that it waits. */
function structuredOf({ content, structured, metadata }: ToolResult): Record<string, unknown> | undefined {
  if (metadata.status !== 'pending_approval') return structured;
  return { status: metadata.status, approval_id: metadata.approval_id, message: content };
}

function bounded(text: string): string {
  if (text.length <= REPLY_LIMIT) return text;
  return `${text.slice(0, REPLY_LIMIT)}\n… ${text.length - REPLY_LIMIT} more characters are not shown`;
}

/** Tells every ten seconds that the call goes on, where the client asked for it. */
function reportProgress(
  token: string | number | undefined,
  notify: (progress: { progressToken: string | number; progress: number; message: string }) => Promise<void>,
): () => void {
  if (token === undefined) return () => {};
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += PROGRESS_MS / 1000;
    notify({ progressToken: token, progress: seconds, message: `${seconds} s` }).catch(() => {}); // the end of the stream ends the call elsewhere
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}
