/** A conversation with an agent: its items, as the updates of the protocol make them. Bounded, whatever an agent sends. */
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

/** Characters of one item's text, and of what goes into a call and comes out of it. */
const LONGEST_TEXT = 64 * 1024;
const LONGEST_PART = 16 * 1024;
/** Items that are kept; of a longer conversation the oldest go. */
const MOST_ITEMS = 5_000;
const MOST_FILES = 20;

type Item<Kind extends AgentItem['kind']> = Extract<AgentItem, { kind: Kind }>;
type Speech = Item<'said'> | Item<'thought'>;
/** An item before it has its number and time. */
type Fresh = AgentItem extends infer Each ? (Each extends AgentItem ? Omit<Each, 'seq' | 'at'> : never) : never;

interface ConversationEvents {
  item: AgentItem;
  /** The agent tells of a call of one of the workbench's tools; again where it tells other arguments of the same. */
  recognised: { item: Item<'call'>; call: RecognisedCall };
}

export class Conversation {
  readonly events = new Emitter<ConversationEvents>();
  readonly #items = new Map<number, AgentItem>();
  readonly #recognise: (call: ToldCall) => RecognisedCall | null;
  readonly #remarks: RegExp | null;
  /** Numbers of the calls by the agent's ids. */
  readonly #calls = new Map<string, number>();
  /** All that an agent has told so far of each call that goes on, by its ids: an update has only what is new. */
  readonly #stated = new Map<string, ToldCall>();
  /** Digests of the calls of our tools that were told, by the numbers of their items: arguments may come after the first word of a call. */
  readonly #recognised = new Map<number, string>();
  #last = 0;
  /** Number of the latest prompt: what is before it belongs to turns that are over. */
  #turn = 0;
  /** The message that the latest piece of speech belongs to, as the agent names it. */
  #message: string | null = null;

  /**
   * `recognise`: the call of a tool of the workbench that an agent tells of; null for one of its own tools. `remarks`: messages of the program about its own
   * start, which are not words of its model.
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

  /** The latest `most` items before the number `before`, or of all, in their order. */
  page(before: number | null, most: number): AgentItem[] {
    return this.items.filter(({ seq }) => before === null || seq < before).slice(-most);
  }

  /** True where the agent has called a tool since the latest prompt. */
  get hasActed(): boolean {
    return this.items.some(({ seq, kind }) => seq > this.#turn && kind === 'call');
  }

  /** True once something was asked. */
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

  /** The turn ended with an error. Words that the agent has said just before are not told again. */
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

  /** Takes an update that tells something that is said or done by the agent. What it repeats of the person's words is known already. */
  take(update: SessionUpdate): void {
    const { sessionUpdate: kind } = update;
    if (kind === 'agent_message_chunk') this.#speak('said', update);
    else if (kind === 'agent_thought_chunk') this.#speak('thought', update);
    else if (kind === 'tool_call' || kind === 'tool_call_update') this.#told(update, kind === 'tool_call');
    else if (kind === 'notice') this.notice(`The agent says: ${JSON.stringify(noticeText(update))}`);
  }

  /** A call that an agent asks permission for is an item from then on: some agents tell of one only once it runs. */
  requested(call: ToolCallUpdate): void {
    this.#told({ ...call, status: 'pending' }, true);
  }

  /** The call of a tool of ours that an agent asks permission for, by that and by what it told of the call before; null for its own tools. */
  recognise(asked: ToldCall): RecognisedCall | null {
    const own = this.#recognise(this.#merged(asked));
    const before = this.#stated.get(asked.id);
    if (own !== null || before === undefined) return own;
    // A request may give the call another title. One of another kind, or with other arguments, is another call.
    const isSame =
      (asked.kind === null || asked.kind === 'other' || asked.kind === before.kind) &&
      (asked.rawInput === undefined || fingerprint([asked.rawInput]) === fingerprint([before.rawInput]));
    return isSame && asked.kind !== 'execute' && asked.kind !== 'edit' ? this.#recognise(before) : null;
  }

  /** A call of the agent's is the one with this id in the activity. */
  link(seq: number, call: string): void {
    const item = this.#items.get(seq);
    if (item?.kind === 'call') this.#put({ ...item, call });
  }

  /** The turn is over: nothing more comes to what is open, and calls that the agent did not end have not ended well. */
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
    // Ids are unique in one process of the agent at most: one that goes on with a session may count from the start again.
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

  /** A call with all that was told of it before. */
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

/** A call in the form of the recipes; `meta` is all that stands in `_meta` of it and around it. */
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

/** The text of a content block; what is no text is named. */
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
