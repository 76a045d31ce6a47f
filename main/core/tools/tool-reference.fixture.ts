/** Makes the page docs/tools.md from the tools and from their answers to the calls of `tool-examples.fixture.ts`. Has no side effects. */
import { z } from 'zod';
import { FAMILIES } from './tool-examples.fixture.ts';
import { findTool, publishedName } from './registry.ts';
import { UNLISTED } from './tool-sets/standard.ts';
import { levelOf, type Tool } from './tool.ts';

export interface AnsweredExample {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly answer: string;
  readonly approved: boolean;
  /** True if lines of the answer were left out. */
  readonly cut: boolean;
}

/** Returns the page. `examples` maps the name of each tool to its example. */
export function toolPage(examples: ReadonlyMap<string, AnsweredExample>): string {
  const rows = FAMILIES.map(([title, names]) => `| ${title} | ${names.map((name) => linkTo(name)).join(', ')} |`);
  const parts = FAMILIES.flatMap(([, names]) => names).map((name) => toolPart(findTool(name)!, examples.get(name)!));
  return `${[HEAD, `| for | tools |\n| --- | --- |\n${rows.join('\n')}`, ...parts].join('\n\n')}\n`;
}

const HEAD = `# The tools of agents

<!-- Written by \`npm run docs\` from main/core/tools and the answers of an image. Change the sources, not this page. -->

All tools that an MCP client can call, with their parameters and an example of each. The examples are answers of a real image that
works on the project of the tour, \`lisp-tour\`; times, sizes, ids and paths in them stand for those of your machine. The
[guide for agents](agent-guide.md) says how to use them together.

*Safe* tools look and change nothing. *Cautious* ones run at once and are recorded. *Dangerous* ones wait for a person; where nobody can be
asked they are denied. Claude Code and Qwen Code, which load tools as they need them, are told of all but those *in no list*; other clients
of the most used ones. \`find-tools\` and \`call-tool\` find and call the rest; for a tool in no list another one does the work.`;

function toolPart(tool: Tool, { arguments: args, answer, approved, cut }: AnsweredExample): string {
  const { properties = {}, required = [] } = z.toJSONSchema(tool.input, { io: 'input' }) as {
    properties?: Record<string, Property>;
    required?: readonly string[];
  };
  const rows = Object.entries(properties).map(
    ([name, property]) =>
      `| \`${name}\` | ${typeOf(property)} | ${required.includes(name) ? 'yes' : ''} | ${inCell(property.description ?? '')} |`,
  );
  return [
    `## ${publishedName(tool)}`,
    `*${tool.title}; ${levelText(tool)}${UNLISTED.has(tool.name) ? '; in no list' : ''}.* ${inCell(tool.description)}`,
    ...(rows.length === 0
      ? ['It has no parameters.']
      : [`| parameter | value | needed | meaning |\n| --- | --- | --- | --- |\n${rows.join('\n')}`]),
    `Called with${approved ? ', and approved in Review' : ''}:`,
    block('json', JSON.stringify(args, null, 2)),
    `comes back${cut ? ', with more lines after these' : ''}:`,
    block('text', answer),
  ].join('\n\n');
}

interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Property[];
  readonly description?: string;
}

function typeOf({ type, enum: values, anyOf }: Property): string {
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (type === 'integer') return 'whole number';
  if (type === 'array') return 'list';
  return String(type ?? 'text').replace('string', 'text');
}

function levelText(tool: Tool): string {
  const [shared, own] = [levelOf(tool, { shared: true }), levelOf(tool, { shared: false })];
  const lower = tool.levelOfCall ? ', lower for some calls' : '';
  return shared === own
    ? `${shared}${lower}`
    : `${shared} in a shared image, ${own} in one of the client's own${lower}`;
}

function linkTo(name: string): string {
  const published = publishedName(findTool(name)!);
  return `[${published}](#${published})`;
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.replaceAll('```', "'''")}\n\`\`\``;
}

function inCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll(/\s*\n\s*/g, ' ');
}
