/**
 * Access to tools that a client does not see. One tool finds them and shows their parameters; another calls them by name. The executor
 * replaces a call of the second tool with a call of the named tool, so the named tool's level, card, rules and activity apply.
 */
import { z } from 'zod';
import { inputSchemaOf } from '../schema.ts';
import { defineTool, levelOf, type Tool } from '../tool.ts';

/** The maximum number of other tools that are named with the best match. Parameters are shown only for the best match. */
const MOST_NAMED = 5;

/**
 * `tools` returns all tools in the order in which they are shown. It is a function because the table of tools also contains the tool that
 * is created here.
 */
export function makeFindTools(tools: () => readonly Tool[]): Tool {
  return defineTool({
    name: 'find_tools',
    title: 'Find further tools',
    level: 'safe',
    description:
      'Find tools that are not in your list, with their parameters: tracing, timing, profiling, disassembly, checkpoints, history, packages, systems, threads, memory. Use it if your list lacks a tool.',
    input: z.strictObject({
      words: z.string().default('').describe('What you want to do, or the name of a tool. Default: list all tools.'),
    }),
    openWorld: false,
    summarize: ({ words }) => words,
    run: async ({ words }, { howToCall }) => {
      const isListed = (tool: Tool): boolean => howToCall(tool.name) === published(tool);
      return { success: true, text: foundText(words, tools(), isListed) };
    },
  });
}

export const callTool = defineTool({
  name: 'call_tool',
  title: 'Call a tool by its name',
  level: 'cautious',
  description:
    'Call a tool that is not in your list, with the same checks and approvals as any other tool. Use it after find-tools, which shows the parameters.',
  input: z.strictObject({
    name: z.string().min(1).describe('The name that find-tools shows.'),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('Its parameters by name.'),
  }),
  openWorld: true,
  summarize: ({ name }) => name,
  run: async ({ name }) => ({ success: false, text: `Unknown tool: ${name}` }), // never runs, because the executor replaces the call
});

/** Returns a sentence on how to call a tool that is not in the list. */
export function calledBy(published: string): string {
  return `call-tool {"name": "${published}", "arguments": {…}}`;
}

export function published({ name }: Pick<Tool, 'name'>): string {
  return name.replaceAll('_', '-');
}

function foundText(words: string, every: readonly Tool[], isListed: (tool: Tool) => boolean): string {
  const all = every.filter(({ name }) => name !== 'find_tools' && name !== 'call_tool');
  const tools = all.filter((tool) => !isListed(tool));
  const wanted = wordsOf(words);
  if (wanted.length === 0)
    return `${linesOf(tools)}\n\nFor their parameters, call find-tools with a name or a description of the task.`;
  const rated = all
    .map((tool) => ({ tool, score: scoreOf(tool, wanted), own: isListed(tool) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || Number(other.own) - Number(one.own));
  const [best] = rated;
  if (!best)
    return `No tool matches ${words.trim()}. The tools that are not in your list are: ${tools.map(published).join(', ')}.`;
  const others = rated.filter(({ tool, score }) => tool !== best.tool && score * 2 >= best.score);
  const near = others.slice(0, MOST_NAMED).map(({ tool }) => published(tool));
  return [
    best.own ? `In your list: ${published(best.tool)}. ${best.tool.description}` : inFull(best.tool),
    ...(near.length > 0 ? [`Similar: ${near.join(', ')}.`] : []),
  ].join('\n\n');
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

/**
 * Returns the score of a match. A word in the tool's name counts most, and a word in the description counts less. A word that many tools
 * share counts least.
 */
function scoreOf(tool: Tool, wanted: readonly string[]): number {
  if (wanted.join('_') === tool.name) return 1000;
  const name = wordsOf(`${tool.name} ${tool.title}`);
  const rest = wordsOf(tool.description);
  const has = (among: readonly string[], word: string): boolean => among.some((each) => isAlike(each, word));
  return wanted.reduce(
    (sum, word) => sum + (has(name, word) ? (COMMON.has(word) ? 2 : 9) : !COMMON.has(word) && has(rest, word) ? 4 : 0),
    0,
  );
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word.length > 2 && !FILLERS.has(word));
}

const FILLERS = new Set(
  `the and for how use tool tools what which with that from into its this all any get set show find list make lisp code
  want need does take long`.split(/\s+/),
);

/** Words that occur in the names of many tools, or in queries about any tool. */
const COMMON = new Set(
  `function functions variable variables package packages symbol symbols name names file files value values form class
  call calls definition evaluation image`.split(/\s+/),
);

/**
 * Returns true if both words have the same stem, or if one begins with the other. For example, trace, tracing and traced are alike; so are
 * export and exported.
 */
function isAlike(one: string, other: string): boolean {
  if (stem(one) === stem(other)) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length > 4 && long.startsWith(short);
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ations?|ing|ed|ers?|es|s|e)$/, '') : word.replace(/[es]$/, '');
}
