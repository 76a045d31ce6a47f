/** The sides of a task: an agent with the workbench's tools over MCP, and an agent with a shell, with the costs of each. */
import { spawnSync } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** The cost of a task for a model and the person. Counts the characters of answers, and of arguments written as JSON. */
export interface Cost {
  calls: number;
  received: number;
  sent: number;
  approvals: number;
}

const LONGEST_CALL_MS = 600_000;

/** An agent of one of the two kinds that perform a task. Counts the calls that the agent made. */
abstract class Side {
  readonly cost: Cost = { calls: 0, received: 0, sent: 0, approvals: 0 };
  /** All messages in both directions. */
  readonly transcript: string[] = [];

  protected count(sent: string, received: string): void {
    this.cost.calls += 1;
    this.cost.sent += sent.length;
    this.cost.received += received.length;
    this.transcript.push(`> ${sent}\n${received}`);
  }
}

interface Answer {
  readonly content?: readonly { readonly text?: string }[];
  readonly isError?: boolean;
}

/** An agent that uses the tools of an MCP server started by it. */
export class ToolSide extends Side {
  readonly #client: Client;

  private constructor(client: Client) {
    super();
    this.#client = client;
    client.setRequestHandler(ElicitRequestSchema, () => {
      this.cost.approvals += 1;
      return { action: 'accept', content: { decision: 'approve' } };
    });
  }

  /** Starts the server; the person at this client approves everything. */
  static async start(
    command: readonly [string, ...string[]],
    cwd: string,
    env: Record<string, string>,
  ): Promise<ToolSide> {
    const client = new Client({ name: 'claude-code', version: '1' }, { capabilities: { elicitation: {} } });
    const side = new ToolSide(client);
    const [program, ...args] = command;
    await client.connect(new StdioClientTransport({ command: program, args, cwd, env, stderr: 'ignore' }));
    return side;
  }

  /** Calls a tool and returns the text of the answer. @throws Error if the call failed, unless `fails` is true. */
  async call(name: string, args: Record<string, unknown>, fails = false): Promise<string> {
    const { text, isError } = await this.#ask(name, args);
    this.count(`${name} ${JSON.stringify(args)}`, text);
    if (isError && !fails) throw new Error(`${name} failed: ${text.slice(0, 2000)}`);
    return text;
  }

  /** Evaluates code that is not a part of the task, such as code that sets the initial state or checks the outcome. */
  async aside(code: string): Promise<string> {
    return (await this.#ask('evaluate-lisp', { code })).text;
  }

  async #ask(name: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
    const answer = (await this.#client.callTool({ name, arguments: args }, undefined, {
      timeout: LONGEST_CALL_MS,
      resetTimeoutOnProgress: true,
      onprogress: () => {}, // causes a progress token to be sent, as agent programs do
    })) as Answer;
    const text = (answer.content ?? []).map((part) => part.text ?? '').join('\n');
    return { text, isError: answer.isError === true };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** An agent with a shell; each command counts as one call. */
export class ShellSide extends Side {
  readonly #folder: string;
  readonly #env: Record<string, string>;

  constructor(folder: string, env: Record<string, string>) {
    super();
    this.#folder = folder;
    this.#env = env;
  }

  run(command: string): string {
    const output = shell(command, this.#folder, this.#env);
    this.count(`shell ${JSON.stringify({ command })}`, output);
    return output;
  }
}

/** Runs a command and returns its whole output. */
export function shell(command: string, cwd: string, env: Record<string, string>): string {
  const { stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${command}`], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** Returns a shell command that evaluates forms in a fresh SBCL, in which ASDF searches the project's folder for systems first. */
export function sbcl(...forms: readonly string[]): string {
  const all = ['(require :asdf)', ...forms];
  return `CL_SOURCE_REGISTRY="$PWD//:" sbcl --noinform --non-interactive ${all.map((form) => `--eval '${form}'`).join(' ')}`;
}
