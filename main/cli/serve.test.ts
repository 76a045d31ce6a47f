import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INERT_MS } from '#core/approvals/entry.ts';

const CLI = path.resolve(import.meta.dirname, '..', 'cli.ts');

let folder: string;
let child: ChildProcess | null;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'serve-'));
  child = null;
});

afterEach(async () => {
  child?.kill();
  await new Promise((resolve) => setTimeout(resolve, 50));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

interface Run {
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
  readonly say: (text: string) => void;
  /** The line that serve prints when it is ready. */
  readonly ready: () => Promise<{ mcp: string; lisply: string; token: string }>;
}

function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Run {
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

const serve = (...args: string[]): Run => run(process.execPath, [CLI, 'serve', ...args]);

describe('serve', () => {
  it('ends with exit code 0 at SIGTERM while an evaluation runs, and prints nothing but its ready line', async () => {
    const { ready, ended, out } = serve('--port', '0');
    const { lisply, token } = await ready();
    const evaluation = fetch(`${lisply}/lisp-eval`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ code: '(loop)' }),
    }).then((response) => response.text());
    evaluation.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    child!.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(out().trim().split('\n')).toEqual([expect.stringMatching(/^\{"ready":true/)]);
  });

  it('G7 --sandbox without bubblewrap says so, and no image is started in its place', async () => {
    const { ready, err } = run(process.execPath, [CLI, 'serve', '--port', '0', '--sandbox'], { PATH: folder });
    const { lisply, token } = await ready();
    expect(err()).toContain('there is no network, and only the project folder can be written');
    const answer = await fetch(`${lisply}/lisp-eval`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ code: '(+ 1 2)' }),
    });
    expect(await answer.text()).toMatch(/is to run in a sandbox, but .*It was not started without/);
  });

  it('G7 --sandbox leaves nothing running behind the wall when the program is killed', async () => {
    const { ready, ended } = serve('--port', '0', '--sandbox');
    const { lisply, token } = await ready();
    const ask = (code: string): Promise<string> =>
      fetch(`${lisply}/lisp-eval`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ code }),
      }).then((response) => response.text());
    expect(await ask('(+ 1 2)')).toMatch(/"result":"3"|was not started without/);
    const endless = ask('(loop)').catch(() => null);
    child!.kill('SIGKILL');
    await ended;
    await endless;
    const left = (): string[] =>
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
        .split('\n')
        .filter((line) => line.includes(path.join(folder, 'home')));
    await expect.poll(left).toEqual([]);
  });

  it('ends with exit code 2 and one line when its port is taken', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const { ended, err } = serve('--port', String(port));
    expect({ code: await ended, said: err() }).toEqual({
      code: 2,
      said: expect.stringMatching(
        new RegExp(`^lisp-workbench: Port ${port} is taken by .+ \\(pid ${process.pid}\\)\\.\n$`),
      ),
    });
    blocker.close();
  });

  it('ends with exit code 2 and one line when its home cannot be made', async () => {
    writeFileSync(path.join(folder, 'home'), '');
    const { ended, err } = serve('--port', '0');
    expect({ code: await ended, said: err().trim().split('\n') }).toEqual({
      code: 2,
      said: [expect.stringContaining('LISP_WORKBENCH_HOME names another place')],
    });
  });
});

describe('K1 serve and the world outside', () => {
  it('connects to nobody: no address is looked up and no connection made, from its start to its end', async () => {
    const log = path.join(folder, 'outward');
    const spy = path.join(folder, 'spy.mjs');
    writeFileSync(
      spy,
      `import dns from 'node:dns';
       import { appendFileSync } from 'node:fs';
       import { Socket } from 'node:net';
       import { syncBuiltinESMExports } from 'node:module';
       const note = (what) => appendFileSync(${JSON.stringify(log)}, what + '\\n');
       const { connect } = Socket.prototype;
       Socket.prototype.connect = function (...args) { note('connect ' + JSON.stringify(args)); return connect.apply(this, args); };
       const { lookup } = dns;
       dns.lookup = (...args) => { note('lookup ' + args[0]); return lookup(...args); };
       const { fetch } = globalThis;
       globalThis.fetch = (...args) => { note('fetch ' + String(args[0])); return fetch(...args); };
       syncBuiltinESMExports();
       appendFileSync(${JSON.stringify(log)}, 'started\\n');`,
    );
    const { ready, ended } = run(process.execPath, ['--import', spy, CLI, 'serve', '--port', '0']);
    const { lisply, token } = await ready();
    const answer = await fetch(`${lisply}/lisp-eval`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ code: '(defun f () (error "x")) (ignore-errors (f)) (+ 1 2)' }),
    });
    expect(await answer.json()).toMatchObject({ success: true, result: '3' });
    child!.kill('SIGTERM');
    expect(await ended).toBe(0);
    // The one address is its own, on which it listens.
    expect(new Set(readFileSync(log, 'utf8').trim().split('\n'))).toEqual(new Set(['started', 'lookup 127.0.0.1']));
  });

  it('listens on loopback alone', async () => {
    const { ready } = serve('--port', '0');
    const port = Number(new URL((await ready()).mcp).port);
    const others = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    for (const address of ['127.0.0.2', ...others]) {
      const socket = connect(port, address);
      await expect(once(socket, 'connect')).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL|EHOSTUNREACH/);
    }
  });
});

