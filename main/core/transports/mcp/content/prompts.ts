/** The prompts of MCP: one with the rules for work in the image, and the guide's prompts. */
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { PROMPTS, promptText } from '#core/guide/prompts.ts';
import { guideText } from '#core/guide/skill.ts';

const RULES = {
  name: 'work-in-the-image',
  title: 'Work in the image',
  description: 'The rules for work in the image, and examples of useful requests.',
  arguments: [],
};

/** Serves the list of prompts and each prompt, for both eras of the protocol. */
export function servePrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: [
      RULES,
      ...PROMPTS.map(({ name, title, text, arguments: given }) => ({
        name,
        title,
        description: text,
        arguments: given.map((argument) => ({
          name: argument.name,
          description: `${argument.description}, for example ${argument.example}`,
          required: true,
        })),
      })),
    ],
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const text = textOf(params.name, params.arguments ?? {});
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

function textOf(name: string, given: Readonly<Record<string, string>>): string {
  if (name === RULES.name) return guideText();
  const prompt = PROMPTS.find((each) => each.name === name);
  if (!prompt) throw invalid(`Unknown prompt: ${name.slice(0, 100)}`);
  const text = promptText(prompt, given);
  if (text !== null) return text;
  const names = prompt.arguments.map((argument) => argument.name).join(', ');
  throw invalid(`Invalid arguments for ${name}: it needs ${names}`);
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
