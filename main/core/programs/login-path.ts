/** The search path of the person's login shell, which is the path in their terminals, because the shell's startup files set it. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { inheritable } from '#core/lisp/start/environment.ts';

/** The time limit for a shell in milliseconds. It is needed because some startup files use the network or prompt for input. */
const SHELL_MS = 10_000;
const MOST_SAID = 1024 * 1024;

const asked = new Map<string, Promise<string>>();

/** Resolves with the path; empty if there is no such shell, or if the shell does not report a path. Each shell is run only once. */
export async function loginPath(environment: NodeJS.ProcessEnv): Promise<string> {
  const shell = environment['SHELL'] ?? '';
  if (process.platform === 'win32' || !path.isAbsolute(shell)) return '';
  const home = environment['HOME'] ?? homedir();
  const key = JSON.stringify([shell, home]);
  const known = asked.get(key) ?? askShell(shell, home, environment);
  asked.set(key, known);
  return known;
}

/** Runs a shell to get its path. The shell starts in the person's home, because some shells would run files from a project's folder. */
function askShell(shell: string, home: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const mark = randomUUID();
  return new Promise((resolve) => {
    // The shell is also started as an interactive shell, because Node version managers add their line to the startup files of interactive
    // shells. The output of `env` has the same form in all shells.
    const child = spawn(shell, ['-ilc', `echo ${mark}; /usr/bin/env; echo ${mark}`], {
      cwd: home,
      env: inheritable(environment),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true, // the shell gets no terminal, because an interactive shell would take control of it
    });
    let said = '';
    const end = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // the process has already ended
      }
    };
    const timer = setTimeout(end, SHELL_MS);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, MOST_SAID);
      if (said.split(mark).length > 2) end(); // the rest of the shell's output is not needed
    });
    child.on('error', () => {
      clearTimeout(timer);
      resolve('');
    });
    child.on('close', () => {
      clearTimeout(timer);
      resolve(/^PATH=(.*)$/m.exec(said.split(mark)[1] ?? '')?.[1] ?? '');
    });
  });
}
