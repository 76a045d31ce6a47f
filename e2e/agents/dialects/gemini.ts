/** Contents of Gemini's API. */
import { hasSteps, type ModelReply } from '../model-script.ts';
import { type Body, type Dialect, plainText, sincePrompt } from './dialect.ts';

export const geminiContents: Dialect = {
  takes: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  streams: (path) => path.endsWith(':streamGenerateContent'),
  read: (body) => {
    const found = sincePrompt(
      body.contents as Body[],
      ({ role, parts }) => role === 'user' && hasSteps(plainText(parts)),
    );
    const results = (found?.later ?? []).flatMap(({ parts }) =>
      (parts as Body[]).filter((part) => part.functionResponse),
    );
    return {
      tools: ((body.tools ?? []) as Body[]).flatMap(({ functionDeclarations = [] }) =>
        (functionDeclarations as Body[]).map(({ name }) => String(name)),
      ),
      prompt: found && schemaOf(body) === null ? plainText(found.prompt.parts) : null,
      results: results.map((part) => JSON.stringify(part.functionResponse.response)),
    };
  },
  events: (reply) => [[null, answer(reply)]],
  whole: (reply, body) => {
    const schema = schemaOf(body);
    return answer(schema !== null && 'text' in reply ? { text: JSON.stringify(emptiest(schema)) } : reply);
  },
};

/**
 * Returns the schema of a request for structured data, for example of the question which model should answer; null if the request is for a
 * text. A request with a schema gets the smallest answer that satisfies it.
 */
function schemaOf({ generationConfig }: Body): Body {
  return generationConfig?.responseJsonSchema ?? generationConfig?.responseSchema ?? null;
}

function answer(reply: ModelReply): unknown {
  const part = 'text' in reply ? { text: reply.text } : { functionCall: { name: reply.tool, args: reply.arguments } };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  };
}

function emptiest(schema: Body): unknown {
  switch (String(schema.type).toLowerCase()) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, emptiest(inner)]),
      );
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'number':
    case 'integer':
      return 0;
    default:
      return schema.enum?.[0] ?? 'none';
  }
}
