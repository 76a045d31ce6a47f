/**
 * Converts the shapes of version 2 of the Agent Client Protocol to those of version 1. Pure, except that it remembers pieces of messages.
 */
import { randomUUID } from 'node:crypto';
import type {
  ContentBlock,
  InitializeResponse,
  PlanEntry,
  RequestPermissionRequest,
  SessionConfigOption,
  SessionUpdate,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type {
  RequestPermissionRequest as Asked,
  SessionConfigOption as Option,
  SessionUpdate as Update,
} from '@agentclientprotocol/sdk/experimental/v2';
import { z } from 'zod';
import { list, meta, words } from './answers.ts';
import type { SessionWish } from './connection.ts';

/** The fields of updates that are used. The SDK types them loosely, because an agent may send kinds of updates that are added later. */
interface Told {
  readonly sessionUpdate: string;
  readonly messageId: string;
  readonly toolCallId: string;
  readonly content?: ContentBlock[] | ContentBlock | null;
  readonly status?: string | null;
  readonly capabilities?: unknown;
  readonly plan: { readonly type: string; readonly entries: PlanEntry[] };
  readonly configOptions: Option[];
  readonly terminalId: string;
  readonly output?: { readonly data?: string } | null;
  readonly data?: string;
}

type CallContent = NonNullable<ToolCallUpdate['content']>;

/** An item in a call's content. */
interface Shown {
  readonly type: string;
  readonly terminalId: string;
  readonly changes: { readonly operation: string; readonly path: string }[];
  readonly patch?: { readonly text: string } | null;
}

/** Converts updates to version 1. A message and a call may arrive whole or in pieces. */
export class Updates {
  /** Messages that have arrived in pieces. If the complete message follows, it is ignored. */
  readonly #begun = new Set<string>();
  readonly #calls = new Map<string, ToolCallUpdate['content']>();
  /** Call ids, by the terminals that the calls show. */
  readonly #terminals = new Map<string, string>();

  inVersion1(told: Update): SessionUpdate[] {
    const update = told as unknown as Told;
    const { sessionUpdate: kind } = update;
    switch (kind) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        this.#begun.add(`${kind} ${update.messageId}`);
        return [told as SessionUpdate];
      case 'agent_message':
      case 'agent_thought': {
        const chunk = `${kind}_chunk` as const;
        if (this.#begun.has(`${chunk} ${update.messageId}`)) return [];
        const content = (update.content ?? []) as ContentBlock[];
        return content.map((each) => ({ sessionUpdate: chunk, messageId: update.messageId, content: each }));
      }
      case 'tool_call_update': {
        const { sessionUpdate: _kind, capabilities: _capabilities, plan: _plan, ...call } = update;
        const content = call.content === undefined ? {} : { content: this.#contentOf(call.toolCallId, call.content) };
        return [this.#call({ ...call, ...content, status: statusOf(update.status) } as unknown as ToolCallUpdate)];
      }
      case 'tool_call_content_chunk':
        return this.#append(update.toolCallId, this.#contentOf(update.toolCallId, [update.content as ContentBlock]));
      case 'terminal_update':
      case 'terminal_output_chunk': {
        const call = this.#terminals.get(update.terminalId);
        const data = update.output?.data ?? update.data;
        if (call === undefined || data === undefined) return [];
        const text = Buffer.from(data, 'base64').toString('utf8');
        return this.#append(call, [{ type: 'content', content: { type: 'text', text } }]);
      }
      case 'plan_update':
        return update.plan.type === 'items' ? [{ sessionUpdate: 'plan', entries: update.plan.entries }] : [];
      case 'config_option_update':
        return [{ sessionUpdate: kind, configOptions: optionsInVersion1(update.configOptions) }];
      case 'available_commands_update':
      case 'usage_update':
      case 'session_info_update':
      case 'notice':
        return [told as SessionUpdate];
      default:
        return []; // the other kinds of updates report only the session's memory use
    }
  }

  #append(toolCallId: string, content: CallContent): SessionUpdate[] {
    return [this.#call({ toolCallId, content: [...(this.#calls.get(toolCallId) ?? []), ...content] })];
  }

  /** Returns the content of a call. Content with a shape that version 1 lacks is converted to text. Terminal output arrives separately. */
  #contentOf(call: string, content: Told['content']): CallContent {
    return ((content ?? []) as unknown as Shown[]).flatMap((each): CallContent => {
      if (each.type === 'terminal') {
        this.#terminals.set(each.terminalId, call);
        return [];
      }
      if (each.type !== 'diff') return [each as unknown as CallContent[number]];
      const text = each.patch?.text ?? each.changes.map(({ operation, path }) => `${operation} ${path}`).join('\n');
      return [{ type: 'content', content: { type: 'text', text } }];
    });
  }

  #call(call: ToolCallUpdate): SessionUpdate {
    const isKnown = this.#calls.has(call.toolCallId);
    this.#calls.set(call.toolCallId, call.content ?? this.#calls.get(call.toolCallId) ?? []);
    if (call.status === 'completed' || call.status === 'failed') this.#calls.delete(call.toolCallId);
    const stated = Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined));
    return isKnown
      ? ({ sessionUpdate: 'tool_call_update', ...stated } as SessionUpdate)
      : ({ sessionUpdate: 'tool_call', title: call.name ?? 'a call', ...stated } as SessionUpdate);
  }
}

