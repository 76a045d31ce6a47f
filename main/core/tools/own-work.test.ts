import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
}, 120_000);

afterAll(() => bench.close());

beforeEach(async () => {
  client = await bench.connect();
});

type Case = [title: string, args: Record<string, unknown>, isError: boolean, answer: RegExp];

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`);
}

describe('eval-form', () => {
  it.each<Case>([
    ['X18 a string as it is', { form: '(format nil "a ~S \\\\ b~%c" "q")' }, false, exactly('a "q" \\ b\nc')],
    ['X18 an empty string', { form: '""' }, false, exactly('')],
    ['X19 nil', { form: '(car nil)' }, false, exactly('nil')],
    ['X19 no value at all', { form: '(values)' }, false, exactly('nil')],
    ['X20 a list', { form: '\'(1 (2 . 3) "s")' }, false, exactly('(1 (2 . 3) "s")')],
    ['X21 a number', { form: '(/ 6 4)' }, false, exactly('3/2')],
    ['X22 a symbol by prin1', { form: "'car" }, false, exactly('CAR')],
    ['X22 an object that prints like a string', { form: '(make-symbol "\\"A")' }, false, /^#:/],
    ['only the primary value', { form: '(floor 7 2)' }, false, exactly('3')],
    ['in a package', { form: "(symbol-name 'x)", package: 'keyword' }, true, /^Tool error: /],
    ['X24 an error', { form: '(error "no ~A" 1)' }, true, exactly('Tool error: no 1')],
    ['X24 an unreadable form', { form: '(list 1' }, true, /^Tool error: .*end of file/],
    ['a package that is not there', { form: '1', package: 'nowhere' }, true, /^Tool error: .*"nowhere".*package/],
  ])('answers with %s', async (_title, args, isError, answer) =>
    expect(await client.call('eval-form', args)).toMatchObject({
      isError,
      text: expect.stringMatching(answer) as unknown,
    }),
  );

  it('X24 a print method that loops is bounded', async () => {
    await client.evaluate('(defclass loop-er () ()) (defmethod print-object ((x loop-er) s) (loop))');
    expect((await client.call('eval-form', { form: "(make-instance 'loop-er)" })).text).toContain(
      'printing took too long',
    );
  });

  it('the values are those of the connection', async () => {
    await client.call('eval-form', { form: '(list 1 2)' });
    expect((await client.call('eval-form', { form: '(length *)' })).text).toBe('2');
  });
});

describe('D3 compile-form', () => {
  it.each<Case>([
    [
      'a definition without faults',
      { form: '(defun twice (x) (* 2 x))' },
      false,
      exactly('Compiled and loaded, 1 definition.'),
    ],
    [
      'a warning with its place',
      { form: '(defun careless (x)\n  (list x undefined-var))' },
      false,
      /^Compiled and loaded, 1 definition\.\n\n- warning 2:\d+ in .*CARELESS.*: WARNING: .*UNDEFINED-VAR/,
    ],
    ['a read error with its place', { form: '(defun broken (x)' }, true, /read-error 1:\d+.*end of file/s],
    [
      'an error while it is loaded',
      { form: '(print :before)\n(error "at load")' },
      true,
      /^Tool error: at load\n\n[\s\S]*\[Output\]\n\s*:BEFORE/,
    ],
    ['a package that is not there', { form: '1', package: 'nowhere' }, true, /^Tool error: .*"nowhere"/],
  ])('tells %s', async (_title, args, isError, answer) =>
    expect(await client.call('compile-form', args)).toMatchObject({
      isError,
      text: expect.stringMatching(answer) as unknown,
    }),
  );

  it('what was compiled can be called, and the data say what the text says', async () => {
    const reply = await client.client.callTool({
      name: 'compile-form',
      arguments: { form: '(defun thrice (x) (declare (ignore x)) unknown-thing)' },
    });
    expect(reply.structuredContent).toMatchObject({
      loaded: true,
      failed: true,
      definitions: 1,
      total: 1,
      diagnostics: [{ severity: 'warning', line: 1 }],
    });
    expect((await client.call('eval-form', { form: "(compiled-function-p #'thrice)" })).text).toBe('T');
  });
});

describe('D3 load-file', () => {
  beforeEach(async () => {
    const write = (name: string, text: string) => writeFile(path.join(bench.project, name), text);
    await write('good.lisp', '(defun from-file () 42)\n(print :loading)');
    await write('bad.lisp', '(defun f ()\n  (car 1 2 3))\n(defun g (');
  });

  it.each<Case>([
    [
      'loads a file',
      { path: 'good.lisp' },
      false,
      /^Compiled and loaded, 1 definition\.\n\n\[Output\]\n[\s\S]*:LOADING$/,
    ],
    ['tells faults by line', { path: 'bad.lisp' }, true, /bad\.lisp:3:/],
    ['begins in a package', { path: 'good.lisp', package: 'cl-user' }, false, /^Compiled and loaded/],
    [
      'X24 says which package is not there',
      { path: 'good.lisp', package: 'nowhere' },
      true,
      /^Tool error: .*"nowhere"/,
    ],
    ['X24 says which file is not there', { path: 'none.lisp' }, true, /^Tool error: .*none\.lisp/],
    [
      'X24 refuses a file outside',
      { path: '/etc/passwd' },
      true,
      /^Tool error: \/etc\/passwd lies outside the project/,
    ],
  ])('%s', async (_title, args, isError, answer) =>
    expect(await client.call('load-file', args)).toMatchObject({
      isError,
      text: expect.stringMatching(answer) as unknown,
    }),
  );

  it('defines what the file defines', async () => {
    await client.call('load-file', { path: 'good.lisp' });
    expect(await client.evaluate('(from-file)')).toBe('=> 42');
  });
});

describe('K6 interrupt-evaluation', () => {
  /** Resolves once the image runs something. */
  async function running(): Promise<void> {
    const { session } = bench.workbench;
    while (session.view().running === null)
      await new Promise((resolve) => {
        const stop = session.events.on('changed', () => resolve(stop()));
      });
  }

  it('stops what the connection runs, whose call says so', async () => {
    const endless = client.evaluate('(loop)');
    await running();
    expect((await client.call('interrupt-evaluation')).text).toBe('Interrupted: (loop)');
    expect(await endless).toMatch(/^\[ERROR\] SB-SYS:INTERACTIVE-INTERRUPT/);
    expect(await client.evaluate('(+ 1 2 3)')).toBe('=> 6');
  });

  it('stops one by its id, as list-sessions tells it to its client alone', async () => {
    const other = await bench.connect('stranger');
    const endless = client.evaluate('(loop (progn :secret))');
    await running();
    const seen = (await other.call('list-sessions')).text;
    expect(seen).toMatch(/\(evaluating\)[\s\S]*- running for \d+ s: something of tester \(/);
    expect(seen).not.toContain('secret');
    const own = (await client.call('list-sessions')).text;
    const id = /: \(loop \(progn :secret\)\) \(yours, ([^)]+)\)/.exec(own)![1]!;
    for (const args of [{}, { evaluation: id }])
      expect(await other.call('interrupt-evaluation', args)).toMatchObject({ isError: true });
    expect(await (await bench.connect()).call('interrupt-evaluation', { evaluation: 'wrong' })).toMatchObject({
      isError: true,
      text: `No evaluation of yours with the id wrong runs or waits. Under way are: ${id} ((loop (progn :secret))).`,
    });
    await client.call('interrupt-evaluation', { evaluation: id });
    expect(await endless).toMatch(/^\[ERROR\]/);
  });

  it('never stops what the person runs', async () => {
    const person = bench.workbench.evaluateAsPerson({
      evaluation: 'of-the-person',
      code: '(loop)',
      package: null,
      origin: 'repl',
      source: null,
    });
    await running();
    for (const args of [{}, { evaluation: 'of-the-person' }])
      expect(await client.call('interrupt-evaluation', args)).toMatchObject({ isError: true });
    expect((await client.call('list-sessions')).text).not.toContain('(loop)');
    await bench.workbench.session.interrupt('of-the-person');
    expect((await person).status).toBe('interrupted');
  });

  it('takes away what waits for its turn', async () => {
    const first = client.evaluate('(loop)');
    await running();
    const waits = (await bench.connect()).evaluate('(+ 1 1)');
    while (bench.workbench.session.underway.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const id = bench.workbench.session.underway[1]!.evaluation;
    await client.call('interrupt-evaluation', { evaluation: id });
    expect(await waits).toMatch(/^\[ERROR\]/);
    await client.call('interrupt-evaluation');
    await first;
  });
});

describe('get-repl-history', () => {
  it('tells the connection’s own evaluations, newest last', async () => {
    await bench.workbench.evaluateAsPerson({
      evaluation: 'p1',
      code: '(list :personal)',
      package: null,
      origin: 'repl',
      source: null,
    });
    expect((await client.call('get-repl-history')).text).toBe('This connection has evaluated nothing yet.');
    await client.evaluate('(+ 1 2)');
    await client.call('eval-form', { form: '(error "oops")', package: 'CL' });
    await client.evaluate('(values "a" 2)');
    expect((await client.call('get-repl-history')).text).toBe(
      '3 of 3 evaluations\n\n(+ 1 2)\n; 3\n\n[in CL] (error "oops")\n; SIMPLE-ERROR: oops\n\n(values "a" 2)\n; "a"\n; 2',
    );
    expect((await client.call('get-repl-history', { limit: 1 })).text).toMatch(
      /^1 of 3 evaluations; 2 older ones are kept/,
    );
  });

  it('keeps a hundred', async () => {
    for (let count = 1; count <= 102; count += 1) await client.call('eval-form', { form: String(count) });
    const text = (await client.call('get-repl-history', { limit: 50 })).text;
    expect(text).toMatch(/^50 of 100 evaluations; 50 older[\s\S]*\n102\n; 102$/);
  });

  it.each([0, 51])('refuses a limit of %s', async (limit) => {
    await expect(client.call('get-repl-history', { limit })).rejects.toThrow(/limit/);
  });
});
