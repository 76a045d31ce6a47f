/** OpenAI's Chat Completions API, which many vendors offer. */
import { hasSteps, type ModelReply } from '../model-script.ts';
import { type Body, type Dialect, plainText, sincePrompt } from './dialect.ts';

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

export const chat: Dialect = {
  takes: (path) => path.endsWith('/chat/completions'),
  streams: (_path, body) => body.stream === true,
  read: (body) => {
    const parts = sincePrompt(
      body.messages as Body[],
      ({ role, content }) => role === 'user' && hasSteps(plainText(content)),
    );
    const results = (parts?.later ?? []).filter(({ role }) => role === 'tool');
    return {
      tools: ((body.tools ?? []) as Body[]).map((tool) => String(tool.function?.name ?? tool.name ?? tool.type)),
      prompt: parts && plainText(parts.prompt.content),
      results: results.map(({ content }) => plainText(content)),
    };
  },
  events: (reply, { model }) => {
    const chunk = (choices: unknown[], more: object = {}): [null, unknown] => [
      null,
      { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices, ...more },
    ];
    return [
      chunk([{ index: 0, delta: { role: 'assistant', ...deltaOf(reply) }, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: finishOf(reply) }]),
      chunk([], { usage: USAGE }),
      [null, '[DONE]'],
    ];
  },
  whole: (reply, { model }) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content: null, ...deltaOf(reply) }, finish_reason: finishOf(reply) },
    ],
    usage: USAGE,
  }),
};

function deltaOf(reply: ModelReply): object {
  if ('text' in reply) return { content: reply.text };
  const { tool, id } = reply;
  return {
    tool_calls: [
      { index: 0, id, type: 'function', function: { name: tool, arguments: JSON.stringify(reply.arguments) } },
    ],
  };
}

function finishOf(reply: ModelReply): string {
  return 'text' in reply ? 'stop' : 'tool_calls';
}
