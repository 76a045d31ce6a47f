/** An MCP server for the tool registry, for one connection. It serves both protocol eras. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Server,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ClientProfile } from '#contract/clients/client.ts';
import { rulesFor } from '#core/guide/rules.ts';
import { publishedName } from '#core/tools/registry.ts';
import { toolsOf } from '#core/tools/tool-sets/tool-sets.ts';
import { inputSchemaOf } from '#core/tools/schema.ts';
import type { Tool } from '#core/tools/tool.ts';
import { levelOf } from '#core/tools/tool.ts';
import type { ChangeNotice, TransportHost } from '../host.ts';
import { outputSchemaOf, wantsData } from './content/structured-content.ts';
import type { ClientInfo } from './response-timeout.ts';
import { servePrompts } from './content/prompts.ts';
import { serveResources } from './content/resources.ts';
import { ToolCalls, type CallContext, type McpConnection } from './tool-calls.ts';

const clientInfo = z.object({ name: z.string(), version: z.string() });

/** The notice which says that the workbench was restarted while the client was running. */
export const OPENED_AGAIN =
  'Lisp Workbench was restarted since you connected, and the image is new. Earlier definitions and systems are gone, unless the person has evaluated them again.';

/** An MCP server of the SDK, and the object that answers its calls. */
export interface McpServer {
  readonly server: Server;
  readonly calls: ToolCalls;
}

export function createMcpServer(host: TransportHost, connection: McpConnection): McpServer {
  const { actor, connectionId } = connection;
  const calls = new ToolCalls(host, connection);
  const server = new Server(
    { name: 'lisp-workbench', title: 'Lisp Workbench', version: host.version },
    {
      capabilities: { tools: { listChanged: true }, prompts: {}, resources: { listChanged: true, subscribe: true } },
      instructions: instructions(host, calls.profileOf(undefined)),
    },
  );
  servePrompts(server);
  const subscribed = serveResources(server, host, { actor, connectionId: connectionId });
  reportChanges(server, host, connection, subscribed);
  server.oninitialized = () => void host.asProgram(actor, server.getClientVersion()?.name);
  server.setRequestHandler('tools/list', (_request, { mcpReq }) => {
    host.listed(actor);
    const listed = toolsOf(calls.profileOf(clientInfoOf(server, mcpReq)));
    return { tools: listed.map((tool) => publish(tool, wantsData(mcpReq._meta))) };
  });
  server.setRequestHandler('tools/call', ({ params }, { mcpReq, http }) =>
    calls.call(
      { ...params, _meta: mcpReq._meta },
      {
        signal: mcpReq.signal,
        disconnected: http?.req?.signal,
        info: clientInfoOf(server, mcpReq),
        ...waysToAsk(server, mcpReq),
        notify: (notice) => mcpReq.notify({ method: 'notifications/progress', params: { ...notice } }),
      },
    ),
  );
  return { server, calls };
}

/**
 * Returns the name and version that the client claims. In the older era, a client sends them once per connection; in the newer era, with
 * each request.
 */
function clientInfoOf(server: Server, { envelope }: ServerContext['mcpReq']): ClientInfo | undefined {
  const claimed = clientInfo.safeParse((envelope as Record<string, unknown> | undefined)?.[CLIENT_INFO_META_KEY]);
  return claimed.success ? claimed.data : server.getClientVersion();
}

/**
 * Returns the channel for asking the client's own person. In the older era this is a request to the client; in the newer era, it is the
 * answer to a call.
 */
function waysToAsk(
  server: Server,
  { envelope, elicitInput, requestState, inputResponses }: ServerContext['mcpReq'],
): Pick<CallContext, 'capabilities' | 'elicit' | 'reply'> {
  if (envelope === undefined) return { capabilities: server.getClientCapabilities(), elicit: elicitInput };
  const state = requestState();
  return {
    capabilities: (envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities })[CLIENT_CAPABILITIES_META_KEY],
    ...(state === undefined && inputResponses === undefined
      ? {}
      : { reply: { state, responses: inputResponses ?? {} } }),
  };
}

/** Notifies the client of changes while it is connected. */
function reportChanges(
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
  const stop = host.watch(actor, (change) => void tell(change).catch(() => {})); // ignored, because the client may have disconnected
  server.onclose = stop;
}

/**
 * Returns the instructions for a client. They are created before the client has named its program, so they must be true for every tool set
 * that the client may get.
 */
function instructions({ notice, place }: Pick<TransportHost, 'notice' | 'place'>, profile: ClientProfile): string {
  const rules = place === null ? [] : [place, ...rulesFor(profile)];
  return `A live Common Lisp image. If your list has no tool for something, find-tools finds one and call-tool calls it. ${[notice, ...rules].filter((each) => each !== '').join(' ')}`;
}

function publish(
  tool: Tool,
  withData: boolean,
): {
  name: string;
  description: string;
  inputSchema: { type: 'object' };
  outputSchema?: { type: 'object' };
  annotations: object;
} {
  const level = levelOf(tool, { shared: true });
  const output = withData ? outputSchemaOf(tool) : undefined;
  return {
    name: publishedName(tool),
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    ...(output ? { outputSchema: output } : {}),
    // There is no title, because it would only repeat the name. There are no other hints, because they would only repeat MCP's defaults.
    annotations: { readOnlyHint: level === 'safe' },
  };
}
