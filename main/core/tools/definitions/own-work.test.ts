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
    ['a string as it is [X18]', { form: '(format nil "a ~S \\\\ b~%c" "q")' }, false, exactly('a "q" \\ b\nc')],
    ['an empty string [X18]', { form: '""' }, false, exactly('')],
    ['nil [X19]', { form: '(car nil)' }, false, exactly('nil')],
    ['no value at all [X19]', { form: '(values)' }, false, exactly('nil')],
    ['a list [X20]', { form: '\'(1 (2 . 3) "s")' }, false, exactly('(1 (2 . 3) "s")')],
    ['a number [X21]', { form: '(/ 6 4)' }, false, exactly('3/2')],
    ['a symbol by prin1 [X22]', { form: "'car" }, false, exactly('CAR')],
    ['an object that prints like a string [X22]', { form: '(make-symbol "\\"A")' }, false, /^#:/],
    ['only the primary value', { form: '(floor 7 2)' }, false, exactly('3')],
    ['in a package', { form: "(symbol-name 'x)", package: 'keyword' }, true, /^Tool error: /],
    ['an error [X24]', { form: '(error "no ~A" 1)' }, true, exactly('Tool error: no 1')],
    [
      'a read from the input that it has not',
      { form: '(read)' },
      true,
      /^Tool error: end of file on .*\. Code that a client evaluates has no/,
    ],
    ['an unreadable form [X24]', { form: '(list 1' }, true, /^Tool error: .*end of file/],
    ['a package that is not there', { form: '1', package: 'nowhere' }, true, /^Tool error: .*"nowhere".*package/],
  ])('The tool eval-form answers with %s', async (_title, args, isError, answer) =>
    expect(await client.call('eval-form', args)).toMatchObject({
      isError,
      text: expect.stringMatching(answer) as unknown,
    }),
  );

  it('The answer of eval-form is bounded where a print method loops [X24]', async () => {
    await client.evaluate('(defclass loop-er () ()) (defmethod print-object ((x loop-er) s) (loop))');
    expect((await client.call('eval-form', { form: "(make-instance 'loop-er)" })).text).toContain(
      'printing took too long',
    );
  });

  it('The values * and friends in eval-form are those of the connection', async () => {
    await client.call('eval-form', { form: '(list 1 2)' });
    expect((await client.call('eval-form', { form: '(length *)' })).text).toBe('2');
  });
});

