import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtCommand } from '#core/built-command.fixture.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { startEmacs, type Emacs } from '#core/servers/swank/emacs.fixture.ts';

const CLI = builtCommand();
const CACHE = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');

let folder: string;
let home: string;
let server: ChildProcess;
let ready: { swank: string; lisply: string; token: string };
let emacs: Emacs;

/** Starts `serve`. Resolves with its ready line; if it ends before that, with its exit code and its output. */
function serve(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: {
      ...process.env,
      HOME: home,
      XDG_CACHE_HOME: CACHE,
      LISP_WORKBENCH_HOME: path.join(folder, 'kept'),
      ...environment,
    },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const line = new Promise<typeof ready>((resolve) => {
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const found = /^\{"ready":true.*\}/m.exec(out);
      if (found) resolve(JSON.parse(found[0]) as typeof ready);
    });
  });
  const ended = once(child, 'exit').then(([code]) => ({ code: code as number | null, said }));
  return { child, line, ended };
}

async function lisply(code: string): Promise<string> {
  const response = await fetch(`${ready.lisply}/lisp-eval`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ready.token}` },
    body: JSON.stringify({ code }),
  });
  const { result, error } = (await response.json()) as { result?: string; error?: string };
  return result ?? error ?? '';
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'serve-'));
  home = path.join(folder, 'home');
  mkdirSync(home);
  mkdirSync(path.join(folder, 'kept'));
  symlinkSync(TEST_CACHE, path.join(folder, 'kept', 'cache'));
  writeFileSync(path.join(home, '.slime-secret'), 'a secret of SLIME\n', { mode: 0o600 });
  const started = serve([], { START_SWANK: 'true', LISPLY_SWANK_PORT: '0', SWANK_PORT: '1' });
  server = started.child;
  const first = await Promise.race([started.line, started.ended]);
  if (!('swank' in first)) throw new Error(JSON.stringify(first));
  ready = first;
  emacs = startEmacs(home);
  await emacs.evaluate(`(connect-slime ${ready.swank.split(':')[1]})`);
}, 300_000);

afterAll(async () => {
  await emacs.close();
  server.kill();
  await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

it('Emacs connects with the secret of its home, and evaluates in the image that Lisply serves [L15, L16, L32]', async () => {
  expect(ready.swank).toMatch(/^127\.0\.0\.1:\d+$/);
  expect(await emacs.evaluate('(repl "(defvar *from-emacs* (list 1 2))")')).toContain('*FROM-EMACS*');
  expect(await lisply('*from-emacs*')).toBe('(1 2)');
  await lisply('(defun of-client () :of-client)');
  expect(await emacs.evaluate('(repl "(of-client)")')).toContain(':OF-CLIENT');
});

it('In a file of Emacs C-c C-c, C-x C-e and M-. work as in any SLIME', async () => {
  const file = path.join(folder, 'shop.lisp');
  const text = ";; a shop\n\n(defun total (prices)\n  (reduce #'+ prices))\n\n(total (list 1 2 3))\n";
  await emacs.evaluate(`(visit ${JSON.stringify(file)} ${JSON.stringify(text)})`);
  await emacs.evaluate('(go-behind "(reduce")');
  expect(await emacs.evaluate('(compile-defun-there)')).toBe('t');
  await emacs.evaluate('(progn (go-behind "(total (list 1 2 3))") (point))');
  expect(await emacs.evaluate('(eval-last-expression-there)')).toContain('=> 6');
  expect(await emacs.evaluate('(progn (switch-to-buffer "*scratch*") (definition-of "total"))')).toBe(
    `(${JSON.stringify(file)} 3)`,
  );
  expect(await lisply('(total (list 4 5))')).toBe('9');
});

it('C-c C-k compiles and loads a file of Emacs', async () => {
  const file = path.join(folder, 'more.lisp');
  await emacs.evaluate(`(visit ${JSON.stringify(file)} "(in-package :cl-user)\\n(defun more (x) (* 2 x))\\n")`);
  expect(await emacs.evaluate('(compile-file-there)')).toBe('t');
  expect(await lisply('(more 21)')).toBe('42');
});

it('An error opens the debugger of SLIME, and leaving it leaves the image well', async () => {
  expect(await emacs.evaluate('(debugged "(error \\"in Emacs\\")")')).toBe('"in Emacs"');
  expect(await lisply('(+ 1 2)')).toBe('3');
});

it('Emacs with another secret is turned away and told nothing', async () => {
  const other = path.join(folder, 'other');
  mkdirSync(other);
  writeFileSync(path.join(other, '.slime-secret'), 'another secret\n', { mode: 0o600 });
  const stranger = startEmacs(other);
  try {
    await expect(
      stranger.evaluate(
        `(progn (slime-net-connect "127.0.0.1" ${ready.swank.split(':')[1]}) (await "the end" (lambda () (not (slime-connected-p)))) (slime-eval '(cl:+ 1 2)))`,
      ),
    ).rejects.toThrow('Not connected');
  } finally {
    await stranger.close();
  }
});

it('Without a secret serve says what to do, and ends [decision 23]', async () => {
  const bare = path.join(folder, 'bare');
  mkdirSync(bare);
  const { ended } = serve(['--swank-port', '0'], { HOME: bare });
  const { code, said } = await ended;
  expect(code).toBe(2);
  expect(said).toContain('SWANK could not be started.');
  expect(said).toContain(path.join(bare, '.slime-secret'));
});

it('SWANK_SECRET takes the place of the file, and is in no line that serve prints', async () => {
  const { child, line, ended } = serve([], {
    START_SWANK: '1',
    SWANK_PORT: '0',
    LISPLY_SWANK_SECRET: 'from the environment',
  });
  const { swank } = await line;
  const own = path.join(folder, 'own');
  mkdirSync(own);
  writeFileSync(path.join(own, '.slime-secret'), 'from the environment\n', { mode: 0o600 });
  const emacsOfIt = startEmacs(own);
  try {
    expect(await emacsOfIt.evaluate(`(connect-slime ${swank.split(':')[1]})`)).toBe('"sbcl"');
  } finally {
    await emacsOfIt.close();
    child.kill();
  }
  const { said } = await ended;
  expect(said).not.toContain('from the environment');
  expect(readFileSync(path.join(home, '.slime-secret'), 'utf8')).toBe('a secret of SLIME\n');
});
