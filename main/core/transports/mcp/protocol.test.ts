import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolsOf } from '#core/tools/tool-sets/tool-sets.ts';
import { levelOf } from '#core/tools/tool.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
}, 120_000);

afterAll(() => bench.close());

/** Posts raw JSON-RPC without the SDK, on a connection like that of `client`. */
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
  it('The method tools/list publishes evaluate-lisp as the contract has it [E1, E2]', async () => {
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

  it('The method tools/list names tools in kebab-case with their level in the annotations [X17, decision 1]', async () => {
    const { tools } = await client.client.listTools();
    const published = tools.map(({ name, annotations }) => ({ name, ...annotations }));
    const expected = toolsOf('standard').map((tool) => ({
      name: tool.name.replaceAll('_', '-'),
      readOnlyHint: levelOf(tool, { shared: true }) === 'safe',
    }));
    expect(published).toEqual(expected);
    expect(published).toContainEqual(expect.objectContaining({ name: 'describe-symbol', readOnlyHint: true }));
    expect(published).toContainEqual(expect.objectContaining({ name: 'evaluate-lisp', readOnlyHint: false }));
  });
});

describe('errors of the protocol', () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    ['an unknown tool [T10, X26]', 'invalid-tool-name', {}, 'Unknown tool: invalid-tool-name'],
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
      'Invalid arguments for evaluate-lisp: unknown parameter "cod" (known: code, package, capture-time, hold, max_bytes, timeout)',
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
  ])('A call that the protocol refuses is -32602 with a message that helps: %s', async (_name, name, args, message) => {
    expect(await errorOf(client.client.callTool({ name, arguments: args }))).toEqual({ code: -32602, message });
  });

  it("Both spellings of a tool's name are accepted [T11, decision 1]", async () => {
    expect(
      [await client.call('evaluate_lisp', { code: '1' }), await client.call('evaluate-lisp', { code: '1' })].map(
        ({ text }) => text,
      ),
    ).toEqual(['=> 1', '=> 1']);
  });

  it('Arguments may be left out where none are needed [T11, decision 2]', async () => {
    const reply = await client.client.callTool({ name: 'get-last-error' });
    expect(reply.isError).toBe(false);
  });
});

describe('messages that are no calls', () => {
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
  ])('A message that is no call is answered with the right error: %s [T1, T2]', async (_name, body, status, code) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status, json: { jsonrpc: '2.0', error: { code } } });
    expect(await client.evaluate('(+ 1 2 3)')).toBe('=> 6');
  });

  it('An unknown method is answered with -32601 [T1, T2]', async () => {
    expect(await errorOf(client.client.request({ method: 'no/such' }, {} as never))).toMatchObject({
      code: -32601,
    });
  });
});

