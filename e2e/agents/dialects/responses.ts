/** Responses of OpenAI's API. */
import { hasSteps, type ModelReply } from '../model-script.ts';
import { type Body, type Dialect, plainText, sincePrompt } from './dialect.ts';

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

export const responses: Dialect = {
  takes: (path) => path.endsWith('/responses'),
  streams: (_path, body) => body.stream === true,
  read: (body) => {
    const input: Body[] = Array.isArray(body.input) ? body.input : [{ role: 'user', content: body.input }];
    const parts = sincePrompt(input, ({ role, content }) => role === 'user' && hasSteps(plainText(content)));
    const results = (parts?.later ?? []).filter(({ type }) => String(type).endsWith('_call_output'));
    return {
      tools: ((body.tools ?? []) as Body[]).flatMap(namesOf),
      prompt: parts && plainText(parts.prompt.content),
      results: results.map(({ output }) => plainText(output)),
    };
  },
  events: (reply, body) => {
    const item = itemOf(reply, body);
    const done = { ...head(body), status: 'completed', output: [item], usage: USAGE };
    return [
      [
        'response.created',
        { type: 'response.created', response: { ...head(body), status: 'in_progress', output: [] } },
      ],
      ['response.output_item.added', { type: 'response.output_item.added', output_index: 0, item }],
      ...('text' in reply
        ? ([
            [
              'response.output_text.delta',
              {
                type: 'response.output_text.delta',
                item_id: 'item_1',
                output_index: 0,
                content_index: 0,
                delta: reply.text,
              },
            ],
          ] as const)
        : []),
      ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
      ['response.completed', { type: 'response.completed', response: done }],
    ];
  },
  whole: (reply, body) => ({ ...head(body), status: 'completed', output: [itemOf(reply, body)], usage: USAGE }),
};

/** Returns the names of a tool. If a server's tools are in a namespace, their names include it. */
function namesOf(tool: Body): string[] {
  if (tool.type === 'namespace') return (tool.tools as Body[]).map(({ name }) => `${tool.name}${NAMESPACE}${name}`);
  return [String(tool.name ?? tool.type)];
}

const NAMESPACE = '::';

function itemOf(reply: ModelReply, body: Body): unknown {
  if ('text' in reply)
    return {
      id: 'item_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: reply.text, annotations: [] }],
    };
  const [namespace, name] = reply.tool.includes(NAMESPACE) ? reply.tool.split(NAMESPACE) : [null, reply.tool];
  const isCustom = ((body.tools ?? []) as Body[]).some((tool) => tool.type === 'custom' && tool.name === name);
  if (isCustom)
    return {
      id: 'item_1',
      type: 'custom_tool_call',
      status: 'completed',
      call_id: reply.id,
      name,
      input: Object.values(reply.arguments)[0],
    };
  return {
    id: 'item_1',
    type: 'function_call',
    status: 'completed',
    call_id: reply.id,
    name,
    ...(namespace === null ? {} : { namespace }),
    arguments: JSON.stringify(reply.arguments),
  };
}

function head({ model }: Body): object {
  return { id: `resp_${Date.now()}`, object: 'response', created_at: 1, model };
}
