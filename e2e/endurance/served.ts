/** The program under test: `serve`, run from its sources. It has its own terminal, in which approval requests are answered. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { INERT_MS } from '#contract/decisions/decision.ts';
import type { Place } from './place.ts';

const CLI = path.resolve(import.meta.dirname, '../../main/cli.ts');
/** The last line of an approval request in the terminal. */
const PROMPT = /Approve( the edited text)?\? .*: $/;

export interface Served {
  readonly pid: number;
  /** The address of MCP. */
  readonly mcp: string;
  readonly lisply: string;
  readonly token: string;
  /** The address of the inspector; null if none was requested. */
  readonly inspector: string | null;
  /** Resolves when the program has ended and no process has its terminal open any more. */
  readonly ended: Promise<void>;
  readonly hasEnded: () => boolean;
  /** Returns all output in the program's terminal: both standard output and standard error. */
  readonly said: () => string;
  /** Returns the number of approval requests that were answered in the terminal. */
  readonly answered: () => number;
  readonly signal: (signal: NodeJS.Signals) => void;
}

export interface ServeOptions {
  readonly inspect?: boolean;
  /** Additional options for the command `serve`. */
  readonly options?: readonly string[];
  /**
   * Returns the answer to type for a request, based on the text of its card. If the answer is yes, the word that the prompt requires is
   * appended.
   */
  readonly decide?: (card: string) => string;
}

/** The number of characters at the end of the program's output that are stored, so that they can be reported if a check fails. */
const KEPT = 200_000;

/**
 * Starts the program and waits until it is ready. The program is killed with `scope`. @throws Error with the program's output if the
 * program ends before it is ready.
 */
export async function startServe(
  scope: AsyncDisposableStack,
  { project, environment }: Place,
  { inspect = false, options = [], decide = () => 'n nobody answers' }: ServeOptions = {},
): Promise<Served> {
  const node = [process.execPath, ...(inspect ? ['--inspect=127.0.0.1:0'] : []), CLI];
  const words = [...node, 'serve', '--port', '0', '--approve', 'terminal', '--project', project, ...options];
  const command = words.map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qefc', `exec ${command}`, '/dev/null'], { cwd: project, env: environment });
  let said = '';
  let card = '';
  let answered = 0;
  let over = false;
  const started = Promise.withResolvers<Record<string, unknown>>();
  const answer = (): void => {
    const [shown, prompt] = [card, card.trimEnd().split('\n').at(-1)!];
    card = '';
    // Answers with a delay, because an answer counts only after the time that a person would need to read the request.
    setTimeout(() => {
      const word = /y\(es\)( \w+)?,[^\n]*: ?$/.exec(prompt)?.[1] ?? '';
      answered += 1;
      child.stdin.write(`${decide(shown).replace(/^y(?=\s|$)/, `y${word}`)}\n`);
    }, INERT_MS + 100);
  };
  const take = (text: string): void => {
    said = (said + text).slice(-KEPT);
    card = (card + text).slice(-KEPT);
    const ready = /^\{"ready":true.*\}/m.exec(said)?.[0];
    if (ready) started.resolve(JSON.parse(ready) as Record<string, unknown>);
    if (PROMPT.test(card)) answer();
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  child.stdin.on('error', () => {}); // ignores the error of writing to a program that was killed
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  void ended.then(() => {
    over = true;
    started.reject(new Error(`serve ended before it was ready: ${said}`));
  });
  const killed = (): void => void (over || kill(child.pid!, 'SIGKILL')); // also kills the program in the terminal
  process.once('exit', killed);
  scope.defer(async () => {
    process.off('exit', killed);
    if (over) return;
    const pid = await started.promise.then(
      (line) => Number(line['pid']),
      () => child.pid!,
    );
    kill(pid, 'SIGKILL');
    await ended;
  });
  const { mcp, lisply, token, pid } = (await started.promise) as {
    mcp: string;
    lisply: string;
    token: string;
    pid: number;
  };
  return {
    pid,
    mcp,
    lisply,
    token,
    inspector: /ws:\/\/\S+/.exec(said)?.[0] ?? null,
    ended,
    hasEnded: () => over,
    said: () => said,
    answered: () => answered,
    signal: (signal) => {
      kill(pid, signal);
      if (signal === 'SIGCONT') kill(child.pid!, signal); // the terminal is stopped with its program, and must be continued separately
    },
  };
}

/** Returns the command with which a client starts `mcp` with its own image. */
export function mcpCommand({ project }: Place): { readonly command: string; readonly args: string[] } {
  return { command: process.execPath, args: [CLI, 'mcp', '--headless', '--project', project, '--effects', 'allow'] };
}

/** Sends a signal. Returns false if the process no longer exists. */
export function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
