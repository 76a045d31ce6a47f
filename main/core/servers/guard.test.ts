import { describe, expect, it } from 'vitest';
import { allowedHosts, bearerToken, BODY_LIMIT, checkHost, checkJsonType, checkOrigin, parseBody } from './guard.ts';

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

describe('K1 case 2 Origin', () => {
  it.each(['null', '', 'http://localhost:9081', 'http://127.0.0.1:9081', 'https://evil.example'])(
    '%j is refused',
    (origin) => {
      expect(checkOrigin(origin, new Set())?.status).toBe(403);
    },
  );

  it('of a request without one passes, and so does a listed one', () => {
    expect([
      checkOrigin(undefined, new Set()),
      checkOrigin('https://a.example', new Set(['https://a.example'])),
    ]).toEqual([null, null]);
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
