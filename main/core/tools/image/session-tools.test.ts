import { afterAll, beforeEach, beforeAll, describe, expect, it } from 'vitest';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
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

async function text(name: string, args: Record<string, unknown> = {}): Promise<string> {
  return (await client.call(name, args)).text;
}

describe('list-definitions', () => {
  beforeEach(async () => {
    await text('reset-session');
  });

  it('The tool list-definitions lists the groups in their order [S21–S24, T14–T16, T20]', async () => {
    await text('load-system', { system: 'alexandria' });
    await client.evaluate(`
      (defun my-function (a b &optional c &key (d 1)) (list a b c d))
      (defvar *my-var* 42) (defconstant +my-constant+ "hello")
      (defmacro with-timing (form &body body) \`(progn ,form ,@body))
      (defclass point () ()) (defstruct pair a)`);
    const listed = await text('list-definitions', { type: 'all' });
    expect(listed).toMatch(/^\[Functions\]\n[\s\S]*- MY-FUNCTION \(A B &OPTIONAL C &KEY \(D 1\)\)\n/);
    expect(listed).toContain(
      '\n\n[Variables]\n- *MY-VAR* = 42\n- +MY-CONSTANT+ = "hello"\n\n[Macros]\n- WITH-TIMING (FORM &BODY BODY)\n\n[Classes]\n- PAIR\n- POINT\n\n[Loaded Systems]\n- ALEXANDRIA',
    );
  });

  it('The tool list-definitions says when there is nothing [S43, decision 13]', async () => {
    expect(await text('list-definitions', { type: 'functions' })).toBe('No user definitions.');
  });

  it('The tool list-definitions sees nested and indirect definitions [S42]', async () => {
    await client.evaluate(
      "(let ((n 0)) (defun counter () (incf n))) (setf (fdefinition 'indirect) (lambda (x) x)) (funcall (lambda () (eval '(defvar *deep* 1))))",
    );
    const listed = await text('list-definitions');
    expect(['COUNTER', 'INDIRECT', '*DEEP*'].filter((name) => !listed.includes(`- ${name}`))).toEqual([]);
  });

  it('The tool list-definitions lists each name once, of another package when asked', async () => {
    await client.evaluate('(defpackage :other (:use :cl)) (defun other::f () 1) (defun other::f () 2)');
    expect(await text('list-definitions', { package: 'other' })).toMatch(/^\[Functions\]\n- F \(\)/);
    expect((await client.call('list-definitions', { package: 'nowhere' })).isError).toBe(true);
  });
});

describe('definitions of an image that has a hundred thousand', () => {
  const MANY = 100_000;

  beforeAll(async () => {
    client = await bench.connect();
    await text('reset-session');
    await client.evaluate('(defpackage :heap (:use :cl))');
    const made = await client.evaluate(
      `(progn (dotimes (i ${MANY}) (setf (fdefinition (intern (format nil "F~6,'0D" i) :heap)) (lambda (x) x))) (defvar heap::*last* 1))`,
    );
    if (!made.includes('=> HEAP::*LAST*')) throw new Error(made);
  }, 900_000);

  afterAll(async () => {
    await text('reset-session');
  });

  it('A hundred thousand definitions are listed page by page, with how many are left and how to go on', async () => {
    const first = await text('list-definitions', { package: 'heap' });
    expect(first).toMatch(/^\[Functions\]\n- F000000/);
    expect(first).toMatch(/- F000299[^\n]*\n\n… 99701 of 100001 more, from start 300$/);
    const last = await text('list-definitions', { package: 'heap', start: 99_999, count: 10 });
    expect(last).toMatch(/^\[Functions\]\n- F099999[^\n]*\n\n\[Variables\]\n- \*LAST\* = 1/);
    const variables = await text('list-definitions', { package: 'heap', type: 'variables' });
    expect(variables).toBe('[Variables]\n- *LAST* = 1');
    expect(await text('list-definitions', { package: 'heap', start: 100_001 })).toMatch(
      /^There are only 100001, so there is nothing/,
    );
  });

  it('A hundred thousand definitions are not sent whole to a window, which finds the others by name', async () => {
    const { definitions } = bench.workbench;
    const heap = (await definitions.current()).find((each) => each.package === 'HEAP')!;
    expect([heap.definitions.length, heap.more]).toEqual([2000, MANY + 1 - 2000]);
    const found = await definitions.find('f09999', 5);
    expect(found).toMatchObject([
      { package: 'HEAP', definitions: [0, 1, 2, 3, 4].map((n) => ({ name: `F09999${n}` })), more: 5 },
    ]);
  });

  it('A hundred thousand definitions are not read whole as a resource', async () => {
    const { contents } = await client.client.readResource({ uri: 'lisp-workbench://definitions' });
    const [{ text: read } = { text: '' }] = contents as { text: string }[];
    expect(read).toMatch(/… \d+ more; list them page by page with list-definitions of HEAP/);
    expect(read.length).toBeLessThan(200_000);
  });
});

