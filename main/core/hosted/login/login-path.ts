/** The path of the person's login shell: what a terminal would have, as their own shell's files set it. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { inheritable } from '#core/lisp/start/environment.ts';

/** Milliseconds that a shell has: files of some ask the network, or a person. */
const SHELL_MS = 10_000;
const MOST_SAID = 1024 * 1024;

const asked = new Map<string, Promise<string>>();

/** Resolves with the path; empty where there is no such shell, or where it does not tell. Each shell is asked once. */
export async function loginPath(environment: NodeJS.ProcessEnv): Promise<string> {
  const shell = environment['SHELL'] ?? '';
  if (process.platform === 'win32' || !path.isAbsolute(shell)) return '';
  const home = environment['HOME'] ?? homedir();
  const key = JSON.stringify([shell, home]);
  const known = asked.get(key) ?? askShell(shell, home, environment);
  asked.set(key, known);
  return known;
}

/** The shell is asked in the person's home: of the folder of a project some shells would run files. */
function askShell(shell: string, home: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const mark = randomUUID();
  return new Promise((resolve) => {
    // Interactive as well, since version managers of Node put their line into the files of interactive shells. `env` tells the path alike in all shells.
    const child = spawn(shell, ['-ilc', `echo ${mark}; /usr/bin/env; echo ${mark}`], {
      cwd: home,
      env: inheritable(environment),
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true, // without a terminal, which an interactive shell would take
    });
    let said = '';
    const end = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // it has just ended
      }
    };
    const timer = setTimeout(end, SHELL_MS);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, MOST_SAID);
      if (said.split(mark).length > 2) end(); // what it does after that is not awaited
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
