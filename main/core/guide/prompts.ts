/**
 * Requests that work well for an agent in an image. They are offered as MCP prompts, and appear in the skill and in `docs/agent-guide.md`.
 */

export interface GuidePrompt {
  /** The name under which a program offers the prompt, as in `/lisp-workbench:find-fault`. */
  readonly name: string;
  readonly title: string;
  /** The text, in which `{name}` is the placeholder of an argument. */
  readonly text: string;
  readonly arguments: readonly PromptArgument[];
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  /** An example argument from the tour's project, for the guide. */
  readonly example: string;
}

export const PROMPTS: readonly GuidePrompt[] = [
  {
    name: 'find-fault',
    title: 'Find a bug',
    text: '{form} signals an error. Reproduce it in the image, look at the frames, and tell me the cause. Change nothing yet.',
    arguments: [{ name: 'form', description: 'The form that signals an error', example: "(average-price '())" }],
  },
  {
    name: 'change-function',
    title: 'Change a function',
    text: 'Make {function} {change}. Try it in the image, then propose the edit, load the file and run the tests of {tests}.',
    arguments: [
      { name: 'function', description: 'The name of the function', example: 'average-price' },
      { name: 'change', description: 'The new behavior of the function', example: 'return 0 for an empty basket' },
      { name: 'tests', description: 'The system of the tests', example: 'lisp-tour/tests' },
    ],
  },
  {
    name: 'review-package',
    title: 'Review a package',
    text: 'Read the definitions of package {package} with list-definitions, and say which functions no test calls.',
    arguments: [{ name: 'package', description: 'The name of the package', example: 'lisp-tour' }],
  },
  {
    name: 'make-faster',
    title: 'Make a function faster',
    text: 'Measure {function} with time-execution on {input}, profile it, propose one change, and measure again.',
    arguments: [
      { name: 'function', description: 'The name of the function', example: 'basket-total' },
      { name: 'input', description: 'The input to measure with', example: 'a list of 100,000 wares' },
    ],
  },
  {
    name: 'compare-designs',
    title: 'Compare two designs',
    text: 'Make a checkpoint, try two designs one after the other, {first} and {second}, go back to the checkpoint between them, and compare.',
    arguments: [
      { name: 'first', description: 'The first design', example: 'a list of wares' },
      { name: 'second', description: 'The second design', example: 'a hash table of wares by name' },
    ],
  },
  {
    name: 'explain-macro',
    title: 'Explain a macro',
    text: 'Explain the macro {macro}: expand a call of it once and fully, and show what the expansion calls.',
    arguments: [{ name: 'macro', description: 'The name of the macro', example: 'with-open-file' }],
  },
];

/** Returns the text of a prompt with its arguments; null if an argument is missing. */
export function promptText(prompt: GuidePrompt, given: Readonly<Record<string, string>>): string | null {
  if (prompt.arguments.some(({ name }) => !Object.hasOwn(given, name))) return null;
  return prompt.text.replaceAll(/\{([a-z]+)\}/g, (_all, name: string) => given[name]!);
}

/** Returns the text of a prompt for the guide, with examples from the tour's project. */
export function promptExample(prompt: GuidePrompt): string {
  return promptText(prompt, Object.fromEntries(prompt.arguments.map(({ name, example }) => [name, example])))!;
}
