import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { engineSymbol } from '#core/lisp/image.fixture.ts';
import { prepareSandbox } from '#core/lisp/start/sandbox.ts';
import { arrangeServe, child, CLI, folder, run, type Run, serve } from './serve.fixture.ts';

arrangeServe();

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
    expect(err()).toContain('without network access and can write only to the project folder');
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
      said: [expect.stringContaining('Set LISP_WORKBENCH_HOME to store everything')],
    });
  });
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
    // The server looks up only the address on which it listens.
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
  /** True if a process with this text in its command line is running. */
  function runs(mark: string): boolean {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .some((name) => {
        try {
          return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(mark);
        } catch {
          return false; // the process ended in the meantime
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
      await expect.poll(() => runs(folder), { timeout: 20_000 }).toBe(false); // the command line of the sandbox program contains the project's folder
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
      .toMatch(/removed the guard[^]*restart .*lisp-workbench serve/);
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
