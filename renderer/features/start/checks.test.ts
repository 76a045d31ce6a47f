import { expect, test } from 'vitest';
import { settings } from '#contract/settings.ts';
import { type Check, checksOf, type Facts, isAllReady, summaryOf } from './checks.ts';

const session: Facts['session'] = {
  id: 'shared',
  name: 'workbench',
  state: 'idle',
  problem: null,
  lacksSbcl: false,
  lisp: 'SBCL 2.6.4',
  lacking: [],
  building: false,
  pid: 42,
  sandbox: null,
  target: null,
  libraryTool: null,
  asksPerson: false,
  unreviewed: false,
  heapUsed: 0,
  heapSize: 0,
  replyMs: 1,
  silence: null,
  running: null,
  overtaken: null,
  suspended: [],
  effects: [],
  waiting: [],
  lost: null,
  checkpoints: [],
  checkpointProblem: null,
  package: 'COMMON-LISP-USER',
};

const http: Facts['servers'][number] = {
  kind: 'http',
  state: 'on',
  address: 'http://127.0.0.1:9081/mcp',
  port: 9081,
  usualPort: 9081,
  since: 0,
  connections: null,
  problem: null,
  notice: null,
  refused: null,
  certificate: null,
  offers: [],
};

const well: Facts = {
  platform: 'linux',
  session,
  servers: [http],
  project: { path: '/home/ada/shop', name: 'shop', trusted: true },
  clients: [],
  settings: settings.parse({ version: 1 }),
};

const gone = (problem: string | null, lacksSbcl = false): Facts => ({
  ...well,
  session: { ...session, state: 'gone', pid: null, problem, lacksSbcl },
});

const check = (facts: Facts, id: Check['id']): Check => checksOf(facts).find((each) => each.id === id)!;
const titles = ({ repairs }: Check): string[] => repairs.map(({ title }) => title);

test('With an image, a port and a trusted folder everything is ready, without a client, a sandbox or Quicklisp', () => {
  const checks = checksOf(well);
  expect(isAllReady(checks)).toBe(true);
  expect(summaryOf(checks)).toBe('Everything is ready.');
  expect(checks.map(({ state }) => state)).not.toContain('failed');
});

test('While the image starts nothing needs the person, and nothing is called ready before it is', () => {
  const checks = checksOf({ ...well, session: { ...session, state: 'starting', pid: null, building: true } });
  expect(isAllReady(checks)).toBe(false);
  expect(summaryOf(checks)).toBe('The image is starting. The editor already works.');
  expect(checks.find(({ id }) => id === 'image')!.words).toBe('The core is being built, once for this SBCL.');
});

test('The library tool that the image uses is named, and one is optional', () => {
  expect(check(well, 'libraries')).toMatchObject({ state: 'optional' });
  const libraryTool = { kind: 'qlot', path: '/home/ada/shop/.qlot/setup.lisp' } as const;
  expect(check({ ...well, session: { ...session, libraryTool } }, 'libraries')).toMatchObject({
    state: 'ready',
    words: 'ASDF and qlot are available.',
  });
});

test.each([
  ['linux', 'sudo apt-get install sbcl'],
  ['darwin', 'brew install sbcl'],
  ['win32', 'winget install SBCL.SBCL'],
])('Without an SBCL on %s its check has failed, with the command that installs one', (platform, install) => {
  const facts = { ...gone('SBCL is not installed.', true), platform };
  const found = check(facts, 'sbcl');
  expect(found).toMatchObject({ state: 'failed', log: 'SBCL is not installed.' });
  expect(found.repairs).toContainEqual({ title: `Copy “${install}”`, copies: install });
  expect(titles(found).slice(0, 2)).toEqual(['Choose SBCL…', 'Try again']);
  expect(check(facts, 'image')).toMatchObject({ state: 'attention', log: null });
  expect(summaryOf(checksOf(facts))).toBe('2 lines need your attention. The editor already works.');
});

test('An image that ended is not the fault of SBCL: it can be started, and its output looked at', () => {
  const facts = gone('The image ended with exit code 7.');
  expect(check(facts, 'sbcl').state).toBe('ready');
  expect(check(facts, 'image')).toMatchObject({ state: 'failed', log: 'The image ended with exit code 7.' });
  expect(titles(check(facts, 'image'))).toEqual(['Start', 'Show the output']);
});

test('A folder without trust, and another port than was wanted, need attention', () => {
  const facts: Facts = {
    ...well,
    project: { ...well.project!, trusted: false },
    servers: [{ ...http, port: 9082, notice: 'Port 9081 is taken, so 9082 is used.' }],
  };
  expect(check(facts, 'project')).toMatchObject({ state: 'attention', repairs: [{ title: 'Trust', does: 'trust' }] });
  expect(check(facts, 'server')).toMatchObject({ state: 'attention' });
  expect(check(facts, 'server').words).toContain('Port 9081 is taken');
});

test('A server for clients that the person stopped is no fault, and leads to the servers', () => {
  const off = { ...well, servers: [{ ...http, state: 'off' as const, address: null, port: null }] };
  expect(check(off, 'server')).toMatchObject({ state: 'optional', repairs: [{ command: 'servers.show' }] });
  const starting = { ...well, servers: [{ ...http, state: 'starting' as const, address: null, port: null }] };
  expect(check(starting, 'server').state).toBe('underway');
});
