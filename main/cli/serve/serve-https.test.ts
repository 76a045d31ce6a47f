import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '#core/transports/http/certificate-maker.ts';
import { Middleware } from '#core/transports/lisply/middleware.fixture.ts';
import { arrangeServe, child, CLI, folder, run, type Run, serve } from './serve.fixture.ts';

arrangeServe();

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

  /** Returns the response of an HTTPS server, trusting its certificate file as curl does with --cacert. */
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
    ['a certificate without a key', ['--https-cert', 'c.pem'], /--https-cert is not enough/],
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

  /** Returns three unused ports. */
  async function freePorts(): Promise<number[]> {
    const servers = [createServer(), createServer(), createServer()];
    for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ports = servers.map((server) => (server.address() as AddressInfo).port);
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
    return ports;
  }
});
