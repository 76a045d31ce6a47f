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
  it('L3 L6 L35 answers pong to a ping', async () => {
    const response = await bench.fetch('/lisply/ping-lisp');
    expect([response.status, await response.text()]).toEqual([200, 'pong']);
  });

  it('L5 L10 L11 L12 L13 L14 L36 lists the two tools and nothing else', async () => {
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
    ['L1 L2 L4 L7 L8 L37 a value', { code: '(+ 1 2 3)' }, { success: true, result: '6', stdout: '' }],
    [
      'L23 output apart from the result',
      { code: '(progn (princ "hi") :done)' },
      { success: true, result: ':DONE', stdout: 'hi' },
    ],
    ['L14 L39 mode ignored', { code: '1', mode: 'stdio' }, { success: true, result: '1', stdout: '' }],
    ['no package as null', { code: '1', package: null }, { success: true, result: '1', stdout: '' }],
  ])('%s', async (_name, body, answer) => {
    expect(await evaluate(body)).toEqual({ status: 200, answer });
  });

  it('L38 takes a package in lower case', async () => {
    await evaluate({ code: '(defpackage :gdl-user (:use :cl))' });
    expect(await evaluate({ code: '(package-name *package*)', package: 'gdl-user' })).toEqual({
      status: 200,
      answer: { success: true, result: '"GDL-USER"', stdout: '' },
    });
  });

  it('L9 decision 24 reports an error with the output so far in it', async () => {
    const { answer } = await evaluate({ code: '(progn (princ "before") (error "Broken"))' });
    expect(answer).toMatchObject({
      success: false,
      error: expect.stringMatching(/before[\s\S]*SIMPLE-ERROR\nBroken/) as unknown,
      stdout: 'before',
    });
  });

  it('decision 24 parses JSON whatever the Content-Type', async () => {
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
  ])('refuses %s with a message', async (_name, body) => {
    const { status, answer } = await evaluate(body);
    expect({ status, answer }).toMatchObject({
      status: 400,
      answer: { success: false, error: expect.any(String) as unknown },
    });
  });

  it('K1 wants the token', async () => {
    expect((await fetch(`${bench.url}/lisply/ping-lisp`)).status).toBe(401);
  });

  it('K1 says where a text of more than 1 MiB goes on, and the same client reads it there', async () => {
    const value = '(make-string 190000 :initial-element #\\λ)';
    const code = `(progn (dotimes (i 6) (write-string (make-string 160000 :initial-element #\\λ))) (values ${`${value} `.repeat(5)}))`;
    const { answer } = (await evaluate({ code })) as { answer: { result: string; stdout: string } };
    const reader = await bench.connect();
    for (const [text, all] of [
      [answer.result, 5 * 190_000],
      [answer.stdout, 960_000],
    ] as const) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
      const [, handle] = /They go on at (\S+),/.exec(text)!;
      const rest = (await reader.call('read-file', { path: handle! })).text;
      expect(`${text}${rest}`.replaceAll(/[^λ]/g, '').length).toBe(all);
    }
  });

  it('sends white space while a long evaluation runs', async () => {
    const response = await bench.fetch('/lisply/lisp-eval', {
      method: 'POST',
      body: JSON.stringify({ code: '(progn (sleep 5) :slow)' }),
    });
    expect(await response.text()).toMatch(/^ +\{"success":true,"result":":SLOW","stdout":""\}$/);
  });
});

describe('Lisply without a token', () => {
  it('decision 24 is served only when it was asked for', async () => {
    const open = await openTestWorkbench({ anonymousLisply: { id: 'client:open', kind: 'client', name: 'open' } });
    try {
      expect(await (await fetch(`${open.url}/lisply/ping-lisp`)).text()).toBe('pong');
      expect((await fetch(`${open.url}/mcp`, { method: 'POST' })).status).toBe(401);
    } finally {
      await open.close();
    }
  });
});
