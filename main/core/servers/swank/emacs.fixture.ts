/** A real Emacs in batch mode with SLIME, for tests. Each call evaluates a form in Emacs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const SLIME = '/usr/share/emacs/site-lisp/elpa-src';

export interface Emacs {
  /** Evaluates a form of Emacs Lisp, and resolves with its printed value. Rejects with an Error that has Emacs's message. */
  evaluate(form: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts Emacs with this home folder, in which SLIME looks for its secret. */
export function startEmacs(home: string): Emacs {
  const version = readdirSync(SLIME).find((name) => name.startsWith('slime-'));
  if (version === undefined) throw new Error(`There is no SLIME in ${SLIME}.`);
  const slime = path.join(SLIME, version);
  const paths = [slime, path.join(slime, 'contrib')].flatMap((folder) => ['-L', folder]);
  const driver = path.join(import.meta.dirname, 'emacs.fixture.el');
  const child = spawn('emacs', ['-Q', '--batch', ...paths, '-l', driver], {
    env: { ...process.env, HOME: home, LC_ALL: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4000)));
  const ended = once(child, 'exit').then(() => {});
  const lines = createInterface({ input: child.stdout });
  const answers: string[] = [];
  let heard = (): void => {};
  lines.on('line', (line) => {
    if (!/^\(:(?:ok|error) /.test(line)) return;
    answers.push(line);
    heard();
  });
  return {
    async evaluate(form) {
      child.stdin.write(`${form.replaceAll('\n', ' ')}\n`);
      const gone = ended.then(() => {
        throw new Error(`Emacs ended: ${said}`);
      });
      const answer = await Promise.race([
        gone,
        new Promise<string>((resolve) => {
          heard = () => answers.length > 0 && resolve(answers.shift()!);
          heard();
        }),
      ]);
      if (answer.startsWith('(:error ')) throw new Error(`Emacs says: ${answer.slice(8, -1)}\n${said}`);
      return answer.slice('(:ok '.length, -1);
    },
    async close() {
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
}
