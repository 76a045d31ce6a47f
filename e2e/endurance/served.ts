/** The program under test: `serve` from its sources, at a terminal of its own at which requests are answered. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { INERT_MS } from '#contract/decisions/decision.ts';
import type { Place } from './place.ts';

const CLI = path.resolve(import.meta.dirname, '../../main/cli.ts');
/** The last words of a request at the terminal. */
const PROMPT = /Approve( the edited text)?\? .*: $/;

export interface Served {
  readonly pid: number;
  /** The address of MCP. */
  readonly mcp: string;
  readonly lisply: string;
  readonly token: string;
  /** The address of the inspector; null where none was asked for. */
  readonly inspector: string | null;
  /** Resolves when the program has ended and nothing holds its terminal any longer. */
  readonly ended: Promise<void>;
  readonly hasEnded: () => boolean;
  /** All that was written at its terminal, standard output and standard error alike. */
  readonly said: () => string;
  /** Requests that were answered at the terminal. */
  readonly answered: () => number;
  readonly signal: (signal: NodeJS.Signals) => void;
}

export interface ServeOptions {
  readonly inspect?: boolean;
  /** Further options of the command. */
  readonly options?: readonly string[];
  /** Returns what is typed for a request, from the text of its card; the word of the prompt is added to a yes. */
  readonly decide?: (card: string) => string;
}

/** Characters of what the program wrote that are kept: it is there to be told when something is wrong. */
const KEPT = 200_000;

/** Starts the program and waits until it is ready. It is killed with `scope`. @throws Error with what it said when it ends before. */
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
    // An answer counts only once a person could have read the request.
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
  child.stdin.on('error', () => {}); // a program that was killed reads no more
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  void ended.then(() => {
    over = true;
    started.reject(new Error(`serve ended before it was ready: ${said}`));
  });
  const killed = (): void => void (over || kill(child.pid!, 'SIGKILL')); // its terminal takes the program along
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
      if (signal === 'SIGCONT') kill(child.pid!, signal); // the terminal stops with its program, and does not go on by itself
    },
  };
}

/** Starts the words of a command that the client itself starts: `mcp` with an image of its own. */
export function mcpCommand({ project }: Place): { readonly command: string; readonly args: string[] } {
  return { command: process.execPath, args: [CLI, 'mcp', '--headless', '--project', project, '--effects', 'allow'] };
}

/** Sends a signal; false when there is no such process any longer. */
export function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
