import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtCommand } from '#core/built-command.fixture.ts';
import { TEST_CACHE } from '#core/lisp/core.fixture.ts';

const CLI = builtCommand();

let folder: string;
let child: ChildProcess | null;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'serve-telnet-'));
  mkdirSync(path.join(folder, 'home'));
  symlinkSync(TEST_CACHE, path.join(folder, 'home', 'cache')); // uses the core that was built once for all tests
  child = null;
});

afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

interface Ready {
  readonly lisply: string;
  readonly token: string;
  readonly telnet?: { readonly host: string; readonly port: number; readonly secret?: string };
}

interface Serving {
  readonly ready: () => Promise<Ready>;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
}

function serve(environment: NodeJS.ProcessEnv): Serving {
  const env = { ...process.env, LISP_WORKBENCH_HOME: path.join(folder, 'home'), ...environment };
  const started = (child = spawn(process.execPath, [CLI, 'serve', '--port', '0'], { env, cwd: folder }));
  let out = '';
  let err = '';
  started.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  started.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return {
    err: () => err,
    ended: new Promise((resolve) => started.on('close', resolve)),
    ready: async () => {
      await expect.poll(() => out, { timeout: 60_000 }).toMatch(/^\{"ready":true.*\}\n/);
      return JSON.parse(out) as Ready;
    },
  };
}

/** Sends each line after the answer to the previous line. Resolves with the whole output. */
async function talk({ host, port }: NonNullable<Ready['telnet']>, lines: readonly string[]): Promise<string> {
  const socket = connect(port, host);
  let got = '';
  socket.on('data', (chunk: Buffer) => (got += chunk.toString('latin1')));
  for (const line of lines) {
    await expect.poll(() => got, { timeout: 60_000 }).toMatch(/(?:Secret: |\* |0\] )$/);
    got = `${got.trimEnd()}\n`;
    socket.write(`${line}\r\n`);
  }
  await expect.poll(() => got, { timeout: 60_000 }).toMatch(/(?:\* |0\] )$/);
  socket.destroy();
  return got;
}

describe('telnet of the command serve', () => {
  it('Telnet is off unless it is asked for [L33, decision 23]', async () => {
    const { ready } = serve({});
    expect((await ready()).telnet).toBeUndefined();
  });

  it('START_TELNET starts it with a secret that is made, and serves the image of the other clients [L27, L33]', async () => {
    const { ready, ended } = serve({ START_TELNET: 'yes', TELNET_PORT: '0' });
    const { telnet, lisply, token } = await ready();
    expect(telnet).toMatchObject({ host: '127.0.0.1', secret: expect.stringMatching(/^[\w-]{24}$/) as string });
    const answer = await talk(telnet!, [telnet!.secret!, '(defvar *told* :by-telnet)', '(error "x")', 'abort']);
    expect(answer).toMatch(/debugger invoked on a SIMPLE-ERROR:\r\n {2}x/);
    const response = await fetch(`${lisply}/lisp-eval`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ code: '*told*' }),
    });
    expect(await response.json()).toMatchObject({ result: ':BY-TELNET' });
    child!.kill('SIGTERM');
    expect(await ended).toBe(0);
    // The secret is printed once, and is not stored.
    const audit = path.join(folder, 'home', 'state', 'audit');
    const kept = readdirSync(audit).map((file) => readFileSync(path.join(audit, file), 'utf8'));
    expect(kept.join('')).toContain('client:telnet');
    expect(kept.join('')).not.toContain(telnet!.secret);
  });

  it('LISPLY_ variables come first, and a secret that was given is not printed, nor known to the image [L33, K1]', async () => {
    const secret = 'as given by hand';
    const { ready, err } = serve({
      START_TELNET: 'false',
      LISPLY_START_TELNET: 'on',
      TELNET_PORT: '1',
      LISPLY_TELNET_PORT: '0',
      TELNET_SECRET: secret,
    });
    const { telnet } = await ready();
    expect(telnet).toEqual({ host: '127.0.0.1', port: expect.any(Number) as number });
    expect(await talk(telnet!, [secret, '(sb-posix:getenv "TELNET_SECRET")'])).toMatch(/\nNIL\r\n\* $/);
    expect(err()).not.toContain(secret);
  });

  it('A port that is taken ends the command with one line [L33, case 8]', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    const { ended, err } = serve({ START_TELNET: '1', TELNET_PORT: String(port) });
    expect(await ended).toBe(2);
    expect(err()).toMatch(new RegExp(`^lisp-workbench: Port ${port} is taken by .*\\n$`));
    blocker.close();
  });
});
