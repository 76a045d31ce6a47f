/** HTTPS in addition to HTTP: real handshakes with clients that verify the certificate, and the same checks of requests as without TLS. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { connect as connectTls, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, testClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { makeCertificate } from './certificate-maker.ts';
import { CertificateRenewal } from './certificate-renewal.ts';
import { readGiven, readOwn, type ServerCertificate } from './server-certificate.ts';

let bench: TestWorkbench;
let certificate: ServerCertificate;
let port: number;

beforeAll(async () => {
  bench = await openTestWorkbench();
  certificate = await readOwn(bench.home, Date.now());
  port = await bench.server.listen({
    port: 0,
    address: '127.0.0.1',
    moreHosts: ['localhost:9444', 'lisp.test'],
    certificate,
  });
}, 120_000);

afterAll(() => bench.close());

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The SHA-256 digest of the certificate that the server presented. */
  readonly fingerprint: string;
}

/** Sends a request as a client that trusts only this certificate. */
function ask(route: string, options: RequestOptions = {}, body?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${bench.token}`, ...(options.headers as Record<string, string>) };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        servername: 'localhost',
        port,
        path: route,
        ca: certificate.certificate,
        agent: false,
        ...options,
        headers,
      },
      (response) => {
        let text = '';
        const fingerprint = (response.socket as TLSSocket).getPeerCertificate().fingerprint256;
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode!, text, fingerprint }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function evaluate(code: string): Promise<Answer> {
  return ask('/lisply/lisp-eval', { method: 'POST' }, JSON.stringify({ code }));
}

describe('HTTPS', () => {
  it.each(['127.0.0.1', 'localhost'])(
    'HTTPS answers at %s a client that checks the certificate, and shows the one that was told [L25]',
    async (host) => {
      const answer = await ask('/lisply/ping-lisp', { host, servername: undefined, family: 4 });
      expect(answer).toEqual({ status: 200, text: 'pong', fingerprint: certificate.fingerprint });
      expect(JSON.parse((await evaluate('(+ 1 2 3)')).text)).toEqual({ success: true, result: '6', stdout: '' });
    },
  );

  it('HTTPS shows a certificate that nobody trusts without being told', async () => {
    await expect(ask('/lisply/ping-lisp', { ca: [] })).rejects.toThrow(/self-signed certificate/);
  });

  it('HTTPS serves MCP to the usual client, in the same image as HTTP [L25]', async () => {
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, certificate.certificate]);
    const client = new Client({ name: 'secure', version: '1' });
    try {
      const headers = { Authorization: `Bearer ${bench.token}` };
      const url = new URL(`https://127.0.0.1:${port}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      expect(await testClient(client).evaluate('(defun over-tls () :secure)')).toBe('=> OVER-TLS');
      expect(await (await bench.connect()).evaluate('(over-tls)')).toBe('=> :SECURE');
    } finally {
      await client.close();
      setDefaultCACertificates(usual);
    }
  });

  it.each<[number, string, Record<string, string>]>([
    [401, 'no token', { authorization: '' }],
    [401, 'another token', { authorization: 'Bearer lwb_x' }],
    [403, 'a foreign Host', { host: 'evil.example' }],
    [403, 'a page', { origin: 'https://127.0.0.1' }],
    [200, 'the published port', { host: 'localhost:9444' }],
    [200, 'a name that was allowed', { host: 'lisp.test' }],
  ])('HTTPS answers %i to a request with %s [K1, cases 1, 2 and 4]', async (status, _what, headers) => {
    expect((await ask('/lisply/tools/list', { headers })).status).toBe(status);
  });

  it('HTTPS answers to its own port alone as Host, and HTTP to its own [K1, case 6]', async () => {
    const plain = Number(new URL(bench.url).port);
    expect((await ask('/lisply/ping-lisp', { headers: { host: `127.0.0.1:${plain}` } })).status).toBe(403);
    const socket = connect(plain, '127.0.0.1');
    socket.write(`GET /lisply/ping-lisp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    expect(await heard(socket)).toMatch(/^HTTP\/1\.1 403/);
  });
});

/** Resolves with everything received until the other side closes the connection. */
async function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => {});
  await once(socket, 'close');
  return text;
}

describe('connections that are none of HTTPS', () => {
  it('Plain HTTP at the port of HTTPS is told at once how to address it, and its connection is closed [K1]', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /lisply/ping-lisp HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await heard(socket)).toMatch(/^HTTP\/1\.1 400 [^]*begin with "https:\/\/"/);
  });

  it('A connection that sends something else than TLS is closed at once [K1]', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(Buffer.alloc(64, 0xff));
    expect(await heard(socket)).not.toContain('HTTP');
  });

  it('TLS at the port of HTTP is closed at once [K1]', async () => {
    const secure = connectTls({ port: Number(new URL(bench.url).port), host: '127.0.0.1' });
    await expect(once(secure, 'secureConnect')).rejects.toThrow(/wrong version number|packet length/);
  });

  it('HTTPS speaks no TLS older than 1.2', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(ask('/lisply/ping-lisp', old)).rejects.toThrow(/protocol version/);
    expect((await ask('/lisply/ping-lisp', { maxVersion: 'TLSv1.2' })).status).toBe(200);
  });

  it('A handshake, or the headers after it, that are not complete in ten seconds end the connection [K1, case 10]', async () => {
    const started = performance.now();
    const [silent, begun] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    begun.write(Buffer.from([0x16, 0x03, 0x01]));
    const secure = connectTls({ port, host: '127.0.0.1', ca: certificate.certificate });
    secure.write('GET /lisply/ping-lisp HTTP/1.1\r\nHost: ');
    const [, , late] = await Promise.all([heard(silent), heard(begun), heard(secure)]);
    expect(late).toMatch(/^HTTP\/1\.1 408/);
    expect(Math.round((performance.now() - started) / 1000)).toBeGreaterThanOrEqual(9);
    expect((await ask('/lisply/ping-lisp')).status).toBe(200);
  });

  it('Connections of HTTPS count from before their handshake, together with those of HTTP, and clients are answered meanwhile [K1, K6, case 10]', async () => {
    const ports = [port, Number(new URL(bench.url).port)];
    const sockets: Socket[] = [];
    for (let index = 0; index < 600; index += 1) {
      const socket = connect(ports[index % 2]!, '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
    }
    const open = () => sockets.filter((socket) => !socket.closed).length;
    await expect.poll(open).toBeLessThanOrEqual(512);
    expect(open()).toBeGreaterThan(500);
    expect((await evaluate('(+ 1 2)')).text).toContain('"3"');
    for (const socket of sockets) socket.destroy();
  });

  it('A token that becomes void ends its connections of HTTPS, and what runs on them [K1]', async () => {
    const { workbench, server } = bench;
    const { token, client } = await workbench.clients.mint('void soon');
    const running = ask(
      '/lisply/lisp-eval',
      { method: 'POST', headers: { authorization: `Bearer ${token}` } },
      '{"code":"(loop)"}',
    );
    await expect.poll(() => workbench.session.view().running?.actor.id).toBe(client.id);
    await workbench.clients.revoke(client.id);
    await server.endClient(client.id);
    await expect(running).rejects.toThrow(/aborted|ECONNRESET/);
    await expect.poll(() => workbench.session.view().state).toBe('idle');
  });
});

describe('certificate that changes', () => {
  it('HTTPS serves with a certificate that was replaced on the disk, and keeps what it has while that is damaged [L25]', async () => {
    const files = { certificate: path.join(bench.home, 'given.pem'), key: path.join(bench.home, 'given-key.pem') };
    const put = async (): Promise<ServerCertificate> => {
      const made = await makeCertificate(Date.now());
      await writeFile(files.key, made.key);
      await writeFile(files.certificate, made.certificate);
      return readGiven(given, Date.now());
    };
    const given = {
      certificate: { file: files.certificate, from: 'HTTPS_CERT_FILE' },
      key: { file: files.key, from: 'HTTPS_KEY_FILE' },
    };
    const told: string[] = [];
    certificate = await put();
    bench.server.renew(certificate);
    const renewal = new CertificateRenewal(
      { given, folder: bench.home },
      certificate,
      {
        renewed: (now) => {
          bench.server.renew(now);
          told.push(now.fingerprint);
        },
        failed: (why) => told.push(why),
      },
      20,
    );
    expect((await ask('/lisply/ping-lisp')).fingerprint).toBe(certificate.fingerprint);
    await writeFile(files.certificate, 'half of a certif');
    await expect.poll(() => told).toEqual([expect.stringMatching(/given\.pem does not contain a certificate/)]);
    expect((await ask('/lisply/ping-lisp')).fingerprint).toBe(certificate.fingerprint);
    certificate = await put();
    await expect.poll(() => told.at(-1)).toBe(certificate.fingerprint);
    expect((await ask('/lisply/ping-lisp')).fingerprint).toBe(certificate.fingerprint);
    renewal.dispose();
  });

  it('HTTPS that is closed ends at once what is open, handshakes too, and leaves HTTP open', async () => {
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    const running = evaluate('(loop)').then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await expect.poll(() => bench.workbench.session.view().running?.actor.name).toBe('tester');
    const started = performance.now();
    const ended = heard(silent);
    await bench.server.stop('https');
    expect(await running).toMatch(/aborted|ECONNRESET/);
    await ended;
    expect(performance.now() - started).toBeLessThan(5_000);
    await expect.poll(() => bench.workbench.session.view().state).toBe('idle');
    await expect(ask('/lisply/ping-lisp')).rejects.toThrow(/ECONNREFUSED/);
    expect(await (await bench.fetch('/lisply/ping-lisp')).text()).toBe('pong');
  });
});
