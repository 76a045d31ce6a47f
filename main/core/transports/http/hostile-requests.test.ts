/**
 * Messages and connections that are malformed, misleading or too numerous, sent through the real transports. Each gets a proper answer, and
 * other clients are not affected.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { BODY_LIMIT } from './request-checks.ts';
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

/** Opens a session of the older version of the protocol, and returns its header. */
async function openSession(headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const opened = await post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }), headers);
  await opened.text();
  return { 'mcp-session-id': opened.headers.get('mcp-session-id')! };
}

describe('body that is wrong or misleading', () => {
  const call = (args: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"evaluate-lisp","arguments":${args}}}`;
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  const run = '(defvar *seen* 1)';
  let session: Record<string, string>;

  beforeAll(async () => {
    session = await openSession();
  });

  it('A body with nothing wrong in it is run [K1, case 9]', async () => {
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
  ])('A wrong body has a clean error at both routes and does not run: %s [K1, case 9]', async (_what, args, status) => {
    const mcp = await post('/mcp', latin1(call(args)), session);
    expect(mcp.status).toBe(status);
    expect(await mcp.json()).toHaveProperty('error');
    const lisply = await post('/lisply/lisp-eval', latin1(args));
    expect(lisply.status).toBe(status);
    expect(await lisply.json()).toMatchObject({ success: false, error: expect.any(String) as string });
    expect(await client.evaluate("(boundp '*seen*)")).toBe('=> NIL');
  });

  it.each(['9223372036854775808', '-9007199254740993', '1.5', '1e400', 'true', '{}', '[1]'])(
    'An id %s, which could not come back as it was sent, is refused without an id [K1, case 9]',
    async (id) => {
      const answer = await post('/mcp', call(`{"code":"${run}"}`).replace('"id":1', `"id":${id}`), session);
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
      expect(await client.evaluate("(boundp '*seen*)")).toBe('=> NIL');
    },
  );

  it('Bodies of random octets are answered, each with an error, and hurt nobody [K1, case 9]', async () => {
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

describe('body of another type', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp'])(
    'A body of type %s, as any web page can post it, is refused before it is read [K1, case 3]',
    async (type) => {
      const answer = await post('/mcp', '{"no JSON', { 'content-type': type });
      expect([answer.status, await answer.json()]).toEqual([
        415,
        { error: expect.stringMatching(/must be JSON/) as string },
      ]);
    },
  );
});

describe('request whose parts disagree', () => {
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
  ])('A request whose headers and body disagree is refused and not run: %s [K1, case 11]', async (_what, headers) => {
    const answer = await send(headers);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32020 }) as object }),
    ]);
    await nothingRan();
  });

  it('A request of a version that nobody knows is told the supported ones [K1, case 11]', async () => {
    const answer = await send({}, '2099-01-01');
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({
        error: expect.objectContaining({ data: { supported: [VERSION], requested: '2099-01-01' } }) as object,
      }),
    ]);
    await nothingRan();
  });

  it('The endpoint answers the older era too: an unknown version is offered a supported one, and refused later [K1, case 11]', async () => {
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

describe('idle connections', () => {
  it('A client is told that its connection stays open for over a minute between its calls, so that it does not lose one', async () => {
    const answer = await bench.fetch('/lisply/ping-lisp');
    expect([answer.status, answer.headers.get('keep-alive')]).toEqual([200, 'timeout=75']);
  });

  it('Connections whose headers never end are bounded, 600 of them, and a client and the person are answered meanwhile [K1, K6, case 10]', async () => {
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

  it('One client holds 64 streams and no more, and another client and the person are answered meanwhile [K1, K6, case 10]', async () => {
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

  /** Evaluates code in the person's REPL, and returns the answer. */
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

describe('another client', () => {
  const loop =
    '{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"evaluate-lisp","arguments":{"code":"(loop (sleep 0.01))"}}}';
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}';

  it('Another client finds no session of mine, and cancels nothing of mine by the number of my request [K4, case 20]', async () => {
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
        {
          jsonrpc: '2.0',
          id: null,
          error: {
            code: -32001,
            message: expect.stringMatching(/^Session not found: it has ended\. Send initialize again/) as unknown,
          },
        },
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

describe('requests that mislead or never end', () => {
  /** Sends raw octets. Returns everything received until the connection ends. */
  async function raw(port: number, text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    socket.on('error', () => {});
    socket.write(text);
    await once(socket, 'close');
    return heard;
  }

  const head = (host: string, line: string): string =>
    `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${bench.token}\r\n`;

  it('A request is refused where a second Host or a whole URI names another host', async () => {
    const { host, port } = new URL(bench.url);
    const lines = [
      `${head(host, 'GET /lisply/ping-lisp')}Host: evil.example\r\n\r\n`,
      `${head(host, `GET http://evil.example/lisply/ping-lisp`)}\r\n`,
      `${head(host, `GET http://${host}/lisply/ping-lisp`)}\r\n`,
    ];
    const answers = await Promise.all(lines.map((line) => raw(Number(port), line)));
    expect(answers.map((answer) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])).toEqual(['400', '403', '200']);
  });

  it('A request ends when its body does not arrive', async () => {
    const server = new HttpServer(bench.workbench.transportHost, { anonymousLisply: null, bodyMs: 300 });
    const port = await server.listen({ port: 0, address: '127.0.0.1', moreHosts: [], certificate: null });
    const slow = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${bench.token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => raw(port, slow)));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 408[^]*did not arrive within 0\.3 seconds/);
    await server.close();
  });
});

describe('port that somebody else has', () => {
  it.each(['127.0.0.1', '0.0.0.0'])(
    'A port held at %s is not shared: the transport does not open, and says why [K1, case 8]',
    async (address) => {
      const impostor = createServer();
      await new Promise<void>((resolve) => impostor.listen(0, address, resolve));
      const { port } = impostor.address() as { port: number };
      const server = new HttpServer(bench.workbench.transportHost, { anonymousLisply: null });
      const place = { port, address: '127.0.0.1', moreHosts: [], certificate: null };
      await expect(server.listen(place)).rejects.toThrow(
        process.platform === 'linux' ? `(pid ${process.pid})` : `Port ${port} is taken by`,
      );
      await server.close();
      impostor.close();
    },
  );
});
