/**
 * The model of `npm run agents`. It only performs the steps in the prompt, one step in each of its answers. A step is a line of JSON after
 * `step:`. The model has no state: it counts the completed steps by their results in the conversation.
 */

export type Step =
  /** Calls a tool of the workbench. */
  | { readonly call: string; readonly arguments: Record<string, unknown> }
  /**
   * Tries one of the agent's own tools: the tool that the agent offers to the model or, if it does not offer one, the tool with the name
   * `named`.
   */
  | { readonly shell: string; readonly named: string }
  | ({ readonly write: string } & FileTool)
  | ({ readonly read: string } & FileTool);

interface FileTool {
  readonly named: string;
  /** The name of the path argument, if it differs from the usual name for such a tool. */
  readonly argument?: string;
}

export interface ModelRequest {
  /** The full names of the offered tools. */
  readonly tools: readonly string[];
  /** The person's latest message with steps in it; null for requests with another purpose, such as a title. */
  readonly prompt: string | null;
  /** The request as received. */
  readonly body?: string;
  /** The results of calls since the prompt. */
  readonly results: readonly string[];
}

export type ModelReply =
  | { readonly text: string }
  | { readonly tool: string; readonly arguments: Record<string, unknown>; readonly id: string };

export function stepLine(step: Step): string {
  return `step: ${JSON.stringify(step)}`;
}

export function hasSteps(text: string): boolean {
  return /^step: \{/m.test(text);
}

export function replyTo({ tools, prompt, results }: ModelRequest): ModelReply {
  if (prompt === null) return { text: 'A title' };
  const steps = [...prompt.matchAll(/^step: (\{.*\})$/gm)].map(([, json]) => JSON.parse(json!) as Step);
  const step = steps[results.length];
  if (step === undefined) return { text: `Done. ${results.at(-1)?.slice(0, 200) ?? ''}` };
  const call = callOf(step, tools);
  if (call === null) return { text: `There is no tool for ${JSON.stringify(step)}.` };
  return { ...call, id: `call_${Date.now().toString(36)}${results.length}` };
}

function callOf(step: Step, tools: readonly string[]): { tool: string; arguments: Record<string, unknown> } | null {
  if ('call' in step) {
    const tool = tools.find((name) => isTool(name, step.call));
    return tool === undefined ? null : { tool, arguments: step.arguments };
  }
  const [table, value] =
    'shell' in step ? [SHELLS, step.shell] : 'read' in step ? [READERS, step.read] : [WRITERS, step.write];
  const tool = tools.find((name) => Object.hasOwn(table, name)) ?? step.named;
  const args = (table[tool] ?? ((text: string) => ({ command: text })))(value);
  const argument = 'shell' in step ? undefined : step.argument;
  if (argument === undefined) return { tool, arguments: args };
  return { tool, arguments: { ...args, file_path: undefined, [argument]: value } };
}

/** True if `name` is the name of a workbench tool, regardless of how the agent joins the server's name and the tool's. */
export function isTool(name: string, tool: string): boolean {
  const plain = name.replaceAll('_', '-');
  return plain === tool || (plain.includes('lisp-workbench') && plain.replace(/.*[^a-z-]/, '-').endsWith(`-${tool}`));
}

type Arguments = Readonly<Record<string, (value: string) => Record<string, unknown>>>;

const command = (value: string): Record<string, unknown> => ({ command: value, description: 'Tries it' });

/** The agents' shell tools. */
export const SHELLS: Arguments = {
  Bash: command,
  bash: command,
  exec_command: (cmd) => ({ cmd }),
  run_shell_command: (text) => ({ ...command(text), is_background: false }),
  shell: (text) => ({ command: ['sh', '-c', text] }),
  shell_command: command,
};

const CONTENT = 'written by the agent\n';

/** The agents' tools that write files. */
export const WRITERS: Arguments = {
  Write: (file_path) => ({ file_path, content: CONTENT }),
  create: (path) => ({ path, file_text: CONTENT }),
  write: (filePath) => ({ filePath, content: CONTENT }),
  write_file: (file_path) => ({ file_path, content: CONTENT }),
};

/** The agents' tools that read files. An agent without such a tool uses its shell. */
const READERS: Arguments = {
  Read: (file_path) => ({ file_path }),
  read: (filePath) => ({ filePath }),
  read_file: (file_path) => ({ file_path }),
  view: (path) => ({ path }),
  exec_command: (file) => ({ cmd: `cat '${file}'` }),
};
