/** Messages and connections that are wrong, misleading or too many, through the real doors: each has a clean answer, and others go on. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/session.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { BODY_LIMIT } from './guard.ts';
import { HttpServer } from './http-server.ts';

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect('honest');
  await client.evaluate('1');
}, 120_000);

afterAll(() => bench.close());

function post(route: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return bench.fetch(route, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: body as string });
}

/** The header of a session of the older era. */
async function openSession(headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const opened = await post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }), headers);
  await opened.text();
  return { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
}

describe('K1 case 9 a body that is wrong or misleading', () => {
  const call = (args: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"evaluate-lisp","arguments":${args}}}`;
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  const run = '(defvar *seen* 1)';
  let session: Record<string, string>;

  beforeAll(async () => {
    session = await openSession();
  });

  it('is run when nothing is wrong with it', async () => {
    await (await post('/mcp', call('{"code":"(defvar *well* 1)"}'), session)).text();
    await (await post('/lisply/lisp-eval', '{"code":"(defvar *well-too* 1)"}')).text();
    expect(await client.evaluate("(list (boundp '*well*) (boundp '*well-too*))")).toBe('=> (T T)');
  });

  it.each<[string, string, number]>([
    ['100,000 levels deep', `{"code":"${run}","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    ['65 levels deep', `{"code":"${run}","x":${'['.repeat(64)}${']'.repeat(64)}}`, 400],
    ['a name twice, so that two readers see two codes', `{"code":"1","code":"${run}"}`, 400],
    ['a name twice, once escaped', String.raw`{"code":"1","\u0063ode":"${run}"}`, 400],
    ['no UTF-8 in a string', `{"code":"${run} ;\xff"}`, 400],
    ['an overlong encoding', `{"code":"${run} ;\xc0\xaf"}`, 400],
    ['NaN', `{"code":"${run}","x":NaN}`, 400],
    ['cut off', `{"code":"${run}"`, 400],
    ['one octet more than allowed', `{"code":"${run}${' '.repeat(BODY_LIMIT)}"}`, 413],
  ])('has a clean error at both routes and nothing of it runs: %s', async (_what, args, status) => {
    const mcp = await post('/mcp', latin1(call(args)), session);
    expect(mcp.status).toBe(status);
    expect(await mcp.json()).toHaveProperty('error');
    const lisply = await post('/lisply/lisp-eval', latin1(args));
    expect(lisply.status).toBe(status);
    expect(await lisply.json()).toMatchObject({ success: false, error: expect.any(String) as string });
    expect(await client.evaluate("(boundp '*seen*)")).toBe('=> NIL');
  });

  it.each(['9223372036854775808', '-9007199254740993', '1.5', '1e400', 'true', '{}', '[1]'])(
    'an id %s, which could not come back as it was sent, is refused without an id',
    async (id) => {
      const answer = await post('/mcp', call(`{"code":"${run}"}`).replace('"id":1', `"id":${id}`), session);
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
      expect(await client.evaluate("(boundp '*seen*)")).toBe('=> NIL');
    },
  );

  it('bodies of random octets are answered, each with an error, and hurt nobody', async () => {
    let seed = 7;
    const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      'null',
      '1e9',
      '"jsonrpc":"2.0"',
      '"id":',
      '\xff',
      '\0',
      ' ',
    ];
    for (let round = 0; round < 300; round += 1) {
      const text = Array.from({ length: next(40) }, () => pieces[next(pieces.length)]).join('');
      const answer = await post('/mcp', latin1(text), session);
      expect([answer.status, text]).toEqual([expect.toBeOneOf([200, 400]), text]);
      expect(await answer.json()).toHaveProperty('error');
    }
    expect(await client.evaluate('(+ 1 2)')).toBe('=> 3');
  });
});

describe('K1 case 3 a body of another type', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp'])(
    '%s, as any web page can post it, is refused before it is read',
    async (type) => {
      const answer = await post('/mcp', '{"no JSON', { 'content-type': type });
      expect([answer.status, await answer.json()]).toEqual([
        415,
        { error: expect.stringMatching(/must be JSON/) as string },
      ]);
    },
  );
});

describe('K1 case 11 a request whose parts disagree', () => {
  const VERSION = '2026-07-28';
  const send = (headers: Record<string, string | null>, version = VERSION): Promise<Response> => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'evaluate-lisp', arguments: { code: '(defvar *disagreed* 1)' }, _meta };
    const all = {
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': 'evaluate-lisp',
      ...headers,
    };
    const kept = Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null));
    return post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }), kept);
  };
  const nothingRan = async (): Promise<void> => expect(await client.evaluate("(boundp '*disagreed*)")).toBe('=> NIL');

  it.each<[string, Record<string, string | null>]>([
    ['the method', { 'mcp-method': 'tools/list' }],
    ['no method', { 'mcp-method': null }],
    ['the name of the tool', { 'mcp-name': 'describe-symbol' }],
    ['the version', { 'mcp-protocol-version': '2025-11-25' }],
  ])('in headers and body is refused and not run: %s', async (_what, headers) => {
    const answer = await send(headers);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32020 }) as object }),
    ]);
    await nothingRan();
  });

  it('of a version that nobody knows is told the supported ones', async () => {
    const answer = await send({}, '2099-01-01');
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({
        error: expect.objectContaining({ data: { supported: [VERSION], requested: '2099-01-01' } }) as object,
      }),
    ]);
    await nothingRan();
  });

  it('the same endpoint answers the older era too: an unknown version is offered one that is supported, later it is refused', async () => {
    const opening = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
    };
    const opened = await post('/mcp', JSON.stringify(opening));
    expect(await opened.text()).toContain('"protocolVersion":"2025-11-25"');
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    const refused = await post('/mcp', list, { ...session, 'mcp-protocol-version': '1999-01-01' });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/supported.*2025-11-25/i)]);
    expect((await post('/mcp', list, { ...session, 'mcp-protocol-version': '2025-11-25' })).status).toBe(200);
  });
});

