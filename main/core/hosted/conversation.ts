/**
 * A conversation with an agent: its items, created from the protocol's updates. The size of the conversation is limited, however much data
 * the agent sends.
 */
import type {
  ContentBlock,
  ContentChunk,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { AgentItem, PromptContext } from '#contract/clients/hosted-agent.ts';
import { fingerprint } from '#core/approvals/fingerprint.ts';
import { Emitter } from '#core/base/emitter.ts';
import type { RecognisedCall, ToldCall } from './recipes/recipe.ts';

/** The maximum number of characters of one item's text, and of a call's input and output. */
const LONGEST_TEXT = 64 * 1024;
const LONGEST_PART = 16 * 1024;
/** The maximum number of items. When a conversation has more, the oldest are removed. */
const MOST_ITEMS = 5_000;
const MOST_FILES = 20;

type Item<Kind extends AgentItem['kind']> = Extract<AgentItem, { kind: Kind }>;
type Speech = Item<'said'> | Item<'thought'>;
/** An item that does not have a number and a time yet. */
type Fresh = AgentItem extends infer Each ? (Each extends AgentItem ? Omit<Each, 'seq' | 'at'> : never) : never;

interface ConversationEvents {
  item: AgentItem;
  /** The agent has reported a call of a workbench tool. Emitted again if the agent later reports other arguments for the same call. */
  recognised: { item: Item<'call'>; call: RecognisedCall };
}

export class Conversation {
  readonly events = new Emitter<ConversationEvents>();
  readonly #items = new Map<number, AgentItem>();
  readonly #recognise: (call: ToldCall) => RecognisedCall | null;
  readonly #remarks: RegExp | null;
  /** Item numbers of the calls, by the agent's ids. */
  readonly #calls = new Map<string, number>();
  /**
   * All the data that the agent has reported about each running call, by call id. It is merged here because an update contains only
   * changes.
   */
  readonly #stated = new Map<string, ToldCall>();
  /**
   * Digests of the reported calls of workbench tools, by item number. They detect changed arguments, because a call's arguments may arrive
   * after its first update.
   */
  readonly #recognised = new Map<number, string>();
  #last = 0;
  /** The number of the latest prompt's item. Items before that prompt belong to finished turns. */
  #turn = 0;
  /** The agent's id for the message to which the latest piece of text belongs. */
  #message: string | null = null;

  /**
   * `recognise` returns the workbench call that a reported call represents; null for the agent's own tools. `remarks` matches messages that
   * the program writes about its own start, because those do not come from its model.
   */
  constructor(
    recognise: (call: ToldCall) => RecognisedCall | null,
    kept: readonly AgentItem[] = [],
    remarks: RegExp | null = null,
  ) {
    this.#recognise = recognise;
    this.#remarks = remarks;
    for (const item of kept) {
      this.#last = Math.max(this.#last, item.seq);
      this.#items.set(item.seq, closed(item));
      if (item.kind === 'call') this.#calls.set(item.id, item.seq);
    }
  }

  get items(): AgentItem[] {
    return [...this.#items.values()];
  }

  /** Returns the latest `most` items before the number `before`, in order. If `before` is null, returns the latest items. */
  page(before: number | null, most: number): AgentItem[] {
    return this.items.filter(({ seq }) => before === null || seq < before).slice(-most);
  }

  /** True if the agent has called a tool since the latest prompt. */
  get hasActed(): boolean {
    return this.items.some(({ seq, kind }) => seq > this.#turn && kind === 'call');
  }

  /** True once the conversation has a prompt. */
  get hasBegun(): boolean {
    return this.#turn > 0 || this.items.some(({ kind }) => kind === 'asked');
  }

  asked(text: string, context: readonly PromptContext[]): void {
    this.#close();
    const titles = context.filter(({ image }) => !image).map(({ title }) => title);
    const images = context.flatMap(({ title, image }) => (image ? { name: title, thumbnail: image.thumbnail } : []));
    this.#add({ kind: 'asked', ...cut(text, LONGEST_TEXT), context: titles, images });
    this.#turn = this.#last;
  }

  notice(text: string, tone: Item<'notice'>['tone'] = 'plain'): void {
    this.#close();
    this.#add({ kind: 'notice', ...cut(text, LONGEST_TEXT), tone });
  }

  /** Records that the turn ended with an error. Does not repeat an error that the agent has just written as text. */
  failed(error: string): void {
    const last = this.#items.get(this.#last);
    const isSaid =
      last?.kind === 'said' &&
      last.text.trim() !== '' &&
      (last.text.includes(error) || error.includes(last.text.trim()));
    this.notice(
      isSaid ? 'The turn ended with this error.' : `The turn ended with an error of the agent: ${error}`,
      'error',
    );
  }

  /** Adds an update about the agent's messages or calls. Repetitions of the person's prompts are ignored. */
  take(update: SessionUpdate): void {
    const { sessionUpdate: kind } = update;
    if (kind === 'agent_message_chunk') this.#speak('said', update);
    else if (kind === 'agent_thought_chunk') this.#speak('thought', update);
    else if (kind === 'tool_call' || kind === 'tool_call_update') this.#told(update, kind === 'tool_call');
    else if (kind === 'notice') this.notice(`The agent says: ${JSON.stringify(noticeText(update))}`);
  }

  /** Adds an item for a call for which the agent asks permission, because some agents do not report a call before it runs. */
  requested(call: ToolCallUpdate): void {
    this.#told({ ...call, status: 'pending' }, true);
  }

  /**
   * Returns the workbench call for which an agent asks permission, based on the request and earlier updates; null if the call is for one of
   * the agent's own tools.
   */
  recognise(asked: ToldCall): RecognisedCall | null {
    const own = this.#recognise(this.#merged(asked));
    const before = this.#stated.get(asked.id);
    if (own !== null || before === undefined) return own;
    // The request may give the same call another title, but if the kind or the arguments differ, it is a different call.
    const isSame =
      (asked.kind === null || asked.kind === 'other' || asked.kind === before.kind) &&
      (asked.rawInput === undefined || fingerprint([asked.rawInput]) === fingerprint([before.rawInput]));
    return isSame && asked.kind !== 'execute' && asked.kind !== 'edit' ? this.#recognise(before) : null;
  }

  /** Links an agent's call to the activity entry with this id. */
  link(seq: number, call: string): void {
    const item = this.#items.get(seq);
    if (item?.kind === 'call') this.#put({ ...item, call });
  }

  /** Ends the turn: closes open items, and marks calls that the agent did not finish as failed. */
  endTurn(): void {
    this.#close();
    this.#stated.clear();
    for (const item of this.#items.values())
      if (item.kind === 'call' && (item.status === 'pending' || item.status === 'running'))
        this.#put({ ...item, status: 'failed' });
  }

  #speak(kind: Speech['kind'], { content, messageId }: ContentChunk): void {
    const text = textOf(content);
    if (text === '' || this.#remarks?.test(text)) return;
    const item = this.#items.get(this.#last);
    const message = messageId ?? null;
    if (item?.kind === kind && item.open && this.#message === message) {
      const room = LONGEST_TEXT - item.text.length;
      this.#put({ ...item, text: item.text + text.slice(0, room), cut: item.cut + Math.max(0, text.length - room) });
      return;
    }
    this.#close();
    this.#message = message;
    this.#add({ kind, ...cut(text, LONGEST_TEXT), open: true });
  }

  #told(update: ToolCallUpdate, begins: boolean): void {
    const seq = this.#calls.get(update.toolCallId);
    const known = seq === undefined ? undefined : this.#items.get(seq);
    // Ids are unique only within one process of the agent. A process that resumes a session may reuse earlier ids.
    const isAnother = begins && known !== undefined && known.seq < this.#turn;
    const before = known?.kind === 'call' && !isAnother ? known : null;
    const stated = this.#merged(toldCall(update, update._meta));
    if (update.status === 'completed' || update.status === 'failed') this.#stated.delete(update.toolCallId);
    else this.#stated.set(update.toolCallId, stated);
    const own = this.#recognise(stated);
    const output = [contentText(update.content ?? []), rawText(update.rawOutput)].filter(Boolean).join('\n');
    const item = {
      kind: 'call',
      id: update.toolCallId,
      title: cut(update.title ?? before?.title ?? update.name ?? 'a call', 300).text,
      status: update.status ? STATUSES[update.status] : (before?.status ?? 'pending'),
      tool: own?.tool ?? before?.tool ?? null,
      call: before?.call ?? null,
      input: update.rawInput === undefined ? (before?.input ?? EMPTY) : cut(rawText(update.rawInput), LONGEST_PART),
      output: output === '' ? (before?.output ?? EMPTY) : cut(output, LONGEST_PART),
      files: update.locations
        ? update.locations.slice(0, MOST_FILES).map(({ path, line }) => ({ path, line: line ?? null }))
        : (before?.files ?? []),
    } as const;
    if (before) this.#put({ ...before, ...item });
    else {
      this.#close();
      this.#add(item);
      this.#calls.set(update.toolCallId, this.#last);
    }
    const told = this.#items.get(before?.seq ?? this.#last) as Item<'call'>;
    if (own === null || told.call !== null) return;
    const digest = fingerprint([own.tool, own.arguments]);
    if (this.#recognised.get(told.seq) === digest) return;
    this.#recognised.set(told.seq, digest);
    this.events.emit('recognised', { item: told, call: own });
  }

  /** Returns a call merged with all data that was reported about it earlier. */
  #merged(call: ToldCall): ToldCall {
    const before = this.#stated.get(call.id);
    return {
      id: call.id,
      title: call.title ?? before?.title ?? null,
      name: call.name ?? before?.name ?? null,
      kind: call.kind ?? before?.kind ?? null,
      rawInput: call.rawInput ?? before?.rawInput,
      meta: { ...before?.meta, ...call.meta },
    };
  }

  #close(): void {
    const item = this.#items.get(this.#last);
    if (item && 'open' in item && item.open) this.#put(closed(item));
  }

  #add(item: Fresh): void {
    this.#last += 1;
    this.#put({ ...item, seq: this.#last, at: Date.now() });
    if (this.#items.size <= MOST_ITEMS) return;
    const [oldest] = this.#items.keys();
    this.#items.delete(oldest!);
  }

  #put(item: AgentItem): void {
    this.#items.set(item.seq, item);
    this.events.emit('item', item);
  }
}

/** Converts a call to the form that recipes use. `meta` contains the `_meta` fields of the call and of the message around it. */
export function toldCall(call: ToolCallUpdate, meta: ToldCall['meta'] | null | undefined): ToldCall {
  const { toolCallId: id, title = null, name = null, kind = null, rawInput } = call;
  return { id, title, name, kind, rawInput, meta: meta ?? {} };
}

const EMPTY = { text: '', cut: 0 };

const STATUSES = { pending: 'pending', in_progress: 'running', completed: 'done', failed: 'failed' } as const;

function closed(item: AgentItem): AgentItem {
  return 'open' in item && item.open ? { ...item, open: false } : item;
}

function cut(text: string, most: number): { text: string; cut: number } {
  return { text: text.slice(0, most), cut: Math.max(0, text.length - most) };
}

/** Returns the text of a content block, or a description of a block that is not text. */
function textOf(content: ContentBlock): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'resource_link':
      return `[${content.title ?? content.name}](${content.uri})`;
    case 'resource':
      return 'text' in content.resource ? content.resource.text : `(${content.resource.uri})`;
    case 'image':
      return `(an image, ${content.mimeType})`;
    case 'audio':
      return `(a sound, ${content.mimeType})`;
    default:
      return '';
  }
}

function contentText(content: readonly ToolCallContent[]): string {
  return content
    .map((each) => {
      if (each.type === 'content') return textOf(each.content);
      return each.type === 'diff' ? `${each.path}:\n${each.newText}` : '';
    })
    .filter(Boolean)
    .join('\n');
}

function rawText(raw: unknown): string {
  if (raw === undefined || raw === null) return '';
  return typeof raw === 'string' ? raw : JSON.stringify(raw, null, 2).slice(0, LONGEST_TEXT);
}

function noticeText(update: object): string {
  const { message, title, text } = update as Record<string, unknown>;
  return [title, message, text].filter((each) => typeof each === 'string').join(': ');
}
