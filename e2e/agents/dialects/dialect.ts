/** A dialect: the format of a vendor's API for model requests and replies, limited to the features that the agents use. */
import type { ModelReply, ModelRequest } from '../model-script.ts';

export interface Dialect {
  /** True for a request to a model in this dialect. */
  readonly takes: (path: string) => boolean;
  readonly read: (body: Body) => ModelRequest;
  /** Returns an answer as a stream of events, each with its name (or null) and its data. */
  readonly events: (reply: ModelReply, body: Body) => readonly (readonly [name: string | null, data: unknown])[];
  /** Returns an answer in one piece. */
  readonly whole: (reply: ModelReply, body: Body) => unknown;
  readonly streams: (path: string, body: Body) => boolean;
}

/** A request body of one of four APIs. Only a few of its fields are read. */
export type Body = ReturnType<typeof JSON.parse>;

/** Splits a conversation after the person's latest message that satisfies `isPrompt`; returns null if there is no such message. */
export function sincePrompt<Message>(
  messages: readonly Message[],
  isPrompt: (message: Message) => boolean,
): { prompt: Message; later: readonly Message[] } | null {
  const at = messages.findLastIndex(isPrompt);
  return at < 0 ? null : { prompt: messages[at]!, later: messages.slice(at + 1) };
}

/** Returns the text of a message's content, which is a string or a list of parts. */
export function plainText(content: Body): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content);
  return content.map((part: Body) => (typeof part?.text === 'string' ? part.text : '')).join('\n');
}
