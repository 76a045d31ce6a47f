/** A dialect: the form in which a vendor's interface has requests to a model, and its answers. As far as agents need it. */
import type { ModelReply, ModelRequest } from '../model-script.ts';

export interface Dialect {
  /** True for a request to a model in this dialect. */
  readonly takes: (path: string) => boolean;
  readonly read: (body: Body) => ModelRequest;
  /** An answer as a stream of events; an event is its name, or null for one without, and its data. */
  readonly events: (reply: ModelReply, body: Body) => readonly (readonly [name: string | null, data: unknown])[];
  /** An answer in one piece. */
  readonly whole: (reply: ModelReply, body: Body) => unknown;
  readonly streams: (path: string, body: Body) => boolean;
}

/** A body of one of four interfaces, of which little is read. */
export type Body = ReturnType<typeof JSON.parse>;

/** Splits a conversation behind the latest words of the person that `isPrompt`; null where there are none. */
export function sincePrompt<Message>(
  messages: readonly Message[],
  isPrompt: (message: Message) => boolean,
): { prompt: Message; later: readonly Message[] } | null {
  const at = messages.findLastIndex(isPrompt);
  return at < 0 ? null : { prompt: messages[at]!, later: messages.slice(at + 1) };
}

/** The text of content that is a string, or a list of parts with texts. */
export function plainText(content: Body): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content);
  return content.map((part: Body) => (typeof part?.text === 'string' ? part.text : '')).join('\n');
}
