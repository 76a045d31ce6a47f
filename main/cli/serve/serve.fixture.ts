/** The command `serve` for tests, as users start it, with a home and a folder for each test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { builtCommand } from '#core/built-command.fixture.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';

export const CLI = builtCommand();

export let folder: string;
export let child: ChildProcess | null;

/**
 * Gives each test of a test file a home and a folder, and ends the test's program afterwards. Each test file must call this function,
 * because the module is shared.
 */
export function arrangeServe(): void {
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'serve-'));
    mkdirSync(path.join(folder, 'home'));
    symlinkSync(TEST_CACHE, path.join(folder, 'home', 'cache')); // uses the core that was built once for all tests
    child = null;
  });
  afterEach(async () => {
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}

export interface Run {
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
  readonly say: (text: string) => void;
  /** Resolves with the line that `serve` prints when it is ready. */
  readonly ready: () => Promise<{ mcp: string; lisply: string; token: string }>;
}

export function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Run {
  const env = { ...process.env, LISP_WORKBENCH_HOME: path.join(folder, 'home'), ...environment };
  const started = (child = spawn(program, args, { env, cwd: folder }));
  let out = '';
  let err = '';
  started.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  started.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return {
    out: () => out,
    err: () => err,
    ended: new Promise((resolve) => started.on('close', resolve)),
    say: (text) => void started.stdin.write(text),
    ready: async () => {
      const line = (): string | undefined => /^\{"ready":true.*\}/m.exec(out)?.[0];
      await expect.poll(line, { timeout: 60_000 }).toBeDefined();
      return JSON.parse(line()!) as Awaited<ReturnType<Run['ready']>>;
    },
  };
}

export const serve = (...args: string[]): Run => run(process.execPath, [CLI, 'serve', ...args]);