describe('compile-form', () => {
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
    [
      'a read error with its place',
      { form: '(defun broken (x)' },
      true,
      /read-error 1:\d+: END-OF-FILE: \(defun broken …\), which begins at line 1, is not closed/,
    ],
    [
      'an error while it is loaded',
      { form: '(print :before)\n(error "at load")' },
      true,
      /^Tool error: at load\n\n[\s\S]*\[Output\]\n\s*:BEFORE/,
    ],
    ['a package that is not there', { form: '1', package: 'nowhere' }, true, /^Tool error: .*"nowhere"/],
  ])('The tool compile-form tells %s [D3]', async (_title, args, isError, answer) =>
    expect(await client.call('compile-form', args)).toMatchObject({
      isError,
      text: expect.stringMatching(answer) as unknown,
    }),
  );

  it('What compile-form compiled can be called, and its data say what its text says [D3]', async () => {
    const reply = await client.client.callTool({
      _meta: { 'lisp-workbench/data': true },
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

describe('load-file', () => {
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
      'says which package is not there [X24]',
      { path: 'good.lisp', package: 'nowhere' },
      true,
      /^Tool error: .*"nowhere"/,
    ],
    ['says which file is not there [X24]', { path: 'none.lisp' }, true, /^Tool error: .*none\.lisp/],
    [
      'refuses a file outside [X24]',
      { path: '/etc/passwd' },
      true,
      /^Tool error: \/etc\/passwd is outside the project/,
    ],
  ])('The tool load-file %s', async (_title, args, isError, answer) =>
    expect(await client.call('load-file', args)).toMatchObject({
      isError,
      text: expect.stringMatching(answer) as unknown,
    }),
  );

  it('The tool load-file tells what is wrong once, where it is, the error first, and what the file itself prints [D3]', async () => {
    const faulty = ['(defun styled (unused) 1)', '(defun wrong (x)', '  (let ((1 2)) x))', '(print :from-the-file)'];
    await writeFile(path.join(bench.project, 'faulty.lisp'), faulty.join('\n'));
    const { text } = await client.call('load-file', { path: 'faulty.lisp' });
    expect(text.split('\n')).toEqual([
      'Compiled and loaded, 2 definitions.',
      '',
      '- error faulty.lisp:3:9 in WRONG: PROGRAM-ERROR: 1 is not a symbol and cannot be used as a local variable.',
      '- style-warning faulty.lisp:1:16 in STYLED: STYLE-WARNING: The variable UNUSED is defined but never used.',
      expect.stringMatching(/^- style-warning faulty\.lisp:2:\d+ in WRONG: .*X is defined but never used/),
      '',
      '[Output]',
      ':FROM-THE-FILE',
    ]);
    await writeFile(
      path.join(bench.project, 'unread.lisp'),
      '(defun fine () 1)\n(defun unread ()\n  (nowhere:fn 1))\n',
    );
    expect((await client.call('load-file', { path: 'unread.lisp' })).text).toMatch(
      /^Not loaded, because the text cannot be read completely\.\n\n- read-error unread\.lisp:3:4: READER-ERROR: Package NOWHERE does not exist\.$/,
    );
  });

  it('The tool load-file defines what the file defines [D3]', async () => {
    await client.call('load-file', { path: 'good.lisp' });
    expect(await client.evaluate('(from-file)')).toBe('=> 42');
  });
});

describe('interrupt-evaluation', () => {
  /** Resolves once the image is evaluating code. */
  async function running(): Promise<void> {
    const { session } = bench.workbench;
    while (session.view().running === null)
      await new Promise((resolve) => {
        const stop = session.events.on('changed', () => resolve(stop()));
      });
  }

  /** Resolves when an evaluation has printed something, which means that its code is running and that the checkpoint before it exists. */
  function printed(): Promise<void> {
    return new Promise((resolve) => {
      const stop = bench.workbench.session.events.on('output', () => {
        stop();
        resolve();
      });
    });
  }

  it('The tool interrupt-evaluation stops what the connection runs, whose call says so [K6]', async () => {
    const begun = printed();
    const endless = client.evaluate('(progn (print 1) (finish-output) (loop))');
    await begun;
    expect((await client.call('interrupt-evaluation')).text).toBe(
      'Interrupted: (progn (print 1) (finish-output) (loop))',
    );
    expect(await endless).toMatch(/\[ERROR\] SB-SYS:INTERACTIVE-INTERRUPT/);
    expect(await client.evaluate('(+ 1 2 3)')).toBe('=> 6');
  });

  it('The tool interrupt-evaluation stops an evaluation by its id, which list-sessions tells to its client alone [K6]', async () => {
    const other = await bench.connect('stranger');
    const endless = client.evaluate('(loop (progn :secret))');
    await running();
    const seen = (await other.call('list-sessions')).text;
    expect(seen).toMatch(/\(evaluating\)[\s\S]*- running for \d+ s: an evaluation of tester \(/);
    expect(seen).not.toContain('secret');
    const own = (await client.call('list-sessions')).text;
    const id = /: \(loop \(progn :secret\)\) \(yours, ([^)]+)\)/.exec(own)![1]!;
    for (const args of [{}, { evaluation: id }])
      expect(await other.call('interrupt-evaluation', args)).toMatchObject({ isError: true });
    expect(await (await bench.connect()).call('interrupt-evaluation', { evaluation: 'wrong' })).toMatchObject({
      isError: true,
      text: `None of your running or waiting evaluations has the id wrong. In progress: ${id} ((loop (progn :secret))).`,
    });
    await client.call('interrupt-evaluation', { evaluation: id });
    expect(await endless).toMatch(/^\[ERROR\]/);
  });

  it('The tool interrupt-evaluation never stops what the person runs [K6]', async () => {
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

  it('The tool interrupt-evaluation takes away what waits for its turn [K6]', async () => {
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
  it("The tool get-repl-history tells the connection's own evaluations, newest last", async () => {
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
      /^1 of 3 evaluations; 2 older ones are stored/,
    );
  });

  it('The tool get-repl-history keeps a hundred evaluations', async () => {
    for (let count = 1; count <= 102; count += 1) await client.call('eval-form', { form: String(count) });
    const text = (await client.call('get-repl-history', { limit: 50 })).text;
    expect(text).toMatch(/^50 of 100 evaluations; 50 older[\s\S]*\n102\n; 102$/);
  });

  it.each([0, 51])('The tool get-repl-history refuses a limit of %s', async (limit) => {
    await expect(client.call('get-repl-history', { limit })).rejects.toThrow(/limit/);
  });
});

describe('definitions that stand in no file', () => {
  it('A definition that stands in no file is shown with its source, as it was evaluated last, by whomever', async () => {
    const other = await bench.connect('someone');
    const source = '(defun typed-just-now (x)\n  "By hand." ; with a comment\n  (* x 2))';
    await other.evaluate('(defun typed-just-now (x) x)');
    await other.evaluate(source);
    for (const name of ['find-definition', 'describe-symbol']) {
      const { text } = await client.call(name, { symbol: 'typed-just-now' });
      expect(text).toContain('[Source] evaluated by someone in COMMON-LISP-USER, ');
      expect(text.endsWith(source)).toBe(true);
    }
  });

  it('A caller that stands in no file has one line, however often it calls', async () => {
    await client.evaluate('(defun called-much () 1) (defun calls-much () (list (called-much) (called-much)))');
    const { text } = await client.call('who-calls', { function: 'called-much' });
    expect(text).toMatch(/^- CALLS-MUCH \[function\] .*\(2 times\)$/);
  });

  it("A definition that stands in no file is listed with whose it is, where it is another's", async () => {
    const other = await bench.connect('neighbour');
    await other.evaluate('(defun of-the-neighbour () 1)');
    await client.evaluate('(defun of-my-own () 1)');
    const { text } = await client.call('list-definitions', { type: 'functions' });
    expect(text).toContain('- OF-THE-NEIGHBOUR () ; by neighbour');
    expect(text).toMatch(/- OF-MY-OWN \(\)$/m);
  });
});