describe('K1 K6 case 10 too many who do nothing', () => {
  it('600 connections whose headers never end are bounded, and a client and the person are answered meanwhile', async () => {
    const sockets: Socket[] = [];
    for (let index = 0; index < 600; index += 1) {
      const socket = connect(Number(new URL(bench.url).port), '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write('POST /mcp HTTP/1.1\r\nHost: ');
    }
    const open = () => sockets.filter((socket) => !socket.closed).length;
    await expect.poll(open).toBeLessThanOrEqual(512);
    expect(open()).toBeGreaterThan(500);
    expect(await client.evaluate('(+ 1 2)')).toBe('=> 3');
    expect(await person('(+ 2 3)')).toBe('5');
    for (const socket of sockets) socket.destroy();
  });

  it('one client holds 64 streams and no more; another client and the person are answered meanwhile', async () => {
    const { token } = await bench.workbench.clients.mint('greedy');
    const streams: IncomingMessage[] = [];
    const opening = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const authorization = `Bearer ${token}`;
    const openStream = async (session: string): Promise<number> => {
      const request = get(`${bench.url}/mcp`, {
        agent: false,
        headers: { authorization, accept: 'text/event-stream', 'mcp-session-id': session },
      });
      request.on('error', () => {});
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.on('error', () => {});
      streams.push(response);
      return response.statusCode!;
    };
    const statuses: number[] = [];
    for (let index = 0; index < 80; index += 1) {
      const opened = await post('/mcp', JSON.stringify(opening), { authorization, connection: 'close' });
      await opened.text();
      const session = opened.headers.get('mcp-session-id');
      statuses.push(session === null ? opened.status : await openStream(session));
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(65);
    expect(new Set(statuses.slice(65))).toEqual(new Set([403]));
    expect(await client.evaluate('(+ 1 2)')).toBe('=> 3');
    expect(await person('(+ 2 3)')).toBe('5');
    for (const stream of streams) stream.destroy();
  });

  /** What the person's REPL answers. */
  async function person(code: string): Promise<string> {
    const { report } = await bench.workbench.session.evaluate({
      evaluation: randomUUID(),
      code,
      package: null,
      context: 'repl',
      actor: PERSON,
      interactive: true,
      source: null,
    });
    return report.values[0]!.text;
  }
});

describe('K4 case 20 another client', () => {
  const loop =
    '{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"evaluate-lisp","arguments":{"code":"(loop (sleep 0.01))"}}}';
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}';

  it('finds no session of mine, and cancels nothing of mine by the number of my request', async () => {
    const { workbench } = bench;
    const mine = await openSession();
    const { token } = await workbench.clients.mint('stranger');
    const authorization = `Bearer ${token}`;
    const gone = new AbortController();
    const call = bench
      .fetch('/mcp', { method: 'POST', headers: { ...JSON_HEADERS, ...mine }, body: loop, signal: gone.signal })
      .then((answer) => answer.text())
      .catch(() => 'left');
    const running = () => workbench.session.view().running?.actor.name ?? null;
    await expect.poll(running).toBe('tester');
    for (const [method, body] of [
      ['POST', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
      ['POST', cancel],
      ['GET', null],
      ['DELETE', null],
    ] as const) {
      const headers = { ...JSON_HEADERS, ...mine, authorization };
      const answer = await bench.fetch('/mcp', { method, headers, ...(body === null ? {} : { body }) });
      expect([method, answer.status, await answer.json()]).toEqual([
        method,
        404,
        expect.objectContaining({ error: { code: -32001, message: 'Session not found' } }),
      ]);
    }
    const own = await openSession({ authorization });
    expect((await post('/mcp', cancel, { ...own, authorization })).status).toBe(202);
    expect(running()).toBe('tester');
    expect((await post('/mcp', cancel, mine)).status).toBe(202);
    await expect.poll(running).toBeNull();
    gone.abort();
    await call;
  });
});

describe('K1 case 8 a port that somebody else has', () => {
  it.each(['127.0.0.1', '0.0.0.0'])(
    'held at %s is not shared with them: the door does not open, and says why',
    async (address) => {
      const impostor = createServer();
      await new Promise<void>((resolve) => impostor.listen(0, address, resolve));
      const { port } = impostor.address() as { port: number };
      const server = new HttpServer(bench.workbench.door, {
        port,
        address: '127.0.0.1',
        moreHosts: [],
        anonymousLisply: null,
      });
      await expect(server.listen()).rejects.toThrow(
        process.platform === 'linux' ? `(pid ${process.pid})` : `Port ${port} is taken by`,
      );
      await server.close();
      impostor.close();
    },
  );
});
