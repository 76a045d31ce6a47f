/** The plugin's skill: how an agent works in the image. The MCP prompt `work-in-the-image` has the same text. */
import { promptExample, PROMPTS } from './prompts.ts';
import { RULES } from './rules.ts';

const INTRODUCTION =
  'This project is worked on in a live SBCL image, through the MCP server lisp-workbench. A person works in the same image.';

/** The skill's description. A program uses it to decide when to read the skill. */
const DESCRIPTION =
  'How to work in a live Common Lisp image through the MCP server lisp-workbench: evaluate, inspect, edit definitions, run tests, debug. Use it for every task that involves Common Lisp code.';

/** Returns the rules for the file in which a person keeps instructions for agents. @internal Exported for the test of the guide. */
export function rulesText(): string {
  return [INTRODUCTION, ...RULES.map((rule) => `- ${rule}`)].join('\n');
}

/** Returns the rules and the prompts, as Markdown. */
export function guideText(): string {
  const prompts = PROMPTS.map((prompt) => `- ${prompt.title} (\`${prompt.name}\`): “${promptExample(prompt)}”`);
  return `# Work in the image

${rulesText()}

## Requests that work well

A request that names a function and a test is the easiest to verify in the image. The server has these requests as prompts; the names of
functions below are examples.

${prompts.join('\n')}`;
}

/** Returns the text of the skill's file. */
export function skillText(): string {
  return `---\nname: lisp-workbench\ndescription: >-\n  ${DESCRIPTION}\n---\n\n${guideText()}\n`;
}