describe('reset-session', () => {
  it('The tool reset-session gives a pristine image with the systems loaded again [S26–S30, S44, T17, decision 14]', async () => {
    await text('load-system', { system: 'alexandria' });
    await client.evaluate(
      '(defpackage :mine (:use :cl)) (in-package :mine) (defun gone () 1) (defmethod print-object ((x (eql 5)) s) s)',
    );
    expect(await text('reset-session')).toBe('Session reset. All definitions cleared.\nCurrent package: CL-USER');
    expect(
      await client.evaluate(
        '(list (package-name *package*) (find-package :mine) (fboundp (find-symbol "GONE")) (not (null (find-package :alexandria))))',
      ),
    ).toBe('=> ("COMMON-LISP-USER" NIL NIL T)');
  });

  it('The tool reset-session is idempotent and takes no argument [S25, S44]', async () => {
    expect([await text('reset-session'), await text('reset-session', {})]).toEqual(
      Array(2).fill('Session reset. All definitions cleared.\nCurrent package: CL-USER'),
    );
  });

  it('The tool reset-session ends what runs [S44]', async () => {
    const endless = client.evaluate('(loop)');
    await expect.poll(() => bench.workbench.session.view().state).toBe('evaluating');
    const other = await bench.connect();
    expect((await other.call('reset-session')).isError).toBe(false);
    expect(await endless).toMatch(/^\[ERROR\] .*\nThe session was reset\./);
  });
});

