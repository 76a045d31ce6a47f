/** The command `repl` for tests, as users start it: on pipes, or at its own terminal. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { builtCommand } from '#core/built-command.fixture.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';

const CLI = builtCommand();

export interface ReplProcess {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
  /** Returns true while the process is running. */
  readonly goesOn: () => boolean;
  /** Writes to the process's input. */
  readonly say: (text: string) => void;
  /** Writes a line, and resolves with the output up to the next prompt. */
  readonly ask: (line: string, prompt?: RegExp) => Promise<string>;
  /** Resolves with the output that starts at offset `from`, once that output matches. */
  readonly until: (what: RegExp, from?: number) => Promise<string>;
}

const PROMPT = /(?:^|\n)(?:\* |(?:\[\d+\] )?0\] )$/;

export interface ReplHome {
  readonly folder: string;
  readonly home: string;
  /** Starts the command on pipes. */
  readonly pipe: (args?: readonly string[], environment?: NodeJS.ProcessEnv) => ReplProcess;
  /** Starts the command at a terminal of 24 rows and 60 columns, using the program `script`. */
  readonly terminal: (args?: readonly string[], environment?: NodeJS.ProcessEnv) => ReplProcess;
  /** Returns the lines of the process's audit. */
  readonly audit: () => Record<string, unknown>[];
  readonly close: () => void;
}

export function makeReplHome(): ReplHome {
  const folder = mkdtempSync(path.join(tmpdir(), 'repl-'));
  const home = path.join(folder, 'home');
  const project = path.join(folder, 'project');
  for (const each of [home, project]) mkdirSync(each);
  symlinkSync(TEST_CACHE, path.join(home, 'cache')); // uses the core that was built once for all tests
  const children: ChildProcess[] = [];
  const start = (program: string, args: readonly string[], environment: NodeJS.ProcessEnv): ReplProcess => {
    // Removes the test run's setting that may turn colours off, because tests set it themselves.
    const { NO_COLOR: _others, ...inherited } = process.env;
    const env = { ...inherited, LISP_WORKBENCH_HOME: home, INIT_CWD: project, ...environment };
    const started = driven(spawn(program, args, { env, cwd: project }));
    children.push(started.child);
    return started;
  };
  return {
    folder,
    home,
    pipe: (args = [], environment = {}) => start(process.execPath, [CLI, 'repl', ...args], environment),
    terminal: (args = [], environment = {}) => {
      const words = [process.execPath, CLI, 'repl', ...args].map((word) => `"${word}"`).join(' ');
      const command = `stty rows 24 columns 60; exec ${words}`;
      return start('script', ['-qefc', command, '/dev/null'], { TERM: 'xterm', SHELL: '/bin/sh', ...environment });
    },
    audit: () =>
      readdirSync(path.join(home, 'state', 'audit')).flatMap((file) =>
        readFileSync(path.join(home, 'state', 'audit', file), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => (JSON.parse(line) as { event: Record<string, unknown> }).event),
      ),
    close: () => {
      for (const child of children) child.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

function driven(child: ChildProcess): ReplProcess {
  let out = '';
  let err = '';
  child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin!.on('error', () => {}); // the process may end before it has read everything
  const until = async (what: RegExp, from = 0): Promise<string> => {
    await expect.poll(() => out.slice(from), { timeout: 60_000, interval: 20 }).toMatch(what);
    return out.slice(from);
  };
  const say = (text: string): void => void child.stdin!.write(text);
  return {
    child,
    out: () => out,
    err: () => err,
    ended: new Promise((resolve) => child.on('close', resolve)),
    goesOn: () => child.exitCode === null && child.signalCode === null,
    say,
    ask: async (line, prompt = PROMPT) => {
      const from = out.length;
      say(`${line}\n`);
      return until(prompt, from);
    },
    until,
  };
}
