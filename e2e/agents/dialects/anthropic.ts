/** Messages of Anthropic's API. */
import { hasSteps } from '../model-script.ts';
import { type Body, type Dialect, plainText, sincePrompt } from './dialect.ts';

const USAGE = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export const anthropic: Dialect = {
  takes: (path) => path.endsWith('/v1/messages'),
  streams: (_path, body) => body.stream === true,
  read: (body) => {
    const parts = sincePrompt(
      body.messages as Body[],
      ({ role, content }) => role === 'user' && hasSteps(plainText(content)),
    );
    // Results are in messages with the role `user`. If the agent adds text to a result, it is in the same message.
    const results = (parts?.later ?? []).flatMap(({ content }) =>
      Array.isArray(content) ? content.filter(({ type }: Body) => type === 'tool_result') : [],
    );
    return {
      tools: ((body.tools ?? []) as Body[]).map(({ name }) => String(name)),
      prompt: parts && plainText(parts.prompt.content),
      results: results.map(({ content }: Body) => plainText(content)),
    };
  },
  events: (reply, { model }) => {
    const [block, delta] =
      'text' in reply
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: reply.text },
          ]
        : [
            { type: 'tool_use', id: reply.id, name: reply.tool, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(reply.arguments) },
          ];
    const stop_reason = 'text' in reply ? 'end_turn' : 'tool_use';
    return [
      ['message_start', { type: 'message_start', message: message(model, [], null) }],
      ['content_block_start', { type: 'content_block_start', index: 0, content_block: block }],
      ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      ['message_delta', { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: USAGE }],
      ['message_stop', { type: 'message_stop' }],
    ];
  },
  whole: (reply, { model }) =>
    'text' in reply
      ? message(model, [{ type: 'text', text: reply.text }], 'end_turn')
      : message(model, [{ type: 'tool_use', id: reply.id, name: reply.tool, input: reply.arguments }], 'tool_use'),
};

function message(model: string, content: unknown[], stop_reason: string | null): unknown {
  return {
    id: `msg_${Date.now()}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason,
    stop_sequence: null,
    usage: USAGE,
  };
}
