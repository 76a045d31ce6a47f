import { expect, test } from 'vitest';
import type { ServerRecord } from '#contract/clients/server.ts';
import { bannerWords, certificateWords, openServers, portOf, stateWords, statusLabel } from './descriptions.ts';

const on = (kind: ServerRecord['kind'], port: number, change: Partial<ServerRecord> = {}): ServerRecord => ({
  kind,
  state: 'on',
  address: kind === 'http' ? `http://127.0.0.1:${port}/mcp` : `127.0.0.1:${port}`,
  port,
  usualPort: port,
  since: 0,
  connections: null,
  problem: null,
  notice: null,
  refused: null,
  certificate: null,
  offers: [],
  ...change,
});
const NOWHERE = { address: null, port: null, since: null };

test.each([
  [[on('http', 9081)], 'MCP 127.0.0.1:9081'],
  [[on('http', 9081, { state: 'starting', ...NOWHERE })], 'MCP is starting'],
  [[on('http', 9081, { state: 'failed', ...NOWHERE })], 'MCP failed to start'],
  [[on('http', 9081, { state: 'off', ...NOWHERE })], 'MCP is off'],
  [[on('http', 9081), on('swank', 4201)], 'MCP 127.0.0.1:9081 · SWANK 4201'],
  [[on('http', 9081), on('swank', 4201, { state: 'off', ...NOWHERE })], 'MCP 127.0.0.1:9081'],
  [[on('http', 9081), on('swank', 4201, { state: 'starting', ...NOWHERE })], 'MCP 127.0.0.1:9081 · SWANK starts'],
  [[on('http', 9081), on('swank', 4201, { state: 'failed', ...NOWHERE })], 'MCP 127.0.0.1:9081 · SWANK failed'],
])('The status bar names MCP always, and other servers where they are on or failed', (servers, label) => {
  expect(statusLabel(servers)).toBe(label);
});

test.each<[string, number | null]>([
  ['4201', 4201],
  [' 0 ', 0],
  ['65535', 65_535],
  ['65536', null],
  ['4,201', null],
  ['-1', null],
  ['', null],
  ['1e3', null],
])('The text %j names the port %j', (text, port) => {
  expect(portOf(text)).toBe(port);
});

test('A banner stands for each server but HTTP while it is on [decision 23]', () => {
  const swank = on('swank', 4201, { connections: 1 });
  const off = on('telnet', 4024, { state: 'off', ...NOWHERE });
  expect(openServers([on('http', 9081), swank, off])).toEqual([swank]);
  expect(bannerWords(swank)).toBe('SWANK listens on 127.0.0.1:4201, 1 connection open.');
  expect(bannerWords({ ...swank, connections: 0 })).toBe('SWANK listens on 127.0.0.1:4201.');
});

test('A certificate is told with whose it is and when it ends [L25]', () => {
  const certificate = {
    fingerprint: 'AB:CD',
    file: '/home/ada/c.pem',
    until: Date.UTC(2027, 11, 29),
    selfSigned: true,
  };
  expect(certificateWords(certificate)).toMatch(/the workbench’s own.*renewed before it expires on 2027-12-29/);
  expect(certificateWords({ ...certificate, selfSigned: false })).toMatch(
    /given certificate, which expires on 2027-12-29/,
  );
});

test('The row of a server tells since when it is on and how many are connected', () => {
  expect(stateWords(on('swank', 4201, { connections: 2 }), 3 * 60_000)).toBe('on, started 3 min ago · 2 connections');
  expect(stateWords(on('http', 9081), 1000)).toBe('on, started just now');
  expect(stateWords(on('http', 9081, { state: 'failed', ...NOWHERE }), 0)).toBe('failed');
  expect(stateWords(on('http', 9081, { state: 'off', ...NOWHERE }), 0)).toBe('off');
});
