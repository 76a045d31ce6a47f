/**
 * Tools that a client was not told of, made usable: one tool that finds them and tells their parameters, and one that calls
 * them by name. The executor unwraps the latter, so that level, card, rules and activity are those of the tool that it names.
 */
import { z } from 'zod';
import { inputSchemaOf } from '../schema.ts';
import { defineTool, levelOf, type Tool } from '../tool.ts';

/** Tools whose parameters are told at once; of further ones only the purpose is. */
const MOST_IN_FULL = 4;

/** `tools`: what can be found, in the order in which it is told. A function, as the table of tools holds this one too. */
export function makeFindTools(tools: () => readonly Tool[]): Tool {
  return defineTool({
    name: 'find_tools',
    title: 'Find further tools',
    level: 'safe',
    description:
      'Find tools that are not in your list: what they are for and their parameters. Use it before you do without, for example for tracing, timing, disassembly, other uses of a name, checkpoints, history, moving files. Call what it shows with call-tool.',
    input: z.strictObject({
      words: z
        .string()
        .default('')
        .describe('Words about what you want to do, or the name of a tool. Left out: all of them, each in a line.'),
    }),
    openWorld: false,
    summarize: ({ words }) => words,
    run: async ({ words }) => ({ success: true, text: foundText(words, tools()) }),
  });
}

export const callTool = defineTool({
  name: 'call_tool',
  title: 'Call a tool by its name',
  level: 'cautious',
  description:
    'Call any tool by its name, also one that is not in your list. Use it after find-tools, which shows the parameters. It is as if you called that tool itself: what needs the approval of a person waits for it.',
  input: z.strictObject({
    name: z.string().min(1).describe('Name of the tool, as find-tools tells it.'),
    arguments: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Its parameters, by name, for example {"class": "account"}.'),
  }),
  openWorld: true,
  summarize: ({ name }) => name,
  run: async ({ name }) => ({ success: false, text: `Unknown tool: ${name}` }), // the executor calls it
});

/** Returns how an unlisted tool is called. */
export function calledBy(published: string): string {
  return `call-tool {"name": "${published}", "arguments": {…}}`;
}

export function published({ name }: Pick<Tool, 'name'>): string {
  return name.replaceAll('_', '-');
}

function foundText(words: string, tools: readonly Tool[]): string {
  const wanted = wordsOf(words);
  if (wanted.length === 0)
    return `${linesOf(tools)}\n\nTheir parameters: find-tools with a name or words about the work.`;
  const rated = tools
    .map((tool) => ({ tool, score: scoreOf(tool, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
  if (rated.length === 0) return `No further tool is about ${words.trim()}. These are there:\n${linesOf(tools)}`;
  const [full, more] = [rated.slice(0, MOST_IN_FULL), rated.slice(MOST_IN_FULL)];
  const rest = more.length > 0 ? `\n\nAlso near:\n${linesOf(more)}` : '';
  return `${full.map(inFull).join('\n\n')}${rest}`;
}

function linesOf(tools: readonly Tool[]): string {
  return tools.map((tool) => `- ${published(tool)}: ${firstSentence(tool.description)}`).join('\n');
}

function inFull(tool: Tool): string {
  return [
    `${published(tool)} (${levelOf(tool, { shared: true })}): ${tool.description}`,
    `Parameters: ${JSON.stringify(inputSchemaOf(tool))}`,
    `Call: ${calledBy(published(tool))}`,
  ].join('\n');
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** A word in the name counts most, one in the description or among the parameters less. */
function scoreOf(tool: Tool, wanted: readonly string[]): number {
  const name = wordsOf(`${tool.name} ${tool.title}`);
  const rest = wordsOf(`${tool.description} ${Object.keys(tool.input.shape).join(' ')}`);
  if (wanted.join('_') === tool.name) return 100;
  const has = (among: readonly string[], word: string): boolean => among.some((each) => isAlike(each, word));
  return wanted.reduce((sum, word) => sum + (has(name, word) ? 3 : has(rest, word) ? 1 : 0), 0);
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && !FILLERS.has(word));
}

const FILLERS = new Set(
  `the and for how use tool tools what which with that from into its this all any get set show find list make lisp code
  function functions variable package symbol symbols name names file files value values`.split(/\s+/),
);

/** One stem: trace, tracing, traced. */
function isAlike(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  if (shorter < 4) return one === other;
  const same = Math.max(4, shorter - 2);
  return one.slice(0, same) === other.slice(0, same);
}