function statusOf(status: string | null | undefined): ToolCallUpdate['status'] {
  if (status === null || status === undefined) return undefined;
  if (status === 'paused') return 'in_progress';
  return status === 'pending' || status === 'in_progress' || status === 'completed' ? status : 'failed';
}

/** Returns the parameters with which a session is opened. */
export function sessionOf({ directory, servers, meta }: SessionWish) {
  return { cwd: directory, mcpServers: servers as never, ...(meta ? { _meta: meta } : {}) };
}

/** Returns the options that a person can choose. In version 2, their ids have a different property name. */
export function optionsInVersion1(options: readonly Option[]): SessionConfigOption[] {
  return options.flatMap((option) => {
    if (option.type !== 'select' && option.type !== 'boolean') return [];
    const { configId: id, ...rest } = option;
    return [{ ...rest, id } as unknown as SessionConfigOption];
  });
}

/** Converts a permission request to version 1. The request is about a tool call, a command, or neither. */
export function askedInVersion1({
  sessionId,
  title,
  description,
  subject,
  options,
  _meta,
}: Asked): RequestPermissionRequest {
  const rest = { sessionId, options: options as RequestPermissionRequest['options'], ...(_meta ? { _meta } : {}) };
  if (subject?.type === 'tool_call') {
    const { toolCall } = subject as { toolCall: ToolCallUpdate };
    const { content: _shown, ...call } = toolCall;
    return { ...rest, toolCall: { ...call, title: toolCall.title ?? title } };
  }
  const { command, toolCallId } = (subject ?? {}) as { command?: unknown; toolCallId?: unknown };
  const known = typeof toolCallId === 'string' ? toolCallId : randomUUID();
  if (typeof command === 'string')
    return { ...rest, toolCall: { toolCallId: known, title: command, kind: 'execute', rawInput: { command } } };
  return { ...rest, toolCall: { toolCallId: known, title, kind: 'other', rawInput: description ?? undefined } };
}

const part = z.unknown().optional();

const introduction = z.object({
  capabilities: z
    .object({
      session: z
        .object({
          mcp: z.object({ http: part }).nullable().catch(null),
          prompt: z.object({ image: part }).nullable().catch(null),
        })
        .nullable()
        .catch(null),
    })
    .nullable()
    .catch(null),
  // If the arguments of a login are invalid, the whole login is left out, because without its arguments it would be a different login.
  authMethods: list(
    z.object({
      type: z.string(),
      methodId: z.string(),
      name: z.string(),
      description: words,
      args: z.array(z.string()).optional(),
      _meta: meta,
    }),
  ),
});

/**
 * Returns those fields of the answer to `initialize` that the workbench uses, in the shape of version 1. In version 2 every agent supports
 * resuming sessions, so the result always declares it.
 */
export function introducedByVersion2(answer: object): InitializeResponse {
  const { capabilities, authMethods } = introduction.parse(answer);
  const { mcp, prompt } = capabilities?.session ?? {};
  const has = (value: unknown): boolean => value !== undefined && value !== null;
  return {
    protocolVersion: 2,
    agentCapabilities: {
      loadSession: true,
      mcpCapabilities: { http: has(mcp?.http) },
      promptCapabilities: { image: has(prompt?.image) },
    },
    authMethods: authMethods.map(({ methodId: id, ...rest }) => ({ ...rest, id })),
  };
}
