/** The login of one agent at a terminal: the login method that runs, and its result. */
import type { AuthMethod } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { LoginTerminal as TerminalView } from '#contract/clients/hosted-agent.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { ProcessLaunch } from '../process/agent-process.ts';
import { LoginTerminal, type TerminalMaker, type TerminalSize } from './login-terminal.ts';

export interface LoginParts {
  /** The agent's id. */
  readonly agent: string;
  /**
   * The agent's program, in its sandbox and with its own state, so that the login is stored where the agent looks for it. `agent` is
   * started with the agent's arguments, `program` without arguments.
   */
  readonly launch: { readonly agent: ProcessLaunch; readonly program: ProcessLaunch };
  /** Resolves with the SBCL and the sources that create terminals. @throws WorkbenchError if this system has none. */
  readonly maker: () => Promise<TerminalMaker>;
  readonly changed: () => void;
}

/**
 * A login at a terminal. If `of` is `agent`, `args` are added to the agent's command line; if it is `program`, they replace the agent's
 * arguments.
 */
export interface TerminalLogin {
  readonly title: string;
  readonly of: 'agent' | 'program';
  readonly args: readonly string[];
}

/** An older format in which programs declare a terminal login. The declared command is not used; the agent's program runs instead. */
const older = z.object({ 'terminal-auth': z.object({ args: z.array(z.string().max(1_000)).max(50) }) });

/**
 * Returns the terminal login of a method; null if the agent handles the method itself. Environment variables in the method are ignored,
 * because they would also apply to the programs that create the agent's sandbox.
 */
export function terminalLogin(method: AuthMethod): TerminalLogin | null {
  const { name: title } = method;
  if ('type' in method && method.type === 'terminal') return { title, of: 'agent', args: method.args ?? [] };
  const named = older.safeParse(method._meta);
  return named.success ? { title, of: 'program', args: named.data['terminal-auth'].args } : null;
}

/** The number of logins of all agents so far. */
let runs = 0;

export class Login {
  readonly #parts: LoginParts;
  #terminal: LoginTerminal | null = null;
  #title = '';
  /** The number of the login whose terminal is open or about to open; zero if there is none. */
  #run = 0;
  #problem: string | null = null;

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  /** The terminal as the panel shows it; null if none is open. */
  get view(): TerminalView | null {
    if (this.#terminal === null) return null;
    return {
      agent: this.#parts.agent,
      title: this.#title,
      run: this.#run,
      ...this.#terminal.view,
      problem: this.#problem,
    };
  }

  /**
   * Runs a method in a new terminal. Resolves with true if the login succeeded. Resolves with false if it failed, if the terminal was
   * closed, or if another login replaced it.
   * @throws WorkbenchError if no terminal can be created: `unsupported` on Windows, where SBCL has no terminals.
   */
  async run(
    { title, of, args }: TerminalLogin,
    size: TerminalSize,
    platform: NodeJS.Platform = process.platform,
  ): Promise<boolean> {
    if (platform === 'win32')
      throw new WorkbenchError(
        'unsupported',
        'Logging in here is not supported on Windows yet. Log in with the program in your own terminal, then choose “I have logged in”.',
      );
    const closed = this.close();
    const run = (this.#run = runs += 1);
    await closed;
    const { launch, maker, changed } = this.#parts;
    const made = await maker();
    if (this.#run !== run) return false;
    const usual = launch[of];
    const terminal = new LoginTerminal(made, { ...usual, args: [...usual.args, ...args] }, size);
    this.#terminal = terminal;
    this.#title = title;
    this.#problem = null;
    terminal.events.on('changed', changed);
    changed();
    const failure = await terminal.ended;
    if (this.#run !== run) return false;
    if (failure === null) this.#terminal = null;
    else
      this.#problem = `The login failed: its program ended with ${failure}. Read its output above, then run it again.`;
    changed();
    return failure === null;
  }

  type(text: string): void {
    this.#open().type(text);
  }

  resize(size: TerminalSize): void {
    this.#terminal?.resize(size);
  }

  /** Closes the terminal, even one that is about to open, and ends its login. */
  async close(): Promise<void> {
    const terminal = this.#terminal;
    this.#terminal = null;
    this.#run = 0;
    this.#parts.changed();
    await terminal?.close();
  }

  #open(): LoginTerminal {
    if (this.#terminal) return this.#terminal;
    throw new WorkbenchError('not-found', 'This terminal is closed.');
  }
}
