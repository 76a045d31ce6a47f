/** The back end as the usual middleware sees it. Tests each item of the contract that concerns HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { Middleware } from './middleware.fixture.ts';

let bench: TestWorkbench;
let middleware: Middleware;

beforeAll(async () => {
  bench = await openTestWorkbench({
    anonymousLisply: { id: 'client:middleware', kind: 'client', name: 'middleware' },
  });
  middleware = new Middleware(bench.url);
}, 120_000);

afterAll(async () => {
  middleware.close();
  await bench.close();
});

describe('usual middleware', () => {
  it('The middleware finds the back end up by its ping [L2, L3, L6, L12, L35]', async () => {
    expect(await middleware.isUp()).toBe(true);
    expect(await middleware.get('/lisply/ping-lisp')).toMatchObject({ text: 'pong', type: 'text/plain' });
  });

  it('The middleware is told of the two tools that it can call, without mode and http_request [L5, L10–L14, L36, L39]', async () => {
    const tools = await middleware.tools();
    expect(tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties)])).toEqual([
      ['lisp_eval', ['code', 'package']],
      ['ping_lisp', []],
    ]);
    expect(tools[0]!.inputSchema.required).toEqual(['code']);
    const { text } = await middleware.get('/lisply/tools/list');
    expect(text).not.toMatch(/http_request|mode/);
    expect((await middleware.httpRequest('/lisply/http-request', '{"path":"/"}')).status).toBe(404);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a value [L1, L4, L7, L8, L37]', { code: '(+ 1 2 3)' }, 'Result: 6, Stdout: '],
    ['several values, one a line [L1]', { code: '(floor 7 2)' }, 'Result: 3\n1, Stdout: '],
    ['no value', { code: '(values)' }, 'Result: , Stdout: '],
    ['output apart from the result [L8, L23]', { code: '(progn (princ "hi") :done)' }, 'Result: :DONE, Stdout: hi'],
    ['mode, which is not its business [L14, L39]', { code: '(+ 1 2)', mode: 'stdio' }, 'Result: 3, Stdout: '],
    ['letters of all kinds', { code: '(string-upcase "λ → 😀")' }, 'Result: "Λ → 😀", Stdout: '],
    ['several forms', { code: '(defvar *kept* 41) (incf *kept*)' }, 'Result: 42, Stdout: '],
    ['what an earlier call defined [L1]', { code: '*kept*' }, 'Result: 42, Stdout: '],
  ])('The middleware gets the text that it is made for: %s', async (_what, given, text) => {
    expect(await middleware.evaluate(given)).toBe(text);
  });

  it('The middleware names a package in lower case [L38]', async () => {
    await middleware.evaluate({ code: '(defpackage "GDL-USER" (:use :cl))' });
    const given = { code: '(package-name *package*)', package: 'gdl-user' };
    expect(await middleware.evaluate(given)).toBe('Result: "GDL-USER", Stdout: ');
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['an error', { code: '(error "Broken")' }, /SIMPLE-ERROR\nBroken/],
    ['what was printed before it', { code: '(progn (princ "so far") (error "x"))' }, /so far[^]*SIMPLE-ERROR/],
    ['a package that is not there', { code: '1', package: 'no-such' }, /PACKAGE-ERROR[^]*no-such/],
    ['text that cannot be read', { code: '(+ 1' }, /end of file|END-OF-FILE|unbalanced|not closed/i],
    ['the end of the process', { code: '(sb-ext:exit :code 3 :abort t)' }, /\S/],
    ['no code', {}, /"code" is required/],
  ])('The middleware gets a failure in words: %s [L9]', async (_what, given, error) => {
    await expect(middleware.evaluate(given)).rejects.toThrow(error);
  });

  it('The middleware waits for an evaluation that takes longer than it bears silence [L1, L23]', async () => {
    const { text, silence } = await middleware.httpRequest('/lisply/lisp-eval', '{"code":"(progn (sleep 12) :late)"}');
    expect(JSON.parse(text)).toEqual({ success: true, result: ':LATE', stdout: '' });
    expect(Math.ceil(silence / 1000)).toBeLessThanOrEqual(6);
  });

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', ''])(
    'A body in chunks is taken with the content type %j [L7]',
    async (type) => {
      const { status, text } = await middleware.httpRequest(
        '/lisply/lisp-eval',
        '{"code":"(+ 1 2 3)"}',
        type === '' ? {} : { 'content-type': type },
      );
      expect([status, JSON.parse(text)]).toEqual([200, { success: true, result: '6', stdout: '' }]);
    },
  );

  it.each([
    ['GET', '/lisply/lisp-eval', 405],
    ['POST', '/lisply/ping-lisp', 405],
    ['POST', '/lisply/tools/list', 405],
    ['GET', '/lisply', 404],
    ['GET', '/lisply/', 404],
    ['GET', '/lisply/ping-lisp/', 404],
    ['GET', '/', 404],
  ])('Nothing redirects, since the middleware would hang: %s %s is answered %i', async (method, path, status) => {
    const answer = method === 'GET' ? await middleware.get(path) : await middleware.httpRequest(path, '{}');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, { error: expect.any(String) as string }]);
  });

  it('An evaluation is interrupted when the middleware has given up', async () => {
    const gone = new AbortController();
    const given = JSON.stringify({ code: '(loop)' });
    const answer = fetch(`${bench.url}/lisply/lisp-eval`, { method: 'POST', body: given, signal: gone.signal });
    await expect.poll(() => bench.workbench.session.view().running?.actor.name).toBe('middleware');
    gone.abort();
    await answer.then((response) => response.text()).catch(() => {});
    await expect.poll(() => bench.workbench.session.view().state).toBe('idle');
  });

  it('A page cannot pass for the middleware: an Origin is refused, and so is another Host [K1, cases 1 and 2]', async () => {
    const body = '{"code":"(defvar *by-a-page* 1)"}';
    for (const headers of [{ origin: 'null' }, { host: 'evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await middleware.httpRequest('/lisply/lisp-eval', body, headers as never)).status).toBe(403);
    expect(await middleware.evaluate({ code: "(boundp '*by-a-page*)" })).toBe('Result: NIL, Stdout: ');
  });
});
