/** Faults of clients: requests that are wrong or never end, and clients that disappear. */
import { connect } from 'node:net';
import { connectOverHttp } from '../clients.ts';
import { kill, type Served } from '../served.ts';
import { until, type Fault, type Trial } from './fault.ts';

const ACCEPT = 'application/json, text/event-stream';
const CALL =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"evaluate-lisp","arguments":{"code":"(+ 1 2)"}}}';

/** Sends a malformed POST request to MCP. Returns the status and the body of the response. */
async function post({ mcp, token }: Served, body: string, headers: Record<string, string> = {}): Promise<string> {
  const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: ACCEPT };
  const response = await fetch(mcp, { method: 'POST', headers: { ...own, ...headers }, body });
  return `${response.status} ${await response.text()}`;
}

/**
 * Writes octets to the port. Waits until the other side ends the connection or, if `leave` is true, ends it from this side. Returns the
 * received text.
 */
function raw({ mcp }: Served, octets: string, leave: boolean): Promise<string> {
  const { port, hostname } = new URL(mcp);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(octets, () => leave && socket.destroy());
    });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => {}).on('close', () => resolve(text));
  });
}

const head = (served: Served, more: string): string =>
  `POST /mcp HTTP/1.1\r\nhost: ${new URL(served.mcp).host}\r\nauthorization: Bearer ${served.token}\r\naccept: ${ACCEPT}\r\ncontent-type: application/json\r\n${more}\r\n`;

const wrong = (name: string, told: RegExp | null, send: (trial: Trial) => Promise<string>): Fault => ({
  family: 'requests',
  name,
  told,
  inject: send,
});

const requests: Fault[] = [
  wrong('JSON that is cut off', /^400 .*Parse error/m, ({ served }) => post(served(), CALL.slice(0, -20))),
  wrong('no JSON at all', /^400 .*Parse error/m, ({ served }) => post(served(), '\0\u0001\u0002 hello')),
  wrong('a body of five megabytes', /^413 /m, ({ served }) => post(served(), `${CALL}${' '.repeat(5_000_000)}`)),
  wrong('a token that nobody has', /^401 /m, ({ served }) => post(served(), CALL, { authorization: 'Bearer none' })),
  wrong('the origin of a web page', /^403 /m, ({ served }) => post(served(), CALL, { origin: 'https://example.org' })),
  wrong('another host', /^HTTP\/1.1 4\d\d /, ({ served }) =>
    raw(
      served(),
      head(served(), `content-length: ${CALL.length}\r\nconnection: close\r\n`).replace(
        /host: [^\r]*/,
        'host: example.org',
      ) + CALL,
      false,
    ),
  ),
  wrong('a session that there is not', /^40\d /m, ({ served }) => post(served(), CALL, { 'mcp-session-id': 'none' })),
  wrong('a body of another type', /^415 /m, ({ served }) => post(served(), CALL, { 'content-type': 'text/plain' })),
  wrong('a request without an end, left', null, ({ served }) =>
    raw(served(), head(served(), 'content-length: 1000\r\n') + CALL, true),
  ),
  wrong('headers without an end, left', null, ({ served }) => raw(served(), 'POST /mcp HTTP/1.1\r\nhost: 127', true)),
  wrong('a line of 100,000 characters', /^HTTP\/1.1 4\d\d |^$/, ({ served }) =>
    raw(served(), `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`, false),
  ),
  wrong('octets that are no HTTP', /^HTTP\/1.1 400 |^$/, ({ served }) =>
    raw(served(), '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', false),
  ),
  wrong('200 connections that say nothing', null, async ({ served }) => {
    await Promise.all(Array.from({ length: 200 }, () => raw(served(), 'G', true)));
    return '';
  }),
  wrong('300 calls at once', /^200 /m, async ({ served }) => {
    const modern = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'evaluate-lisp',
    };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'many', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'evaluate-lisp', arguments: { code: '(+ 1 2)' }, _meta: meta },
    });
    return (await Promise.all(Array.from({ length: 300 }, () => post(served(), body, modern)))).join('\n');
  }),
];

/** Returns a fault in which a client leaves while its call is running. */
const leaving = (
  name: string,
  leave: (trial: Trial, client: Awaited<ReturnType<typeof connectOverHttp>>, cancel: () => void) => Promise<void>,
  code: string,
): Fault => ({
  family: 'clients that leave',
  name,
  told: null,
  inject: async (trial) => {
    const client = await connectOverHttp(trial.served(), 'leaving');
    const cancelled = new AbortController();
    const call = client.evaluate(code, cancelled.signal).catch(() => '');
    await until(
      () => `${code} is not listed.`,
      async () => (await client.call('list-sessions')).text.includes(code),
    );
    await leave(trial, client, () => cancelled.abort());
    await call;
    return '';
  },
});

const leavers: Fault[] = [
  leaving(
    'a connection that breaks during a call',
    async (_trial, client) => client.drop(),
    '(loop repeat 50 do (sleep 0.01))',
  ),
  leaving(
    'a session that is ended during a call',
    async (_trial, client) => client.close(),
    '(loop while t do (sleep 0.01))',
  ),
  leaving(
    'a call that is cancelled',
    async (_trial, client, cancel) => {
      cancel();
      await until(
        () => 'Running…',
        async () => !(await client.call('list-sessions')).text.includes('(loop while t'),
      );
      await client.drop();
    },
    '(loop while t do (sleep 0.01))',
  ),
  {
    family: 'clients that leave',
    name: 'a client that leaves while a person is asked',
    told: null,
    inject: async ({ served, random }) => {
      const client = await connectOverHttp(served(), 'asking');
      const before = served().answered();
      let answer = 'not answered';
      // Each request uses a different file, because a decision about a request whose client has left is reused for the same request.
      const file = `${random.pick(['yes', 'no'])}-asked-${random.integer(1_000_000)}.txt`;
      const call = client.call('write-file', { path: file, content: 'x' }).then(
        (result) => void (answer = JSON.stringify(result)),
        (error: unknown) => void (answer = String(error)),
      );
      await until(
        () => `Nobody was asked; the call was ${answer}`,
        () => served().answered() > before || /Approve\? [^\n]*$/.test(served().said()),
      );
      await client.drop();
      await call;
      return '';
    },
  },
];

const stdio = (name: string, end: (trial: Trial) => Promise<void>): Fault => ({
  family: 'mcp on standard streams',
  name,
  told: null,
  inject: async (trial) => {
    await end(trial);
    await trial.replaceNeighbour();
    return '';
  },
});

const standardStreams: Fault[] = [
  stdio('standard input closed', async ({ neighbour }) => neighbour().close()),
  stdio('standard input closed during a call', async ({ neighbour }) => {
    const call = neighbour()
      .evaluate('(loop)')
      .catch(() => null);
    await neighbour().close();
    await call;
  }),
  ...(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal) =>
    stdio(`${signal} of mcp`, async ({ neighbour }) => void kill(neighbour().pid, signal)),
  ),
];

export const clientFaults: readonly Fault[] = [...requests, ...leavers, ...standardStreams];