describe('request checks of the live server', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  it.each<[string, Record<string, string>, number]>([
    ['no token', { authorization: '' }, 401],
    ['a wrong token', { authorization: 'Bearer lwb_wrong' }, 401],
    ['an Origin', { origin: 'http://localhost:1234' }, 403],
    ['the Origin null', { origin: 'null' }, 403],
    ['text/plain', { 'content-type': 'text/plain' }, 415],
  ])('The live server refuses %s [K1]', async (_name, headers, status) => {
    expect((await post(call, headers)).status).toBe(status);
  });

  it('The live server refuses another Host [K1, case 1]', async () => {
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

  it('The live server refuses a body of more than 4 MiB, and goes on [K1]', async () => {
    expect((await post(`"${'x'.repeat(4 * 1024 * 1024)}"`)).status).toBe(413);
    expect(await client.evaluate('(+ 1 2 3)')).toBe('=> 6');
  });

  it('The live server takes no token from the address or a cookie [K1, case 5]', async () => {
    const response = await fetch(`${bench.url}/mcp?token=${bench.token}`, {
      method: 'POST',
      headers: { cookie: `token=${bench.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(call),
    });
    expect(response.status).toBe(401);
  });

  it('The live server ends the session of a client whose token was revoked [K1, case 4]', async () => {
    const other = await bench.connect('leaver');
    expect(await other.evaluate('1')).toBe('=> 1');
    await bench.workbench.clients.revoke('client:leaver');
    await expect(other.evaluate('1')).rejects.toThrow(/401|Unauthorized|bearer/i);
  });
});

describe('long answers', () => {
  const LIMIT = 24 * 1024;
  const MISSING = /… \d+ characters are not shown here\. The whole text: read-file with path (\S+) …/;

  it('An answer to an evaluation has at most 8 KiB of text, with the head and the tail of its output before its value [K1, issue 35.1]', async () => {
    const { text } = await client.call('evaluate-lisp', {
      code: '(progn (dotimes (i 40000) (format t "λ~d~%" i)) :at-the-end)',
    });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192);
    expect(text).toMatch(/^\[stdout\]\nλ0\nλ1\n[^]*\nλ39998\nλ39999\n\n=> :AT-THE-END$/);
    expect(MISSING.exec(text)!.index).toBeGreaterThan(3_000);
    expect(text).not.toContain('\uFFFD');
  });

  it('An answer of two million lines has their head and their tail, and says how many characters are not kept [K1]', async () => {
    const { text } = await client.call('evaluate-lisp', {
      code: '(progn (dotimes (i 2000000) (format t "line ~d~%" i)) :at-the-end)',
    });
    // The workbench stores the first million characters of an evaluation's output, and of the rest only the end.
    expect(text).toMatch(
      /^\[stdout\]\nline 0\nline 1\n[^]* not shown here, and 23884794 more were not stored\. [^]*\nline 1999999\n\n=> :AT-THE-END$/,
    );
  }, 120_000);

  it('An answer that is an error ends with the error, whatever was printed before it [K1, issue 35.1]', async () => {
    const { text, isError } = await client.call('evaluate-lisp', {
      code: '(progn (dotimes (i 40000) (print i)) (error "in the end"))',
    });
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/\n39999 ?\n\n\[ERROR\] SIMPLE-ERROR\nin the end\n\n\[Backtrace\]\n/),
    ]);
  });

  it('All of a long answer is at its handle, page by page, as a file and as a resource, for that client alone [K1]', async () => {
    const code = '(progn (dotimes (i 20000) (format t "line ~d~%" i)) 1)';
    const { text: first } = await client.call('evaluate-lisp', { code });
    let all = '';
    const handle = MISSING.exec(first)![1]!;
    let next: string | undefined = handle;
    while (next !== undefined) {
      const { text, isError } = await client.call('read-file', { path: next });
      expect([isError, Buffer.byteLength(text) <= LIMIT]).toEqual([false, true]);
      const [, page, more] =
        /^([^]*?)(?:\n… \d+ more characters are not shown\. They are stored for an hour: read (\S+) as .*)?$/.exec(
          text,
        )!;
      all += page;
      next = more;
    }
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}`).join('\n');
    expect(all === `[stdout]\n${lines}\n\n=> 1`).toBe(true);
    const { contents } = await client.client.readResource({ uri: handle });
    expect((contents[0] as { text: string }).text).toBe((await client.call('read-file', { path: handle })).text);
    const other = await bench.connect('curious');
    expect(await other.call('read-file', { path: handle })).toMatchObject({ isError: true });
    await expect(other.client.readResource({ uri: handle })).rejects.toThrow(/no resource/);
    for (const wrong of [`${handle}000`, 'lisp-workbench://replies/', `${handle}/../1`])
      expect((await client.call('read-file', { path: wrong })).text).toMatch(
        /^Tool error: This long reply is no longer stored/,
      );
  });

  it('An answer holds for Codex what Codex shows of it, that of a file as well [K1]', async () => {
    const codex = await bench.connect('codex-mcp-client');
    const code = '(progn (dotimes (i 900) (format t "line ~d of some~%" i)) :at-the-end)';
    const text = await codex.evaluate(code);
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(10_000);
    expect(text).toMatch(/^\[stdout\]\nline 0 of some\n[^]*\nline 899 of some\n\n=> :AT-THE-END$/);
    const asked = { code, max_bytes: 100_000 };
    expect(JSON.stringify((await codex.call('evaluate-lisp', asked)).text).length).toBeLessThan(10_000);
    expect((await client.call('evaluate-lisp', asked)).text).toContain('\nline 450 of some\n');
    await writeFile(path.join(bench.project, 'long.txt'), 'a line of text\n'.repeat(1_000));
    const page = (await codex.call('read-file', { path: 'long.txt' })).text;
    expect(Buffer.byteLength(page)).toBeLessThan(10_000);
    expect(page).toMatch(/\n… lines 1 to 546 of 1000\. Continue with start 547;/);
  });

  it('An answer with a long file is some of its lines, with how to go on, and its outline says where what is [K1]', async () => {
    const forms = Array.from({ length: 9_000 }, (_, n) => `(defun function-${n} (x)\n  (* x ${n}))`);
    await writeFile(path.join(bench.project, 'long.lisp'), `${forms.join('\n')}\n`);
    const { text } = await client.call('read-file', { path: 'long.lisp' });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
    const [, to] = /\n… lines 1 to (\d+) of 18000\. Continue with start (\d+)/.exec(text)!;
    const next = await client.call('read-file', { path: 'long.lisp', start: Number(to) + 1, count: 2 });
    expect(next.text.split('\n').slice(0, 2)).toEqual(
      forms
        .join('\n')
        .split('\n')
        .slice(Number(to), Number(to) + 2),
    );
    expect((await client.call('read-file', { path: 'long.lisp', start: 17_999 })).text).toBe(forms.at(-1));
    const { text: outline } = await client.call('read-file', { path: 'long.lisp', outline: true });
    expect(outline.split('\n').slice(0, 2)).toEqual([
      '1-2\t(defun function-0 (x) (* x 0))',
      '3-4\t(defun function-1 (x) (* x 1))',
    ]);
    expect((await client.call('read-file', { path: 'long.lisp', offset: 18_001 })).text).toContain('has 18000 lines');
  });

  it('The answer to a body with a name twice is a clean error [K1]', async () => {
    const twice = '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}';
    expect(await post(twice)).toMatchObject({ status: 400, json: { error: { code: -32700 } } });
  });
});

describe('initialize that lacks something', () => {
  it('An initialize request that lacks something is told in words what it lacks, as bad parameters', async () => {
    const answer = await post({ jsonrpc: '2.0', id: 7, method: 'initialize', params: {} });
    expect(answer.json).toMatchObject({
      id: 7,
      error: {
        code: -32602,
        message:
          'initialize needs protocolVersion, a string such as "2025-11-25"; capabilities, an object that may be empty; clientInfo, an object with name and version.',
      },
    });
  });
});

describe('requests', () => {
  it('Requests are answered with their own id [T12]', async () => {
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