/** `script` gives a command a terminal of its own. */
describe.skipIf(process.platform !== 'linux')('serve --approve terminal', () => {
  const PROMPT = /Approve\? .*: $/;

  interface AtTerminal extends Run {
    readonly call: (name: string, args: Record<string, unknown>) => Promise<string>;
    readonly write: (name: string) => Promise<string>;
  }

  async function atTerminal(editor = 'false'): Promise<AtTerminal> {
    const command = `"${process.execPath}" "${CLI}" serve --port 0 --approve terminal --project "${folder}"`;
    const terminal = run('script', ['-qefc', command, '/dev/null'], { EDITOR: editor, VISUAL: '', SHELL: '/bin/sh' });
    const { lisply, token } = await terminal.ready();
    const call = async (tool: string, args: Record<string, unknown>): Promise<string> => {
      const response = await fetch(new URL('/mcp', lisply), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': tool,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: tool,
            arguments: args,
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
      const message = /^data: (\{.*)$/m.exec(await response.text())![1]!;
      const { result } = JSON.parse(message) as { result: { content: { text: string }[] } };
      return result.content[0]!.text;
    };
    return { ...terminal, call, write: (name) => call('write-file', { path: name, content: '(a)\n' }) };
  }

  async function answer({ out, say }: Run, text: string): Promise<void> {
    await expect.poll(out, { timeout: 60_000 }).toMatch(PROMPT);
    await new Promise((resolve) => setTimeout(resolve, INERT_MS + 100));
    say(text);
  }

  it('X10 X11 approves with y and denies with n and a reason, but not what was typed too soon', async () => {
    const terminal = await atTerminal();
    const first = terminal.write('yes.lisp');
    await expect.poll(terminal.out).toMatch(PROMPT);
    terminal.say('n typed before it could be read\n');
    await answer(terminal, 'y\n');
    expect(await first).toBe('Wrote 4 bytes to yes.lisp.');
    const second = terminal.write('no.lisp');
    await answer(terminal, 'n not today\n');
    expect(await second).toBe('User denied tool execution: not today');
  });

  it('X12 edits with e in an editor that has arguments, and serves others meanwhile', async () => {
    const editor = path.join(folder, 'editor.sh');
    const served = path.join(folder, 'served');
    const script = `#!/bin/sh\nuntil [ -e "${served}" ]; do sleep 0.1; done\necho "(edited)" > "$2"\n`;
    writeFileSync(editor, script, { mode: 0o755 });
    const terminal = await atTerminal(`${editor} --wait`);
    const { lisply, token } = await terminal.ready();
    const reply = terminal.write('edited.lisp');
    await answer(terminal, 'e\n');
    const ping = await fetch(`${lisply}/ping-lisp`, { headers: { authorization: `Bearer ${token}` } });
    expect(await ping.text()).toBe('pong');
    writeFileSync(served, ''); // only now does the editor end
    expect(await reply).toContain('The person edited this before approving it.');
    expect(readFileSync(path.join(folder, 'edited.lisp'), 'utf8')).toBe('(edited)\n');
  });

  it('D13 takes the hunks whose numbers are typed', async () => {
    const forms = ['a', 'b', 'c'].map((name) => `(defun ${name} ()\n  1)\n`);
    const original = forms.join('\n');
    writeFileSync(path.join(folder, 'three.lisp'), original);
    const terminal = await atTerminal();
    const reply = terminal.call('propose-file-edit', {
      path: 'three.lisp',
      original,
      modified: original.replaceAll('1)', '2)'),
      description: 'All of them.',
    });
    await answer(terminal, 'h 1,3\n');
    expect(await reply).toContain('the person took 2 of 3 hunks');
    expect(readFileSync(path.join(folder, 'three.lisp'), 'utf8')).toBe(
      [forms[0]!.replace('1)', '2)'), forms[1], forms[2]!.replace('1)', '2)')].join('\n'),
    );
  });

  it('G3 lets an effect go on, redirects, denies and aborts it', async () => {
    const terminal = await atTerminal();
    expect(await terminal.call('evaluate-lisp', { code: '(+ 1 1)' })).toContain('=> 2'); // its core is built first
    const write = (name: string): string =>
      `(with-open-file (s "${path.join(folder, name)}" :direction :output) (write-string "x" s) :done)`;
    const evaluate = (name: string): Promise<string> => terminal.call('evaluate-lisp', { code: write(name) });
    const first = evaluate('asked.txt');
    await answer(terminal, 'p other.txt\n');
    expect(await first).toContain('=> :DONE');
    expect(readFileSync(path.join(folder, 'other.txt'), 'utf8')).toBe('x');
    const second = evaluate('asked.txt');
    await answer(terminal, 'n not there\n');
    expect(await second).toMatch(/EFFECT-DENIED[^]*not there/);
    const third = evaluate('asked.txt');
    await answer(terminal, 'a enough\n');
    expect(await third).toMatch(/^\[ERROR\]/);
    const fourth = evaluate('asked.txt');
    await answer(terminal, 'y\n');
    expect(await fourth).toContain('=> :DONE');
    expect(readFileSync(path.join(folder, 'asked.txt'), 'utf8')).toBe('x');
  }, 120_000);

  it('says that an editor failed, and asks again', async () => {
    const terminal = await atTerminal('no-such-editor');
    const reply = terminal.write('x.lisp');
    await answer(terminal, 'e\n');
    await expect.poll(terminal.out).toContain('The editor failed');
    await answer(terminal, 'n\n');
    expect(await reply).toBe('User denied tool execution: No reason was given.');
  });

  it('decision 18 denies when the terminal ends', async () => {
    const terminal = await atTerminal();
    const reply = terminal.write('x.lisp');
    await answer(terminal, '\u0004');
    expect(await reply).toBe('User denied tool execution: The terminal was closed.');
    expect(await terminal.write('y.lisp')).toMatch(/Nobody can approve here/);
  });
});
