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

const hosts = allowedHosts(9081);

describe('K1 case 1 case 6 Host', () => {
  it.each(['127.0.0.1:9081', 'localhost:9081'])('%s is answered', (host) => {
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
  ])('%j is refused', (host) => {
    expect(checkHost(host, hosts)?.status).toBe(403);
  });
});

describe('20 another host in the same request', () => {
  const one = ['Host', '127.0.0.1:9081', 'Accept', '*/*'];

  it.each(['/mcp', '*', 'http://127.0.0.1:9081/mcp'])('%s names none', (url) => {
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
  ])('%s is refused', (url) => {
    expect(checkTarget(url, one, hosts)?.status).toBe(403);
  });

  it('in a second Host header is refused, whichever comes first', () => {
    for (const more of [
      ['host', 'evil.example'],
      ['HOST', '127.0.0.1:9081'],
    ])
      expect(checkTarget('/mcp', [...one, ...more], hosts)?.status).toBe(400);
  });
});

describe('K1 case 2 Origin', () => {
  it.each(['null', '', 'http://localhost:9081', 'http://127.0.0.1:9081', 'https://evil.example'])(
    '%j is refused',
    (origin) => {
      expect(checkOrigin({ origin }, new Set())?.status).toBe(403);
    },
  );

  it.each(['cross-site', 'same-site', 'same-origin', ''])(
    'that a browser leaves out is refused all the same, where it says that a page made the request: %j',
    (site) => {
      expect(checkOrigin({ 'sec-fetch-site': site }, new Set())?.status).toBe(403);
    },
  );

  it('of a request without one passes, and so does a listed one', () => {
    expect([
      checkOrigin({}, new Set()),
      checkOrigin({ 'sec-fetch-mode': 'cors' }, new Set()),
      checkOrigin({ origin: 'https://a.example', 'sec-fetch-site': 'cross-site' }, new Set(['https://a.example'])),
    ]).toEqual([null, null, null]);
  });
});

describe('K1 case 4 bearer token', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer   abc ', 'abc'],
    ['Basic abc', null],
    ['Bearer', null],
    ['Bearer a b', null],
    [undefined, null],
  ])('of %j is %j', (header, token) => {
    expect(bearerToken(header)).toBe(token);
  });
});

describe('K1 case 3 content type', () => {
  it.each([
    ['application/json', null],
    ['application/json; charset=utf-8', null],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    [undefined, 415],
  ])('%j', (type, status) => {
    expect(checkJsonType(type)?.status ?? null).toBe(status);
  });
});

describe('K1 case 9 body', () => {
  it.each<[string, Buffer, unknown]>([
    ['as large as allowed', Buffer.alloc(BODY_LIMIT, '1'), expect.objectContaining({ value: Infinity })],
    ['a name twice', Buffer.from('{"a":1,"a":1}'), expect.objectContaining({ status: 400 })],
    ['one byte too large', Buffer.alloc(BODY_LIMIT + 1, 0x20), expect.objectContaining({ status: 413 })],
  ])('%s', (_name, body, expected) => {
    expect(parseBody(body)).toEqual(expected);
  });
});
