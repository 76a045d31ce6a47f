import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runs } from '#core/lisp/process.ts';
import { findSbcl } from '#core/lisp/start/sbcl.ts';
import { findSources } from '#core/lisp/start/sources.ts';
import { Login } from './login.ts';
import type { ProcessLaunch } from '../process/agent-process.ts';
import type { TerminalMaker } from './login-terminal.ts';

const SIZE = { columns: 80, rows: 20 };
const SHELL: ProcessLaunch = { command: '/bin/sh', args: ['-c'], directory: '/tmp', environment: process.env };
/** A script that writes its process id, and then continues to run without its terminal. */
const STUBBORN = 'trap "" HUP INT TERM; echo "pid $$ of $PPID"; while :; do sleep 1; done';

const maker = async (): Promise<TerminalMaker> => ({
  sbcl: await findSbcl(null),
  sources: findSources(import.meta.dirname),
});

interface TestLogin {
  readonly login: Login;
  /** Runs a line of shell code as the login program. */
  run(line: string): Promise<boolean>;
  output(): string;
  /** Waits until the output matches, and resolves with the match. */
  says(words: RegExp): Promise<RegExpExecArray>;
}

const opened: Login[] = [];

function openLogin(made = maker, launch = SHELL): TestLogin {
  const waiting = new Set<() => void>();
  const login = new Login({
    agent: 'a',
    launch: { agent: launch, program: launch },
    maker: made,
    changed: () => {
      for (const look of waiting) look();
    },
  });
  opened.push(login);
  const output = (): string => login.view?.text ?? '';
  return {
    login,
    output,
    run: (line) => login.run({ title: 'Log in', of: 'agent', args: [line] }, SIZE),
    says: (words) =>
      new Promise((resolve) => {
        const look = (): void => {
          const match = words.exec(output());
          if (!match) return;
          waiting.delete(look);
          resolve(match);
        };
        waiting.add(look);
        look();
      }),
  };
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((login) => login.close()));
});

describe('A login at a terminal', () => {
  it('Of two that are run at once only the later one has a program [issue 33.2]', async () => {
    const { login, run, says } = openLogin();
    const both = [run('echo first $$; read word'), run('echo second $$; read word')];
    const pid = Number((await says(/second (\d+)/))[1]);
    expect(await both[0]).toBe(false);
    await login.close();
    expect([await both[1], login.view, runs(pid)]).toEqual([false, null, false]);
  });

  it('Is not started if its agent ends before a terminal can be made [issue 33.2]', async () => {
    const asked = Promise.withResolvers<void>();
    const found = Promise.withResolvers<TerminalMaker>();
    const { login, run } = openLogin(() => {
      asked.resolve();
      return found.promise;
    });
    const ran = run('read word');
    await asked.promise;
    await login.close();
    found.resolve(await maker());
    expect([await ran, login.view]).toEqual([false, null]);
  });

  it('Has a program that reads its terminal by name, and that Ctrl+C interrupts [issue 33.2]', async () => {
    const { login, run, says } = openLogin();
    const ran = run('trap "echo interrupted; exit 0" INT; echo "by name" >/dev/tty; read word');
    await says(/by name/);
    login.type('\u0003');
    expect(await ran).toBe(true);
  });

  it.each([
    ['kill -TERM $$', /its program ended with the signal SIGTERM\. Read its output above/],
    ['exit 3', /its program ended with exit code 3\. Read its output above/],
  ])('That fails by “%s” says how [issue 33.2]', async (line, problem) => {
    const { login, run } = openLogin();
    expect(await run(line)).toBe(false);
    expect(login.view).toMatchObject({ state: 'ended', problem: expect.stringMatching(problem) });
  });

  it('Whose program cannot be run says so in one line [issue 33.2]', async () => {
    const { run, output } = openLogin(maker, { ...SHELL, command: '/nowhere/program' });
    expect(await run('exit')).toBe(false);
    expect(output()).toMatch(/^[^\n]*"\/nowhere\/program"[^\n]*\n$/);
  });

  it('On Windows is refused with what to do instead, before SBCL is looked for [issue 33.2]', async () => {
    const { login } = openLogin(() => Promise.reject(new Error('looked for')));
    await expect(login.run({ title: 'Log in', of: 'agent', args: [] }, SIZE, 'win32')).rejects.toThrow(
      /^Logging in here is not supported on Windows yet\. Log in with the program in your own terminal, then choose “I have logged in”\.$/,
    );
  });

  it('Does not wait for a process that its program leaves behind [issue 33.2]', async () => {
    const { run } = openLogin();
    expect(await run('trap "" HUP; sleep 3600 &')).toBe(true);
  });

  it('Whose terminal is closed ends a program that ignores this [issue 33.2]', async () => {
    const { login, run, says } = openLogin();
    const ran = run(STUBBORN);
    const pid = Number((await says(/pid (\d+)/))[1]);
    await login.close();
    expect(await ran).toBe(false);
    await expect.poll(() => runs(pid)).toBe(false);
  });

  it('Ends with its program if the process that makes the terminal is killed [issue 33.2]', async () => {
    const { login, run, says } = openLogin();
    const ran = run(STUBBORN);
    const [, pid, maker] = (await says(/pid (\d+) of (\d+)/)).map(Number);
    process.kill(maker!, 'SIGKILL');
    expect(await ran).toBe(false);
    expect(login.view!.problem).toMatch(/the signal SIGKILL/);
    await expect.poll(() => runs(pid!)).toBe(false);
  });

  it('Ends if the workbench is gone, so that nobody types any more [issue 33.2]', async () => {
    const { sbcl, sources } = await maker();
    const script = path.join(sources, 'terminal', 'pty.lisp');
    const child = spawn(sbcl.path, ['--script', script, '--', '80', '20', '/bin/sh', '-c', STUBBORN], {
      detached: true,
    });
    const pid = await new Promise<number>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const told = /pid (\d+)/.exec(text);
        if (told) resolve(Number(told[1]));
      });
    });
    child.stdin.end();
    await new Promise((resolve) => child.once('close', resolve));
    await expect.poll(() => runs(pid)).toBe(false);
  });
});
