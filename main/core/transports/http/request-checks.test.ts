import { describe, expect, it } from 'vitest';
import {
  allowedHosts,
  bearerToken,
  BODY_LIMIT,
  checkHost,
  checkJsonType,
  checkOrigin,
  checkTarget,
  parseBody,
} from './request-checks.ts';

const hosts = allowedHosts({ port: 9081, address: '127.0.0.1', secure: false });

describe('Host', () => {
  it.each(['127.0.0.1:9081', 'localhost:9081'])('The Host %s is answered [K1, cases 1 and 6]', (host) => {
    expect(checkHost(host, hosts)).toBeNull();
  });

  it.each([
    undefined,
    '',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:9082',
    'LOCALHOST:9081',
    'localhost.:9081',
    '127.1:9081',
    '0.0.0.0:9081',
    '[::1]:9081',
    'evil.example:9081',
    '127.0.0.1:9081.evil.example',
    'localhost:9081 ',
  ])('The Host %j is refused [K1, cases 1 and 6]', (host) => {
    expect(checkHost(host, hosts)?.status).toBe(403);
  });
});

describe('another host in the same request', () => {
  const one = ['Host', '127.0.0.1:9081', 'Accept', '*/*'];

  it.each(['/mcp', '*', 'http://127.0.0.1:9081/mcp'])('The request target %s names no other host', (url) => {
    expect(checkTarget(url, one, hosts)).toBeNull();
  });

  it.each([
    'http://evil.example/mcp',
    'http://evil.example:9081/mcp',
    'https://127.0.0.1/mcp',
    'http://127.0.0.1:9081@evil.example/mcp',
    'http:evil.example/mcp',
    'evil.example:443',
    'file:///mcp',
  ])('The request target %s is refused', (url) => {
    expect(checkTarget(url, one, hosts)?.status).toBe(403);
  });

  it('A request with a second Host header is refused, whichever comes first', () => {
    for (const more of [
      ['host', 'evil.example'],
      ['HOST', '127.0.0.1:9081'],
    ])
      expect(checkTarget('/mcp', [...one, ...more], hosts)?.status).toBe(400);
  });
});

describe('Origin', () => {
  it.each(['null', '', 'http://localhost:9081', 'http://127.0.0.1:9081', 'https://evil.example'])(
    'A request with the Origin %j is refused [K1, case 2]',
    (origin) => {
      expect(checkOrigin({ origin }, new Set())?.status).toBe(403);
    },
  );

  it.each(['cross-site', 'same-site', 'same-origin', ''])(
    'A request without Origin is refused where the browser says that a page made it: %j [K1, case 2]',
    (site) => {
      expect(checkOrigin({ 'sec-fetch-site': site }, new Set())?.status).toBe(403);
    },
  );

  it('A request without an Origin passes, and so does one with a listed Origin [K1, case 2]', () => {
    expect([
      checkOrigin({}, new Set()),
      checkOrigin({ 'sec-fetch-mode': 'cors' }, new Set()),
      checkOrigin({ origin: 'https://a.example', 'sec-fetch-site': 'cross-site' }, new Set(['https://a.example'])),
    ]).toEqual([null, null, null]);
  });
});

describe('bearer token', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer   abc ', 'abc'],
    ['Basic abc', null],
    ['Bearer', null],
    ['Bearer a b', null],
    [undefined, null],
  ])('The bearer token of %j is %j [K1, case 4]', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });
});

describe('content type', () => {
  it.each([
    ['application/json', null],
    ['application/json; charset=utf-8', null],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    [undefined, 415],
  ])('The content type %j is accepted or refused with 415 [K1, case 3]', (type, status) => {
    expect(checkJsonType(type)?.status ?? null).toBe(status);
  });
});

describe('body', () => {
  it.each<[string, Buffer, unknown]>([
    ['as large as allowed', Buffer.alloc(BODY_LIMIT, '1'), expect.objectContaining({ value: Infinity })],
    ['a name twice', Buffer.from('{"a":1,"a":1}'), expect.objectContaining({ status: 400 })],
    ['one byte too large', Buffer.alloc(BODY_LIMIT + 1, 0x20), expect.objectContaining({ status: 413 })],
  ])('The body is parsed or refused strictly: %s [K1, case 9]', (_name, body, expected) => {
    expect(parseBody(body)).toEqual(expected);
  });
});
