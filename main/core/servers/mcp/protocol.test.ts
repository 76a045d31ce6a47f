import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolsOf } from '#core/tools/profile.ts';
import { levelOf } from '#core/tools/tool.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
}, 120_000);

afterAll(() => bench.close());

/** Posts raw JSON-RPC on the connection of `client`'s kind, without the SDK's help. */
async function post(
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: Record<string, unknown> }> {
  const response = await bench.fetch('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
  return { status: response.status, json: JSON.parse(json) as Record<string, unknown> };
}

function errorOf(promise: Promise<unknown>): Promise<{ code: number; message: string }> {
  return promise.then(
    () => Promise.reject(new Error('The call should have failed.')),
    (error: { code: number; message: string }) => ({
      code: error.code,
      message: error.message.replace(/^MCP error -?\d+: /, ''),
    }),
  );
}

describe('tools/list', () => {
  it('E1 E2 publishes evaluate-lisp as the contract has it', async () => {
    const { tools } = await client.client.listTools();
    const tool = tools.find(({ name }) => name === 'evaluate-lisp')!;
    expect(tool.description).toContain(
      'Evaluate Common Lisp code in a persistent REPL session. Definitions and variables persist across calls.',
    );
    expect(tool.inputSchema).toMatchObject({
      type: 'object',
      required: ['code'],
      properties: {
        code: {
          type: 'string',
          description: 'Common Lisp expression(s) to evaluate. Can be a single form or multiple forms.',
        },
        package: {
          type: 'string',
          description: 'Package context for evaluation. Defaults to CL-USER or the last-used package.',
        },
        'capture-time': {
          type: 'boolean',
          description: expect.stringContaining('include timing information') as unknown,
        },
      },
    });
  });

  it('X17 decision 1 names tools in kebab-case with their level in the annotations', async () => {
    const { tools } = await client.client.listTools();
    const published = tools.map(({ name, annotations }) => ({ name, ...annotations }));
    const expected = toolsOf('standard').map((tool) => {
      const safe = levelOf(tool, { shared: true }) === 'safe';
      return {
        name: tool.name.replaceAll('_', '-'),
        title: tool.title,
        readOnlyHint: safe,
        destructiveHint: !safe,
        idempotentHint: safe,
        openWorldHint: tool.openWorld,
      };
    });
    expect(published).toEqual(expected);
    expect(published).toContainEqual(expect.objectContaining({ name: 'describe-symbol', readOnlyHint: true }));
    expect(published).toContainEqual(expect.objectContaining({ name: 'evaluate-lisp', readOnlyHint: false }));
  });
});

describe('T11 errors of the protocol are -32602 with a message that helps', () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    ['T10 X26 an unknown tool', 'invalid-tool-name', {}, 'Unknown tool: invalid-tool-name'],
    [
      'a missing argument',
      'evaluate-lisp',
      {},
      'Invalid arguments for evaluate-lisp: code is required and must be a string',
    ],
    [
      'a wrong type',
      'evaluate-lisp',
      { code: 7 },
      'Invalid arguments for evaluate-lisp: code must be a string, not a number',
    ],
    [
      'a wrong optional type',
      'evaluate-lisp',
      { code: '1', 'capture-time': 'yes' },
      'Invalid arguments for evaluate-lisp: capture-time must be a boolean, not a string',
    ],
    [
      'an unknown argument',
      'evaluate-lisp',
      { code: '1', cod: 1 },
      'Invalid arguments for evaluate-lisp: unknown parameter "cod" (known: code, package, capture-time)',
    ],
    [
      'a value out of range',
      'list-definitions',
      { type: 'things' },
      'Invalid arguments for list-definitions: type must be one of all, functions, variables, macros, classes, systems',
    ],
    [
      'too small a number',
      'get-repl-history',
      { limit: 0 },
      'Invalid arguments for get-repl-history: limit must be at least 1',
    ],
    [
      'too large a number',
      'list-directory',
      { depth: 11 },
      'Invalid arguments for list-directory: depth must be at most 10',
    ],
    [
      'half a number',
      'read-buffer',
      { start: 1.5 },
      'Invalid arguments for read-buffer: start must be a whole number, not a number',
    ],
    [
      'a text in place of a list',
      'invoke-restart',
      { restart: 0, arguments: '1' },
      'Invalid arguments for invoke-restart: arguments must be an array, not a string',
    ],
    ['an empty path', 'read-file', { path: '' }, 'Invalid arguments for read-file: path must not be empty'],
  ])('%s', async (_name, name, args, message) => {
    expect(await errorOf(client.client.callTool({ name, arguments: args }))).toEqual({ code: -32602, message });
  });

  it('decision 1 both spellings of a name are accepted', async () => {
    expect(
      [await client.call('evaluate_lisp', { code: '1' }), await client.call('evaluate-lisp', { code: '1' })].map(
        ({ text }) => text,
      ),
    ).toEqual(['=> 1', '=> 1']);
  });

  it('decision 2 arguments may be left out where none are needed', async () => {
    const reply = await client.client.callTool({ name: 'get-last-error' });
    expect(reply.isError).toBe(false);
  });
});

describe('T1 T2 messages that are no calls', () => {
  it.each<[string, unknown, number, number]>([
    ['no JSON', '{"jsonrpc": "2.0", ', 400, -32700],
    ['no UTF-8', '\ud800', 400, -32700],
    ['an array in place of a message', [1], 200, -32600],
    ['another jsonrpc', { jsonrpc: '1.0', id: 1, method: 'ping' }, 200, -32600],
    [
      'a name that is no string',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 7, arguments: {} } },
      200,
      -32602,
    ],
    [
      'arguments that are no object',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'evaluate-lisp', arguments: 'x' } },
      200,
      -32602,
    ],
    [
      'arguments that are null',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'evaluate-lisp', arguments: null } },
      200,
      -32602,
    ],
    ['params that are no object', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: 5 }, 200, -32602],
  ])('%s', async (_name, body, status, code) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status, json: { jsonrpc: '2.0', error: { code } } });
    expect(await client.evaluate('(+ 1 2 3)')).toBe('=> 6');
  });

  it('an unknown method is -32601', async () => {
    expect(await errorOf(client.client.request({ method: 'no/such' }, {} as never))).toMatchObject({
      code: -32601,
    });
  });
});

