/** Test runs as a client sees them, with the frameworks that Debian has and with custom runners. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';
import { LISP_UNIT2, PARACHUTE, ROVE } from '../../../../lisp/tests/wire/testing/stand-ins.fixture.ts';
import { saysFailed } from './tests-text.ts';

let bench: TestWorkbench;
let client: TestClient;

async function system(name: string, needs: string, perform: string, tests = ''): Promise<void> {
  const write = (file: string, text: string) => writeFile(path.join(bench.project, file), text);
  await write(
    `${name}.asd`,
    `(defsystem "${name}" :depends-on (${needs}) :components ((:file "${name}-tests")) :perform (test-op (o c) ${perform}))`,
  );
  await write(`${name}-tests.lisp`, tests === '' ? '(in-package :cl-user)' : tests);
}

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
}, 120_000);
afterAll(() => bench.close());

const run = async (name: string, more: Record<string, unknown> = {}) => {
  const { text, isError } = await client.call('run-tests', { system: name, ...more });
  return `${isError ? 'failed' : 'passed'}: ${text}`;
};

describe('runs of tests', () => {
  it('What tests print is read however much was printed while they were loaded [issue 35.1]', async () => {
    await system(
      'flood',
      '"alexandria"',
      '(format t "~&Test 7 is wrong.~%Some tests failed.~%")',
      '(in-package :cl-user) (dotimes (i 9000) (format t "line ~D of the flood~%" i))',
    );
    expect(await run('flood')).toMatch(
      /^failed: The tests failed according to their output: Some tests failed\.\n[^]*Test 7 is wrong\.\nSome tests failed\./,
    );
  });

  it('Failed tests of RT are told with name, place and values, and those that passed as a number [issue 35.1]', async () => {
    await system(
      'sums',
      '"rt"',
      '(uiop:symbol-call :rt :do-tests)',
      `(defpackage :sums (:use :cl :rt)) (in-package :sums)
(deftest sum (+ 1 2) 3)
(deftest wrong (floor 7 2) 3 2)
(deftest fine (list 1) (1))`,
    );
    expect(await run('sums')).toMatch(
      /^failed: 1 of 3 tests failed\.\n- SUMS::WRONG sums-tests\.lisp:3: \(FLOOR 7 2\), expected \(3 2\), got \(3 1\)(?:\n\(\d+ characters of output are not shown.*)?$/,
    );
    expect(await run('sums', { test: 'sum' })).toBe('passed: 1 test passed.');
    expect(await run('sums', { failed: true })).toContain('1 of 1 test failed.');
  });

  it('A test of RT that fails as expected is no failure, and one that an error ends says which [issue 35.1]', async () => {
    await system(
      'hopes',
      '"rt"',
      '(uiop:symbol-call :rt :do-tests)',
      `(defpackage :hopes (:use :cl :rt)) (in-package :hopes) (rem-all-tests)
(deftest fine 1 1)
(deftest hopeless 1 2)
(setf rt::*expected-failures* '(hopeless))`,
    );
    expect(await run('hopes')).toBe('passed: 1 test passed. 1 test failed as expected.');
    await writeFile(path.join(bench.project, 'hopes-tests.lisp'), '(in-package :hopes)\n(deftest broken (car 1) 1)');
    expect(await run('hopes')).toContain('- HOPES::BROKEN hopes-tests.lisp:2: TYPE-ERROR: ');
  });

  it('A copy of RT in a package of its own is known [issue 35.1]', async () => {
    const text = await readFile('/usr/share/common-lisp/source/rt/rt.lisp', 'utf8');
    await system(
      'copied',
      '',
      '(uiop:symbol-call :copied :do-tests)',
      text
        .slice(text.indexOf('(defpackage'))
        .replaceAll(/#?:(?:regression-test|rtest)|\(:nicknames.*\)|#-lispworks #:rt/g, (each) =>
          each.startsWith('(') ? '' : each.includes('regression') ? ':copied' : '',
        ) + '\n(deftest wrong (+ 1 1) 3)\n(deftest fine 1 1)\n',
    );
    expect(await run('copied')).toMatch(
      /^failed: 1 of 2 tests failed\.\n- COPIED::WRONG copied-tests\.lisp:\d+: \(\+ 1 1\), expected 3, got 2/,
    );
    expect(await run('copied', { test: 'fine' })).toBe('passed: 1 test passed.');
  });

  it('The first line of tests that could not be loaded says what failed and where [issue 35.1]', async () => {
    const first = async (name: string) => (await run(name)).split('\n')[0];
    await system('unread', '', 'nil', '(defun a (x)\n  (list x)');
    expect(await first('unread')).toMatch(
      /^failed: Tool error: unread does not compile: unread-tests\.lisp:1:1: ERROR: READ error: end of file/,
    );
    await system('halts', '', 'nil', '(defun a (x) x)\n\n(error "no way")');
    expect(await first('halts')).toBe('failed: Tool error: halts-tests.lisp:3: no way');
    await system('lacking', '', '(print 1)');
    expect(await first('lacking')).toMatch(/^passed/);
    await rm(path.join(bench.project, 'lacking-tests.lisp'));
    expect(await first('lacking')).toBe(
      'failed: Tool error: The file lacking-tests.lisp of the system lacking does not exist. Restore it, or remove it from lacking.asd.',
    );
    await system('needing', '"fivem"', 'nil');
    expect(await first('needing')).toBe(
      'failed: Tool error: Component "fivem" not found, required by #<SYSTEM "needing">. Did you mean fiveam?',
    );
    expect((await client.call('load-system', { system: 'fivem' })).text).toContain('Did you mean fiveam?');
    expect(await client.evaluate('(trivial-backtrace:print-backtrace 1)')).toContain(
      'The system trivial-backtrace is not loaded: load-system loads it.',
    );
  });

  it('A failed check of FiveAM is told once, with the place of a test that was just added [issue 35.1]', async () => {
    const text =
      '(defpackage :fresh (:use :cl :fiveam)) (in-package :fresh)\n(def-suite :fresh) (in-suite :fresh)\n(test one (is (= 1 2)))\n';
    await system('fresh', '"fiveam"', '(uiop:symbol-call :fiveam :run! :fresh)', text);
    expect((await run('fresh')).split('\n')[1]).toMatch(/^- FRESH::ONE fresh-tests\.lisp:3: /);
    expect((await run('fresh', { test: 'one' })).split('\n')[1]).toBe(
      '- FRESH::ONE fresh-tests.lisp:3: (= 1 2), expected 1, got 2',
    );
    await writeFile(path.join(bench.project, 'fresh-tests.lisp'), `${text}(test two (is (= 3 (+ 1 1))))\n`);
    expect(await run('fresh')).toContain('\n- FRESH::TWO fresh-tests.lisp:4: ');
  });

  it('A test is run by its name though its system is known by test-op alone [issue 35.1]', async () => {
    await client.call('reset-session', {});
    await writeFile(
      path.join(bench.project, 'apart.asd'),
      `(defsystem "apart" :in-order-to ((test-op (test-op "apart/tests"))))
(defsystem "apart/tests" :depends-on ("sb-rt") :components ((:file "apart-tests")))`,
    );
    await writeFile(
      path.join(bench.project, 'apart-tests.lisp'),
      '(defpackage :apart (:use :cl :sb-rt)) (in-package :apart)\n(deftest one 1 1)',
    );
    expect(await run('apart', { test: 'one' })).toBe('passed: 1 test passed.');
  });

  it('Failed tests of Fiasco are told by their checks, without its dots [issue 35.1]', async () => {
    await system(
      'weights',
      '"fiasco"',
      '(uiop:symbol-call :fiasco :run-package-tests :package :weights)',
      `(fiasco:define-test-package :weights (:use :cl)) (in-package :weights)
(deftest sum () (is (= 3 (+ 1 2))))
(deftest wrong () (is (= 1 (+ 1 1))))`,
    );
    const text = await run('weights');
    expect(text).toMatch(
      /^failed: 1 of 2 tests failed.*\n- WEIGHTS::WRONG weights-tests\.lisp:3: \(IS \(= 1 \(\+ 1 1\)\)\), expected 1, got 2/,
    );
    expect(text).not.toContain('....');
  });

  it('A failed test that is indented in its file has its line [issue 35.1]', async () => {
    await system(
      'nested',
      '"fiveam"',
      '(uiop:symbol-call :fiveam :run! :nested)',
      `(defpackage :nested (:use :cl :fiveam)) (in-package :nested) (def-suite :nested) (in-suite :nested)
(defun check () (let ((x 1))
    (test-it x)))
(defun test-it (x) x)
(eval-when (:load-toplevel :execute)
  (test wrong-one
    (is (= 1 2)))
  (fiveam:test wrong-two (is (= 1 3))))`,
    );
    const text = await run('nested');
    expect(text).toContain('\n- NESTED::WRONG-ONE nested-tests.lisp:6: ');
    expect(text).toContain('\n- NESTED::WRONG-TWO nested-tests.lisp:8: ');
  });

  it.each([
    [
      'Parachute',
      PARACHUTE,
      `(defpackage :stocks (:use :cl :parachute)) (in-package :stocks)
(define-test fine (is = 3 (+ 1 2)))
(define-test wrong (is = 1 (+ 1 1)))`,
    ],
    [
      'Rove',
      ROVE,
      `(defpackage :stocks (:use :cl :rove/core/test :rove/core/assertion)) (in-package :stocks)
(deftest fine (ok (= 3 (+ 1 2))))
(deftest wrong (ok (= 1 (+ 1 1))))`,
    ],
    [
      'lisp-unit2',
      LISP_UNIT2,
      `(defpackage :stocks (:use :cl :lisp-unit2)) (in-package :stocks)
(define-test fine () (assert-equal 3 (+ 1 2)))
(define-test wrong () (assert-equal 1 (+ 1 1)))`,
    ],
  ])(
    'A test of %s that is run by its name is told with its place and values [issue 35.1]',
    async (_name, standIn, tests) => {
      await client.call('reset-session', {});
      await client.evaluate(standIn);
      await system('stocks', '', 'nil', tests);
      expect(await run('stocks', { test: 'fine' })).toBe('passed: 1 test passed.');
      expect(await run('stocks', { test: 'wrong' })).toMatch(
        /^failed: 1 of 1 test failed.*\n- STOCKS::WRONG stocks-tests\.lisp:3: .*\(\+ 1 1\)/,
      );
    },
  );

  it('The tests of a system that runs those of a package with Parachute are counted [issue 35.1]', async () => {
    await client.call('reset-session', {});
    await client.evaluate(PARACHUTE);
    const each =
      '(dolist (test (uiop:symbol-call :parachute :package-tests (find-package :bonds))) (uiop:symbol-call :parachute :test test))';
    await system(
      'bonds',
      '',
      each,
      `(defpackage :bonds (:use :cl :parachute)) (in-package :bonds)
(define-test fine (is = 3 (+ 1 2)))
(define-test wrong (is = 1 (+ 1 1)))`,
    );
    expect(await run('bonds')).toMatch(
      /^failed: 1 of 2 tests failed.*\n- BONDS::WRONG bonds-tests\.lisp:3: .*expected 1, got 2/,
    );
  });

  it('Runners of one’s own are judged by exit, error and output [issue 35.1]', async () => {
    await system('exits', '', '(uiop:quit 3)');
    await system('says', '', '(format t "12 tests, 0 failed~%Some tests failed.~%")');
    await system('good', '', '(format t "...~%12 tests, 0 failed~%")');
    await system('errs', '', '(error "two checks do not hold")');
    expect(await run('exits')).toBe('failed: The tests failed: the test code tried to exit with code 3.');
    expect(await run('says')).toMatch(/^failed: The tests failed according to their output: Some tests failed\.\n/);
    expect(await run('good')).toMatch(/^passed: The tests ended without an error.*\n\n12 tests, 0 failed$/);
    expect(await run('errs')).toBe('failed: Tool error: two checks do not hold');
    expect(await client.evaluate('(+ 1 1)')).toContain('2'); // the image is still running
  });

  it('A test system that runs no test says so [issue 35.1]', async () => {
    await system(
      'empty',
      '"fiveam"',
      '(uiop:symbol-call :fiveam :run! :empty-suite)',
      '(fiveam:def-suite :empty-suite)',
    );
    expect(await run('empty')).toMatch(/^failed: No test ran: the test operation of empty found none\./);
  });

  it('Modules that the core has are not loaded again for a system of a client that needs them [issue 35.1]', async () => {
    const system = '(defsystem "rotating" :depends-on ("sb-rotate-byte" "sb-posix") :components ((:file "rotating")))';
    await writeFile(path.join(bench.project, 'rotating.asd'), system);
    await writeFile(
      path.join(bench.project, 'rotating.lisp'),
      '(defun turned (x) (sb-rotate-byte:rotate-byte 1 (byte 8 0) x))',
    );
    const { text, isError } = await client.call('load-system', { system: 'rotating' });
    expect([text, isError]).toEqual([expect.stringContaining('Loaded: rotating'), false]);
    expect(text).not.toContain('Redefining source-transform');
    expect(await client.evaluate('(turned 3)')).toBe('=> 6');
  });

  it('An export that its file has no longer does not end a load [issue 35.1]', async () => {
    const text = (exports: string) =>
      `(defpackage :kept (:use :cl) (:export ${exports})) (in-package :kept) (defun one () 1)`;
    await writeFile(path.join(bench.project, 'kept.asd'), '(defsystem "kept" :components ((:file "kept")))');
    await writeFile(path.join(bench.project, 'kept.lisp'), text('#:one #:two'));
    expect((await client.call('load-system', { system: 'kept' })).isError).toBe(false);
    await writeFile(path.join(bench.project, 'kept.lisp'), `${text('#:one')} (defun three () 3)`);
    const again = await client.call('load-system', { system: 'kept' });
    expect(again.isError).toBe(false);
    expect(again.text).toMatch(
      /STYLE-WARNING.*KEPT also exports the following symbols.*\(unexport \(quote \(NAME \.\.\.\)\) :KEPT\)/,
    );
    expect(await client.evaluate('(kept::three)')).toContain('3');
  });

  it('Errors about unknown names come with near ones [issue 35.1]', async () => {
    await client.evaluate('(defpackage :larder (:use :cl) (:export #:price-of)) (defun larder:price-of (x) x)');
    expect(await client.evaluate('(larder:price-off 1)')).toMatch(/\nDid you mean LARDER:PRICE-OF\?\n\n\[Backtrace\]/);
    expect(await client.evaluate('(price-of 1)')).toContain('is undefined.\nDid you mean LARDER:PRICE-OF');
    expect(await client.evaluate('(lardr:price-of 1)')).toContain('\nDid you mean LARDER?');
    expect(await client.evaluate('(car 1)')).not.toContain('Did you mean');
  });

  it('The last line that says that tests failed counts, and not one that says that none did [issue 35.1]', () => {
    const lines = ['0 failed', 'No tests failed.', 'Failures: 0', '12 tests, 0 failures', 'Fail: 0 ( 0%)', 'all good'];
    expect(lines.map(saysFailed)).toEqual(lines.map(() => null));
    const failed = ['Some tests failed.', '1 out of 251 total tests failed: X', 'not ok 3', 'Failures: 2', 'FAIL x'];
    expect(failed.map(saysFailed)).toEqual(failed);
  });

  it('The person sees the results of a run of a client, passed and failed, and of a single test again [issue 39.2]', async () => {
    const finished: string[] = [];
    const stop = bench.workbench.tests.events.on('finished', ({ test, outcome }) =>
      finished.push(`${test}: ${outcome}`),
    );
    const results = async () =>
      (await bench.workbench.tests.list())!.results.map(({ test, outcome, checks }) => [test, outcome, checks.length]);
    const text = (value: number) => `(defpackage :seen (:use :cl :fiveam)) (in-package :seen)
(test good (is (= 1 1)) (is (= 2 2)))
(test bad (is (= 1 ${value})))
(test torn (error "no"))`;
    await system(
      'seen',
      '"fiveam"',
      `(unless (uiop:symbol-call :fiveam :run! (list (find-symbol* :good :seen) (find-symbol* :bad :seen) (find-symbol* :torn :seen))) (error "failed"))`,
      text(2),
    );
    expect(await run('seen')).toMatch(/^failed: 2 of 3 tests failed/);
    expect(finished.toSorted()).toEqual([
      'fiveam SEEN::BAD: failed',
      'fiveam SEEN::GOOD: passed',
      'fiveam SEEN::TORN: error',
    ]);
    expect(await results()).toEqual(
      expect.arrayContaining([
        ['fiveam SEEN::GOOD', 'passed', 2],
        ['fiveam SEEN::BAD', 'failed', 1],
      ]),
    );
    await run('seen', { test: 'good' });
    expect(finished.slice(3)).toEqual(['fiveam SEEN::GOOD: passed']);
    stop();
  });
});
