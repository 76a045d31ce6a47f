/** Downloads through a proxy. The sockets are real, with a certificate that the workbench made. */
import { createServer as createProxy, type Server } from 'node:http';
import { createServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '#core/transports/http/certificate-maker.ts';
import { fetchFailure, fetchOverHttps } from './https-fetch.ts';

const trusted = getCACertificates('default');
let server: Server;
let proxy: Server;
/** The hosts that the proxy was asked to connect to. */
let asked: string[];
beforeEach(async () => {
  const made = await makeCertificate(Date.now());
  setDefaultCACertificates([...trusted, made.certificate]);
  server = createServer(
    { cert: made.certificate, key: made.key },
    (_request, response) => void response.end('the list'),
  );
  asked = [];
  proxy = createProxy().on('connect', ({ url }, socket, head) => {
    asked.push(url!);
    const through = connect(portOf(server), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      through.write(head);
      through.pipe(socket).pipe(through);
    });
    for (const each of [through, socket]) each.on('error', () => {}); // the client has already received its response
  });
  for (const each of [server, proxy]) await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  setDefaultCACertificates(trusted);
  for (const each of [server, proxy]) each.close();
});

const portOf = (of: Server): number => (of.address() as AddressInfo).port;

async function fetched(address: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const { signal } = new AbortController();
  const { body } = await fetchOverHttps({ address, what: 'The list', headers: {}, signal, environment });
  return text(body!);
}

describe('A fetch over HTTPS', () => {
  it.each(['HTTPS_PROXY', 'https_proxy'])(
    'Goes by the proxy that %s names, and looks at the certificate [issue 33.2]',
    async (name) => {
      const environment = { [name]: `http://127.0.0.1:${portOf(proxy)}` };
      expect(await fetched('https://localhost/list', environment)).toBe('the list');
      expect(asked).toEqual(['localhost:443']);
      // The server's certificate is for another host.
      await expect(fetched('https://registry.example/list', environment)).rejects.toThrow(/certificate/);
    },
  );

  it('Goes by no proxy for a host that NO_PROXY names, and without one [issue 33.2]', async () => {
    const address = `https://localhost:${portOf(server)}/list`;
    const HTTPS_PROXY = `http://127.0.0.1:${portOf(proxy)}`;
    expect(await fetched(address, { HTTPS_PROXY, NO_PROXY: 'localhost' })).toBe('the list');
    expect(await fetched(address, {})).toBe('the list');
    expect(asked).toEqual([]);
  });

  it('That a proxy refuses is told in a sentence with what to do [issue 33.2]', async () => {
    proxy
      .removeAllListeners('connect')
      .on('connect', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    const address = 'https://registry.example/list';
    const error = await fetched(address, { HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` }).catch(
      (reason: unknown) => reason,
    );
    expect(fetchFailure(address, error).message).toMatch(
      /^registry\.example could not be reached \(.+\)\. Check the network, and try again\.$/,
    );
  });
});
