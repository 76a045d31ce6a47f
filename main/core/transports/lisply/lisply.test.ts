import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;

beforeAll(async () => {
  bench = await openTestWorkbench();
}, 120_000);

afterAll(() => bench.close());

async function evaluate(
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; answer: unknown }> {
  const response = await bench.fetch('/lisply/lisp-eval', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, answer: JSON.parse(await response.text()) };
}

describe('Lisply', () => {
  it('Lisply answers pong to a ping [L3, L6, L35]', async () => {
    const response = await bench.fetch('/lisply/ping-lisp');
    expect([response.status, await response.text()]).toEqual([200, 'pong']);
  });

  it("GET /lisply/tools/list returns exactly the two tools with the contract's schemas [L5, L10–L14, L36]", async () => {
    expect(await (await bench.fetch('/lisply/tools/list')).json()).toEqual({
      tools: [
        {
          name: 'lisp_eval',
          description: 'Evaluates Lisp code directly within the Lisply environment',
          inputSchema: {
            type: 'object',
            properties: {
              code: { type: 'string', description: 'The Lisp code to evaluate' },
              package: { type: 'string', description: 'The package to use for the evaluation (optional)' },
            },
            required: ['code'],
          },
        },
        {
          name: 'ping_lisp',
          description: 'Checks if the Lisply backend is available',
          inputSchema: { type: 'object', properties: {} },
        },
      ],
    });
  });

  it.each<[string, unknown, unknown]>([
    ['a value [L1, L2, L4, L7, L8, L37]', { code: '(+ 1 2 3)' }, { success: true, result: '6', stdout: '' }],
    [
      'output apart from the result [L23]',
      { code: '(progn (princ "hi") :done)' },
      { success: true, result: ':DONE', stdout: 'hi' },
    ],
    ['mode ignored [L14, L39]', { code: '1', mode: 'stdio' }, { success: true, result: '1', stdout: '' }],
    ['no package as null', { code: '1', package: null }, { success: true, result: '1', stdout: '' }],
  ])('Lisply evaluates and answers as the contract says: %s', async (_name, body, answer) => {
    expect(await evaluate(body)).toEqual({ status: 200, answer });
  });

  it('Lisply takes a package in lower case [L38]', async () => {
    await evaluate({ code: '(defpackage :gdl-user (:use :cl))' });
    expect(await evaluate({ code: '(package-name *package*)', package: 'gdl-user' })).toEqual({
      status: 200,
      answer: { success: true, result: '"GDL-USER"', stdout: '' },
    });
  });

  it('Lisply reports an error with the output so far in it [L9, decision 24]', async () => {
    const { answer } = await evaluate({ code: '(progn (princ "before") (error "Broken"))' });
    expect(answer).toMatchObject({
      success: false,
      error: expect.stringMatching(/before[\s\S]*SIMPLE-ERROR\nBroken/) as unknown,
      stdout: 'before',
    });
  });

  it('Lisply parses JSON whatever the Content-Type [decision 24]', async () => {
    expect(await evaluate({ code: '1' }, { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 200,
      answer: { result: '1' },
    });
  });

  it.each<[string, unknown]>([
    ['no JSON', '{code}'],
    ['no code', {}],
    ['code that is no string', { code: 1 }],
    ['a package that is no string', { code: '1', package: 1 }],
    ['no object', '[]'],
  ])('Lisply refuses %s with a message', async (_name, body) => {
    const { status, answer } = await evaluate(body);
    expect({ status, answer }).toMatchObject({
      status: 400,
      answer: { success: false, error: expect.any(String) as unknown },
    });
  });

  it('Lisply wants the token [K1]', async () => {
    expect((await fetch(`${bench.url}/lisply/ping-lisp`)).status).toBe(401);
  });

  it('Lisply says where a text of more than 1 MiB goes on, and the same client reads it there [K1]', async () => {
    const value = '(make-string 190000 :initial-element #\\λ)';
    const code = `(progn (dotimes (i 6) (write-string (make-string 160000 :initial-element #\\λ))) (values ${`${value} `.repeat(5)}))`;
    const { answer } = (await evaluate({ code })) as { answer: { result: string; stdout: string } };
    const reader = await bench.connect();
    for (const [text, all] of [
      [answer.result, 5 * 190_000],
      [answer.stdout, 960_000],
    ] as const) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
      let whole = text;
      let page = text;
      for (
        let next = /They are stored for an hour: read (\S+) as/.exec(page);
        next;
        next = /They are stored for an hour: read (\S+) as/.exec(page)
      ) {
        page = (await reader.call('read-file', { path: next[1]! })).text;
        whole += page;
      }
      expect(whole.replaceAll(/[^λ]/g, '').length).toBe(all);
    }
  });

  it('Lisply says what is left out of a huge value, gives a long error whole, and brings what threads printed since [issue 35.1]', async () => {
    const { answer } = await evaluate({ code: '(make-string 300000 :initial-element #\\a)' });
    expect((answer as { result: string }).result).toMatch(/a … 100002 characters not shown\. The value is in \*: /);
    const failed = await evaluate({ code: '(error (make-string 50000 :initial-element #\\b))' });
    expect((failed.answer as { error: string }).error).not.toContain('not shown');
    const printed = new Promise<void>((resolve) => {
      bench.workbench.session.events.on('output', ({ text }) => text.includes('LATE') && resolve());
    });
    await evaluate({ code: '(progn (sb-thread:make-thread (lambda () (sleep 0.2) (format t "LATE"))) 1)' });
    await printed;
    expect((await evaluate({ code: '(progn (format t "now") 1)' })).answer).toEqual({
      success: true,
      result: '1',
      stdout:
        '; Printed later by threads or timers of your earlier evaluations:\nLATE\n; Printed by this evaluation:\nnow',
    });
  });

  it('Lisply sends white space while a long evaluation runs', async () => {
    const response = await bench.fetch('/lisply/lisp-eval', {
      method: 'POST',
      body: JSON.stringify({ code: '(progn (sleep 5) :slow)' }),
    });
    expect(await response.text()).toMatch(/^ +\{"success":true,"result":":SLOW","stdout":""\}$/);
  });
});

describe('Lisply without a token', () => {
  it('Lisply without a token is served only when it was asked for [decision 24]', async () => {
    const open = await openTestWorkbench({ anonymousLisply: { id: 'client:open', kind: 'client', name: 'open' } });
    try {
      expect(await (await fetch(`${open.url}/lisply/ping-lisp`)).text()).toBe('pong');
      expect((await fetch(`${open.url}/mcp`, { method: 'POST' })).status).toBe(401);
    } finally {
      await open.close();
    }
  });
});