describe('K1 the guard of the live server', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  it.each<[string, Record<string, string>, number]>([
    ['no token', { authorization: '' }, 401],
    ['a wrong token', { authorization: 'Bearer lwb_wrong' }, 401],
    ['an Origin', { origin: 'http://localhost:1234' }, 403],
    ['the Origin null', { origin: 'null' }, 403],
    ['text/plain', { 'content-type': 'text/plain' }, 415],
  ])('refuses %s', async (_name, headers, status) => {
    expect((await post(call, headers)).status).toBe(status);
  });

  it('case 1 refuses another Host', async () => {
    const { request } = await import('node:http');
    const { port } = new URL(bench.url);
    const status = await new Promise<number>((resolve, reject) => {
      request(
        {
          host: '127.0.0.1',
          port,
          path: '/mcp',
          headers: { host: `evil.example:${port}`, authorization: `Bearer ${bench.token}` },
        },
        (response) => resolve(response.statusCode!),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });

  it('refuses a body of more than 4 MiB, and goes on', async () => {
    expect((await post(`"${'x'.repeat(4 * 1024 * 1024)}"`)).status).toBe(413);
    expect(await client.evaluate('(+ 1 2 3)')).toBe('=> 6');
  });

  it('case 5 does not take a token from the address or a cookie', async () => {
    const response = await fetch(`${bench.url}/mcp?token=${bench.token}`, {
      method: 'POST',
      headers: { cookie: `token=${bench.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    expect(response.status).toBe(401);
  });

  it('case 4 ends the session of a client whose token was revoked', async () => {
    const other = await bench.connect('leaver');
    expect(await other.evaluate('1')).toBe('=> 1');
    await bench.workbench.clients.revoke('client:leaver');
    await expect(other.evaluate('1')).rejects.toThrow(/401|Unauthorized|bearer/i);
  });
});

describe('K1 an answer', () => {
  it('has at most 1 MiB of text, cut between characters, and says what is missing', async () => {
    await writeFile(path.join(bench.project, 'long.txt'), `x${'λ'.repeat(600_000)}`);
    const { text } = await client.call('read-file', { path: 'long.txt' });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
    const [shown, rest] = text.split('\n');
    expect(shown).toMatch(/^xλ+$/);
    expect(rest).toMatch(new RegExp(`^… ${600_001 - shown!.length} more characters are not shown\\.`));
  });

  it('gives the rest by a handle, page by page, as a file and as a resource, to that client alone', async () => {
    const whole = Array.from({ length: 300_000 }, (_, n) => `line ${n}`).join('\n');
    await writeFile(path.join(bench.project, 'pages.txt'), whole);
    let all = '';
    let next: string | undefined = 'pages.txt';
    const handles: string[] = [];
    while (next !== undefined) {
      const { text, isError } = await client.call('read-file', { path: next });
      expect([isError, Buffer.byteLength(text) <= 1024 * 1024]).toEqual([false, true]);
      const [, page, more] = /^([^]*?)(?:\n… \d+ more characters are not shown\. They go on at (\S+), .*)?$/.exec(
        text,
      )!;
      all += page;
      next = more;
      if (more) handles.push(more);
    }
    expect(all === whole).toBe(true);
    expect(handles.length).toBe(Math.floor(Buffer.byteLength(whole) / (1024 * 1024 - 1024)));
    const [handle] = handles;
    const { contents } = await client.client.readResource({ uri: handle! });
    expect((contents[0] as { text: string }).text).toBe((await client.call('read-file', { path: handle! })).text);
    const other = await bench.connect('curious');
    expect(await other.call('read-file', { path: handle! })).toMatchObject({ isError: true });
    await expect(other.client.readResource({ uri: handle! })).rejects.toThrow(/no resource/);
    for (const wrong of [`${handle}0`, 'lisp-workbench://replies/', `${handle}/../1`])
      expect((await client.call('read-file', { path: wrong })).text).toMatch(/^Tool error: No long reply of yours/);
  });

  it('of data that is too large says so, and gives them by a handle', async () => {
    await client.evaluate(
      `(defclass wide () (${Array.from({ length: 400 }, (_, n) => `(slot-${n} :documentation "${'d'.repeat(3000)}")`).join(' ')}))`,
    );
    const { text, isError } = await client.call('class-slots', { class: 'wide' });
    expect([isError, text]).toEqual([true, expect.stringMatching(/more than can be sent at once\. Ask for less/)]);
    const [handle] = /lisp-workbench:\/\/replies\/\S+(?=,)/.exec(text)!;
    const first = (await client.call('read-file', { path: handle })).text;
    expect(first).toMatch(/^\{".*slot-0/i);
  });

  it('to a body with a name twice is a clean error', async () => {
    const twice = '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}';
    expect(await post(twice)).toMatchObject({ status: 400, json: { error: { code: -32700 } } });
  });
});

describe('T12 requests', () => {
  it('are answered with their own id', async () => {
    const answer = await post({
      jsonrpc: '2.0',
      id: 'my-id',
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    });
    expect(answer.json).toMatchObject({
      jsonrpc: '2.0',
      id: 'my-id',
      result: { serverInfo: { name: 'lisp-workbench' } },
    });
  });
});