describe('load-system', () => {
  it('The tool load-system says what it loads, what the loader says, and the version [S14, S15, S31, S32, T18]', async () => {
    const loaded = await text('load-system', { system: 'alexandria' });
    expect(loaded).toMatch(/^Loading system: alexandria\n(.*\n)*Loaded: alexandria \(version [\d.]+\)$/);
    expect(await client.evaluate('(alexandria:iota 3)')).toBe('=> (0 1 2)');
  });

  it('The tool load-system reports a system that does not exist [T19, S33, S45–S47, decision 15]', async () => {
    expect(await client.call('load-system', { system: 'nonexistent-system' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^\[ERROR\] ASDF:MISSING-COMPONENT\nComponent "nonexistent-system" not found/,
      ) as unknown,
    });
  });

  it('The tool load-system reports a file that does not compile [S48]', async () => {
    await writeFile(path.join(bench.project, 'broken.asd'), '(defsystem "broken" :components ((:file "broken")))');
    await writeFile(path.join(bench.project, 'broken.lisp'), '(defun broken (x) (+ x');
    const { text: said, isError } = await client.call('load-system', { system: 'broken' });
    expect({ said, isError }).toEqual({
      said: expect.stringMatching(/^\[ERROR\] .*(COMPILE|READ|END-OF-FILE|INPUT-ERROR)/) as unknown,
      isError: true,
    });
    expect(await client.evaluate('(+ 40 2)')).toBe('=> 42');
  });

  it('The tool load-system tells what the compiler says of a file that fails [S48]', async () => {
    await writeFile(path.join(bench.project, 'wrong.asd'), '(defsystem "wrong" :components ((:file "wrong")))');
    await writeFile(path.join(bench.project, 'wrong.lisp'), '(defun wrong (x) (car x 2))');
    expect(await client.call('load-system', { system: 'wrong' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^\[ERROR\] ASDF:COMPILE-FILE-ERROR\n.*"wrong".*\n\n\[Warnings\]\n[^]*CAR is called with two arguments/,
      ) as unknown,
    });
  });

  it('The tool load-system reports a conflict of packages [S49]', async () => {
    await writeFile(path.join(bench.project, 'clash.asd'), '(defsystem "clash" :components ((:file "clash")))');
    await writeFile(
      path.join(bench.project, 'clash.lisp'),
      '(defpackage :c1 (:export #:same)) (defpackage :c2 (:export #:same)) (defpackage :c3 (:use :c1 :c2))',
    );
    expect(await client.call('load-system', { system: 'clash' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^\[ERROR\] .*(CONFLICT|PACKAGE)/) as unknown,
    });
  });

  it('The tool load-system reports a system definition that cannot be read, and listing the systems does not run it', async () => {
    await mkdir(path.join(bench.project, 'sub'), { recursive: true });
    await writeFile(
      path.join(bench.project, 'unreadable.asd'),
      '(eval-when (:load-toplevel :execute) (setf (symbol-value (intern "ASD-RAN" :cl-user)) t)) (defsystem "unreadable" :components (',
    );
    const { systems } = await bench.workbench.session.lookUp('systems', {});
    expect(systems.map(({ name }) => name)).toContain('unreadable');
    expect(await client.evaluate('(boundp (intern "ASD-RAN" :cl-user))')).toBe('=> NIL');
    expect((await client.call('load-system', { system: 'unreadable' })).text).toMatch(/^\[ERROR\] /);
  });
});

describe('describe-symbol', () => {
  it('The tool describe-symbol tells the name, its kind in brackets, lambda list and documentation [X17, X41]', async () => {
    expect(await text('describe-symbol', { symbol: 'mapcar' })).toMatch(
      /^MAPCAR \[function\]\nLambda list: \(FUNCTION LIST &REST MORE-LISTS\)\nDocumentation: /,
    );
    expect(await text('describe-symbol', { symbol: 'defun', package: 'common-lisp' })).toMatch(/^DEFUN \[macro\]/);
  });

  it('The tool describe-symbol names the symbol and the package when there is none, with near names [X42, decision 27]', async () => {
    const { text: said, isError } = await client.call('describe-symbol', { symbol: 'mapcra', package: 'cl' });
    expect({ said, isError }).toEqual({
      said: expect.stringMatching(/^Symbol MAPCRA not found in package COMMON-LISP\b.*MAPCAR/) as unknown,
      isError: true,
    });
  });

  it('The tool describe-symbol knows what the session defined, and its value', async () => {
    await client.evaluate('(defvar *depth* 7 "How deep.")');
    expect(await text('describe-symbol', { symbol: '*depth*' })).toMatch(
      /^\*DEPTH\* \[variable\]\nValue: 7\nDocumentation: How deep\./,
    );
  });
});

describe('get-last-error', () => {
  it('The tool get-last-error gives the last error of this connection alone, with its code', async () => {
    await client.evaluate('(car 17)');
    const other = await bench.connect();
    expect((await other.call('get-last-error')).text).toBe('No error so far in this session.');
    expect(await text('get-last-error')).toMatch(/^\[ERROR\] TYPE-ERROR\n[\s\S]*\n\n\[Code\]\n\(car 17\)$/);
  });
});
