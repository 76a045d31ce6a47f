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

  it('S21 S22 T14 T15 T16 T20 S23 S24 lists the groups in their order', async () => {
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

  it('decision 13 S43 says when there is nothing', async () => {
    expect(await text('list-definitions', { type: 'functions' })).toBe('No user definitions.');
  });

  it('S42 sees nested and indirect definitions', async () => {
    await client.evaluate(
      "(let ((n 0)) (defun counter () (incf n))) (setf (fdefinition 'indirect) (lambda (x) x)) (funcall (lambda () (eval '(defvar *deep* 1))))",
    );
    const listed = await text('list-definitions');
    expect(['COUNTER', 'INDIRECT', '*DEEP*'].filter((name) => !listed.includes(`- ${name}`))).toEqual([]);
  });

  it('lists each name once, of another package when asked', async () => {
    await client.evaluate('(defpackage :other (:use :cl)) (defun other::f () 1) (defun other::f () 2)');
    expect(await text('list-definitions', { package: 'other' })).toMatch(/^\[Functions\]\n- F \(\)/);
    expect((await client.call('list-definitions', { package: 'nowhere' })).isError).toBe(true);
  });
});

describe('reset-session', () => {
  it('S26 S27 S28 S29 S30 S44 T17 decision 14 gives a pristine image with the systems loaded again', async () => {
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

  it('S25 S44 is idempotent and takes no argument', async () => {
    expect([await text('reset-session'), await text('reset-session', {})]).toEqual(
      Array(2).fill('Session reset. All definitions cleared.\nCurrent package: CL-USER'),
    );
  });

  it('S44 ends what runs', async () => {
    const endless = client.evaluate('(loop)');
    await expect.poll(() => bench.workbench.session.view().state).toBe('evaluating');
    const other = await bench.connect();
    expect((await other.call('reset-session')).isError).toBe(false);
    expect(await endless).toMatch(/^\[ERROR\] .*\nThe session was reset\./);
  });
});

describe('load-system', () => {
  it('S14 S15 S31 S32 T18 says what it loads, what the loader says, and the version', async () => {
    const loaded = await text('load-system', { system: 'alexandria' });
    expect(loaded).toMatch(/^Loading system: alexandria\n(.*\n)*Loaded: alexandria \(version [\d.]+\)$/);
    expect(await client.evaluate('(alexandria:iota 3)')).toBe('=> (0 1 2)');
  });

  it('T19 S33 S45 S46 S47 decision 15 reports a system that does not exist', async () => {
    expect(await client.call('load-system', { system: 'nonexistent-system' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^\[ERROR\] ASDF:MISSING-COMPONENT\nComponent "nonexistent-system" not found/,
      ) as unknown,
    });
  });

  it('S48 reports a file that does not compile', async () => {
    await writeFile(path.join(bench.project, 'broken.asd'), '(defsystem "broken" :components ((:file "broken")))');
    await writeFile(path.join(bench.project, 'broken.lisp'), '(defun broken (x) (+ x');
    const { text: said, isError } = await client.call('load-system', { system: 'broken' });
    expect({ said, isError }).toEqual({
      said: expect.stringMatching(/^\[ERROR\] .*(COMPILE|READ|END-OF-FILE|INPUT-ERROR)/) as unknown,
      isError: true,
    });
    expect(await client.evaluate('(+ 40 2)')).toBe('=> 42');
  });

  it('S48 tells what the compiler says of a file that fails', async () => {
    await writeFile(path.join(bench.project, 'wrong.asd'), '(defsystem "wrong" :components ((:file "wrong")))');
    await writeFile(path.join(bench.project, 'wrong.lisp'), '(defun wrong (x) (car x 2))');
    expect(await client.call('load-system', { system: 'wrong' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^\[ERROR\] ASDF:COMPILE-FILE-ERROR\n.*"wrong".*\n\n\[Output\]\n[^]*CAR is called with two arguments/,
      ) as unknown,
    });
  });

  it('S49 reports a conflict of packages', async () => {
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

  it('reports a definition of a system that cannot be read, without listing running it', async () => {
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
  it('X17 X41 tells the name, its kind in brackets, lambda list and documentation', async () => {
    expect(await text('describe-symbol', { symbol: 'mapcar' })).toMatch(
      /^MAPCAR \[function\]\nLambda list: \(FUNCTION LIST &REST MORE-LISTS\)\nDocumentation: /,
    );
    expect(await text('describe-symbol', { symbol: 'defun', package: 'common-lisp' })).toMatch(/^DEFUN \[macro\]/);
  });

  it('X42 decision 27 names the symbol and the package when there is none, with near names', async () => {
    const { text: said, isError } = await client.call('describe-symbol', { symbol: 'mapcra', package: 'cl' });
    expect({ said, isError }).toEqual({
      said: expect.stringMatching(/^Symbol MAPCRA not found in package COMMON-LISP\b.*MAPCAR/) as unknown,
      isError: true,
    });
  });

  it('knows what the session defined, and its value', async () => {
    await client.evaluate('(defvar *depth* 7 "How deep.")');
    expect(await text('describe-symbol', { symbol: '*depth*' })).toMatch(
      /^\*DEPTH\* \[variable\]\nValue: 7\nDocumentation: How deep\./,
    );
  });
});

describe('get-last-error', () => {
  it('gives the last error of this connection alone, with its code', async () => {
    await client.evaluate('(car 17)');
    const other = await bench.connect();
    expect((await other.call('get-last-error')).text).toBe('No error so far in this session.');
    expect(await text('get-last-error')).toMatch(/^\[ERROR\] TYPE-ERROR\n[\s\S]*\n\n\[Code\]\n\(car 17\)$/);
  });
});
