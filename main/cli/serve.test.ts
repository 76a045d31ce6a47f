import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect, createServer, type AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { builtCommand } from '#core/built-command.fixture.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';
import { engineSymbol } from '#core/lisp/image.fixture.ts';
import { makeCertificate } from '#core/transports/http/certificate-maker.ts';
import { prepareSandbox } from '#core/lisp/start/sandbox.ts';
import { Middleware } from '#core/transports/lisply/middleware.fixture.ts';
import { canBeTyped } from './terminal/terminal-word.ts';

const CLI = builtCommand();

let folder: string;
let child: ChildProcess | null;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'serve-'));
  mkdirSync(path.join(folder, 'home'));
  symlinkSync(TEST_CACHE, path.join(folder, 'home', 'cache')); // the core is built once for all tests
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
  it('The command serve ends with exit code 0 at SIGTERM while an evaluation runs, and prints nothing but its ready line', async () => {
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

  it('The command serve --sandbox without bubblewrap says so, and starts no image in its place [G7]', async () => {
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

  it('The command serve --sandbox leaves nothing running in the sandbox when the program is killed [G7]', async () => {
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

  it('The command serve ends with exit code 2 and one line when its port is taken', async () => {
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

  it('The command serve ends with exit code 2 and one line when its home cannot be made', async () => {
    rmSync(path.join(folder, 'home'), { recursive: true });
    writeFileSync(path.join(folder, 'home'), '');
    const { ended, err } = serve('--port', '0');
    expect({ code: await ended, said: err().trim().split('\n') }).toEqual({
      code: 2,
      said: [expect.stringContaining('LISP_WORKBENCH_HOME names another place')],
    });
  });
});

describe('serve with HTTPS', () => {
  interface Ready {
    readonly mcp: string;
    readonly lisply: string;
    readonly token: string;
    readonly https: {
      mcp: string;
      lisply: string;
      fingerprint: string;
      certificate: string;
      until: string;
      selfSigned: boolean;
    };
  }

  async function readyOf(run: Run): Promise<Ready> {
    return (await run.ready()) as unknown as Ready;
  }

  /** The answer of a server whose certificate is trusted by its file, as curl --cacert does. */
  async function secure({ https, token }: Ready, route: string, body?: string): Promise<string> {
    const ca = readFileSync(https.certificate);
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
    const options = { ca, agent: false, method: body ? 'POST' : 'GET', headers };
    const sent = request(`${https.lisply}/${route}`, options);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const shown = (response.socket as TLSSocket).getPeerCertificate().fingerprint256;
    expect(shown).toBe(https.fingerprint);
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return text;
  }

  it('The command serve --https serves both, and names addresses, certificate and fingerprint [L25, L30, L31]', async () => {
    const ready = await readyOf(serve('--port', '0', '--https-port', '0'));
    expect(ready.lisply).toMatch(/^http:/);
    expect(ready.https).toMatchObject({ selfSigned: true, mcp: expect.stringMatching(/^https:.*\/mcp$/) as string });
    expect(new Date(ready.https.until).getTime()).toBeGreaterThan(Date.now());
    expect(await secure(ready, 'lisp-eval', '{"code":"(defvar *over* :tls)"}')).toContain('"success":true');
    const plain = await fetch(`${ready.lisply}/lisp-eval`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.token}` },
      body: '{"code":"*over*"}',
    });
    expect(await plain.json()).toMatchObject({ result: ':TLS' });
  });

  it('The variables of a container start HTTPS alone, on its port, with the certificate that they name [L25, L30, L31]', async () => {
    const [port] = await freePorts();
    const { certificate, key } = await makeCertificate(Date.now());
    writeFileSync(path.join(folder, 'c.pem'), certificate);
    writeFileSync(path.join(folder, 'k.pem'), key);
    const started = run(process.execPath, [CLI, 'serve'], {
      START_HTTP: 'false',
      START_HTTPS: 'false',
      LISPLY_START_HTTPS: 'On',
      HTTPS_PORT: String(port),
      HTTPS_CERT_FILE: path.join(folder, 'c.pem'),
      HTTPS_KEY_FILE: path.join(folder, 'k.pem'),
      LISPLY_AUTH: 'none',
    });
    const ready = await readyOf(started);
    expect([ready.mcp, ready.https.selfSigned]).toEqual([`https://127.0.0.1:${port}/mcp`, false]);
    for (const token of ['', ready.token]) expect(await secure({ ...ready, token }, 'ping-lisp')).toBe('pong');
    expect(await secure({ ...ready, token: 'lwb_x' }, 'ping-lisp')).toContain('not valid');
  });

  it('The command serve with the variables of a container serves the usual middleware, which has no token [L2, L30, L37]', async () => {
    const [port] = await freePorts();
    const started = run(process.execPath, [CLI, 'serve'], {
      START_HTTP: 'true',
      HTTP_PORT: String(port),
      START_HTTPS: 'false',
      HTTPS_PORT: '9443',
      START_SWANK: 'false',
      START_TELNET: 'false',
      LISPLY_AUTH: 'none',
    });
    const { lisply } = await readyOf(started);
    expect(lisply).toBe(`http://127.0.0.1:${port}/lisply`);
    const middleware = new Middleware(lisply);
    expect(await middleware.isUp()).toBe(true);
    expect(await middleware.evaluate({ code: '(+ 1 2 3)' })).toBe('Result: 6, Stdout: ');
    middleware.close();
  });

  it('The command serve takes the ports of HTTP and HTTPS from its variables, a prefixed one first [L26, L30, L31]', async () => {
    const [http, https, other] = await freePorts();
    const started = run(process.execPath, [CLI, 'serve'], {
      START_HTTPS: '1',
      HTTP_PORT: String(http),
      HTTPS_PORT: String(other),
      LISPLY_HTTPS_PORT: String(https),
      HTTPS_HOST_PORT: '9444',
    });
    const ready = await readyOf(started);
    expect([ready.mcp, ready.https.mcp]).toEqual([`http://127.0.0.1:${http}/mcp`, `https://127.0.0.1:${https}/mcp`]);
  });

  it('The command serve has the same certificate at its next start', async () => {
    const first = serve('--no-http', '--https-port', '0');
    const { https } = await readyOf(first);
    child!.kill();
    await first.ended;
    expect((await readyOf(serve('--no-http', '--https-port', '0'))).https.fingerprint).toBe(https.fingerprint);
  });

  it.each<[string, string[], RegExp]>([
    ['a certificate that is not there', ['--https-cert', 'c.pem', '--https-key', 'k.pem'], /c\.pem does not exist/],
    ['a certificate without a key', ['--https-cert', 'c.pem'], /--https-cert stands alone/],
    ['nothing to serve', ['--no-http'], /nothing to serve/],
  ])('The command serve ends with exit code 2 and one line for %s [L25]', async (_what, given, said) => {
    const { ended, err, out } = serve(...given);
    expect([await ended, err().trim().split('\n')]).toEqual([2, [expect.stringMatching(said)]]);
    expect(out()).toBe('');
  });

  it('The command serve ends with exit code 2 and one line when the port of HTTPS is taken', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const { ended, err } = serve('--port', '0', '--https-port', String(port));
    expect([await ended, err()]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^lisp-workbench: Port ${port} is taken by`)),
    ]);
    blocker.close();
  });

  /** Three ports that nobody has. */
  async function freePorts(): Promise<number[]> {
    const servers = [createServer(), createServer(), createServer()];
    for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ports = servers.map((server) => (server.address() as AddressInfo).port);
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
    return ports;
  }
});

describe('serve and the world outside', () => {
  it('The command serve connects to nobody: no address is looked up and no connection made, from its start to its end [K1]', async () => {
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

  it('The command serve listens on loopback alone [K1]', async () => {
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

const walls = await prepareSandbox({ hidden: [], cache: '/' }, process.env, tmpdir()).then(
  () => true,
  () => false,
);

describe.skipIf(!walls)('serve --sandbox', () => {
  /** True when a process with this in its command line runs. */
  function runs(mark: string): boolean {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .some((name) => {
        try {
          return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(mark);
        } catch {
          return false; // it ended meanwhile
        }
      });
  }

  it.each([
    ['waits', ':started'],
    ['writes', '(loop (print :again) (finish-output))'],
  ])(
    'The command serve --sandbox leaves nothing running when it is killed while its image %s, not even a program in a session of its own',
    async (_what, then) => {
      const seconds = `86400.${process.pid}`;
      const { ready, ended } = serve('--port', '0', '--sandbox', '--effects', 'allow', '--project', folder);
      const { lisply, token } = await ready();
      const answer = fetch(`${lisply}/lisp-eval`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          code: `(progn (sb-ext:run-program "setsid" '("sleep" "${seconds}") :search t :wait nil) ${then})`,
        }),
      }).catch(() => null);
      await expect.poll(() => runs(seconds), { timeout: 20_000 }).toBe(true);
      child!.kill('SIGKILL');
      await ended;
      await expect.poll(() => runs(seconds), { timeout: 20_000 }).toBe(false);
      await expect.poll(() => runs(folder), { timeout: 20_000 }).toBe(false); // the builder of the sandbox names the project
      await answer;
    },
    120_000,
  );
});

describe('serve with a paused client', () => {
  async function evaluate(run: Run, code: string): Promise<string> {
    const { lisply, token } = await run.ready();
    const response = await fetch(`${lisply}/lisp-eval`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    return response.text();
  }
  const tampering = `(sb-ext:without-package-locks
    (setf (fdefinition ${engineSymbol('CALL-AT-GATE')}) (lambda (&rest all) all t)))`;

  it('The command serve says how a paused client goes on, and lets it go on after that', async () => {
    const first = serve('--port', '0', '--project', folder);
    expect(await evaluate(first, '(+ 1 1)')).toContain('2');
    await evaluate(first, tampering);
    await expect
      .poll(() => evaluate(first, '(+ 1 2)'), { timeout: 20_000 })
      .toMatch(/took the guard away[^]*end this .*lisp-workbench serve.* and to start it again/);
    child!.kill();
    await first.ended;
    expect(await evaluate(serve('--port', '0', '--project', folder), '(+ 1 2)')).toContain('3');
  }, 120_000);

  it('The command serve pauses no client whose code only redefined a function that the guard knows', async () => {
    const run = serve('--port', '0', '--project', folder);
    await evaluate(run, `(sb-ext:without-package-locks (setf (fdefinition 'cl:delete-file) (lambda (file) file)))`);
    await evaluate(run, `(sb-ext:without-package-locks (defun cl:probe-file (file) file))`);
    expect(await evaluate(run, '(+ 1 2)')).toContain('3');
    expect(await evaluate(run, '(+ 2 2)')).not.toMatch(/paused/);
  }, 120_000);
});

/** `script` gives a command a terminal of its own. */
describe.skipIf(process.platform !== 'linux')('serve --approve terminal', () => {
  /** True when a word is typed with a yes, since code of root could type at the terminal. */
  const BY_WORD = canBeTyped();
  const PROMPT = /Approve( the edited text)?\? .*: $/;

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

  async function told({ out }: Run, what: RegExp): Promise<void> {
    await expect.poll(out, { timeout: 60_000 }).toMatch(what);
  }

  async function answer({ out, say }: Run, text: string, prompt = PROMPT): Promise<void> {
    await expect.poll(out, { timeout: 60_000 }).toMatch(prompt);
    await new Promise((resolve) => setTimeout(resolve, INERT_MS + 100));
    // As root a word of the prompt is typed with what lets it run.
    const word = /y\(es\)( \w+)?,[^\n]*: $/.exec(out())?.[1] ?? '';
    say(text.replace(/^[yehp](?=[ \n])/, (way) => `${way}${word}`));
  }

  it('The terminal approves with y and denies with n and a reason, but not what was typed too soon [X10, X11]', async () => {
    const terminal = await atTerminal();
    const first = terminal.write('yes.lisp');
    await expect.poll(terminal.out).toMatch(PROMPT);
    terminal.say('n typed before it could be read\n');
    await told(terminal, /That came before the question could be read; answer again\./);
    await answer(terminal, 'y\n');
    expect(await first).toBe('Wrote 4 bytes to yes.lisp.');
    const second = terminal.write('no.lisp');
    await answer(terminal, 'n not today\n');
    expect(await second).toBe('User denied tool execution: not today');
  });

  it('The terminal edits with e in an editor that has arguments, and serves others meanwhile [X12]', async () => {
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
    if (BY_WORD) await answer(terminal, 'y\n', / the edited text\? y\(es\) \w+, n\(o\): $/);
    expect(await reply).toContain('The person edited this before approving it.');
    expect(readFileSync(path.join(folder, 'edited.lisp'), 'utf8')).toBe('(edited)\n');
  });

  it('The terminal takes the hunks whose numbers are typed [D13]', async () => {
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

  it('The terminal lets an effect go on, redirects, denies and aborts it [G3]', async () => {
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

  it('The terminal cannot be answered by the code that waits for it, though that types at the terminal past the guard', async () => {
    const terminal = await atTerminal();
    const target = path.join(folder, 'typed.txt');
    const alien = (name: string, types: string, args: string): string =>
      `(sb-alien:alien-funcall (sb-alien:extern-alien "${name}" (function sb-alien:int ${types})) ${args})`;
    const code = `(progn
      (require :sb-posix)
      (let* ((name (sb-posix:readlink (format nil "/proc/~D/fd/0" (sb-posix:getppid))))
             (fd ${alien('open', 'sb-alien:c-string sb-alien:int', 'name 2')})
             (octet (sb-alien:make-alien (sb-alien:unsigned 8) 1)))
        (sb-thread:make-thread
          (lambda ()
            (loop repeat 6 do
              (sleep 1)
              (loop for each across (format nil "y~%") do
                (setf (sb-alien:deref octet 0) (char-code each))
                ${alien('ioctl', 'sb-alien:int sb-alien:unsigned-long (* (sb-alien:unsigned 8))', 'fd #x5412 octet')}))))
        (with-open-file (s "${target}" :direction :output) (write-string "x" s) (list name fd :written))))`;
    const reply = terminal.call('evaluate-lisp', { code });
    // Where the kernel lets nobody type there, somebody has to answer.
    await (BY_WORD
      ? told(terminal, /Nothing ran: type what stands behind/)
      : answer(terminal, 'n without the word of the prompt\n'));
    expect(await reply).toMatch(/EFFECT-DENIED[^]*without the word of the prompt/);
    expect(() => readFileSync(target)).toThrow(/ENOENT/);
  }, 120_000);

  it('A terminal that is held by Ctrl+S keeps no other call waiting, and asks once it reads again [X10, decision 18]', async () => {
    const terminal = await atTerminal();
    expect(await terminal.call('evaluate-lisp', { code: '(+ 1 1)' })).toContain('=> 2');
    terminal.say('\u0013');
    const asked = new Promise<string>((resolve) => void terminal.write('held.lisp').then(resolve));
    const audit = path.join(folder, 'home', 'state', 'audit');
    const kept = (): string =>
      readdirSync(audit)
        .map((name) => readFileSync(path.join(audit, name), 'utf8'))
        .join('');
    await expect.poll(kept).toContain('held.lisp');
    for (const n of [2, 3])
      expect(await terminal.call('evaluate-lisp', { code: `(+ 1 ${n})` })).toContain(`=> ${n + 1}`);
    expect(terminal.out()).not.toMatch(PROMPT);
    terminal.say('\u0011');
    await answer(terminal, 'y\n');
    expect(await asked).toBe('Wrote 4 bytes to held.lisp.');
  }, 120_000);

  it('The terminal says that an editor failed, and asks again', async () => {
    const terminal = await atTerminal('no-such-editor');
    const reply = terminal.write('x.lisp');
    await answer(terminal, 'e\n');
    await expect.poll(terminal.out).toContain('The editor failed');
    await answer(terminal, 'n\n');
    expect(await reply).toBe('User denied tool execution: No reason was given.');
  });

  it('Without a terminal what would ask is denied at once, and nobody is told to wait [decision 18]', async () => {
    // The leader of a session of its own has no terminal.
    const args = [process.execPath, CLI, 'serve', '--port', '0', '--approve', 'terminal', '--project', folder];
    const alone = run('setsid', args);
    const { lisply, token } = await alone.ready();
    const body = JSON.stringify({ code: `(open "${path.join(folder, 'denied.txt')}" :direction :output)` });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(`${lisply}/lisp-eval`, { method: 'POST', headers, body });
    expect(await reply.text()).toMatch(
      /EFFECT-DENIED[^]*Nobody can approve here: no window is open\. Whoever starts the server can allow it with --approve terminal .*--approve client .*--approve project/,
    );
    expect(alone.err()).toContain('There is no terminal to approve on');
    expect(alone.err()).not.toContain('waits for the person');
  }, 120_000);

  it('The terminal denies when it ends [decision 18]', async () => {
    const terminal = await atTerminal();
    const reply = terminal.write('x.lisp');
    await answer(terminal, '\u0004');
    expect(await reply).toBe('Not approved: The terminal was closed.');
    expect(await terminal.write('y.lisp')).toMatch(/Nobody can approve here/);
  });
});
