import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unreviewedDefinitions } from '#core/sessions/definitions/views.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
  const write = (name: string, text: string) => writeFile(path.join(bench.project, name), text);
  await write(
    'shop.asd',
    `(defsystem "shop" :description "A shop." :version "1.2" :license "MIT" :depends-on ("alexandria") :components ((:file "shop")))
     (defsystem "shop/tests" :depends-on ("shop" "fiveam") :components ((:file "tests"))
       :perform (test-op (o c) (uiop:symbol-call :fiveam :run! :shop-suite)))
     (defsystem "shop/plain" :perform (test-op (o c) (write-line "plain")))`,
  );
  await write(
    'shop.lisp',
    '(defpackage :shop (:use :cl) (:export #:total)) (in-package :shop) (defun total (l) (reduce (function +) l))',
  );
  await write(
    'tests.lisp',
    `(defpackage :shop/tests (:use :cl :fiveam)) (in-package :shop/tests)
     (def-suite :shop-suite) (in-suite :shop-suite)
     (test adds (is (= 3 (shop:total '(1 2)))))
     (test wrong (is (= 4 (shop:total '(1 2)))))`,
  );
  await write('nothing.asd', ';; empty');
}, 120_000);

afterAll(() => bench.close());

describe('systems and running code as a client sees them', () => {
  it.each<[string, string, Record<string, unknown>, boolean, RegExp]>([
    [
      'lists the project’s systems, broken ones with why',
      'list-systems',
      { project_only: true },
      false,
      /- nothing \(project\) broken: .*\n- shop \(project\)\n- shop\/plain \(project\)\n- shop\/tests \(project\)/,
    ],
    [
      'says when a page of systems is past the end',
      'list-systems',
      { start: 5000 },
      false,
      /^There are only \d+, so there is nothing to show from 5000 on\.$/,
    ],
    [
      'describes a system',
      'list-systems',
      { system: 'shop' },
      false,
      /^shop\nDescription: A shop\.\nVersion: 1\.2\nLicence: MIT\nDepends on: alexandria\nDefined in: .*shop\.asd\nLoaded: no\nFiles: shop$/,
    ],
    [
      'says what is wrong with a missing one',
      'list-systems',
      { system: 'nowhere' },
      true,
      /^Tool error: Component "nowhere" not found/,
    ],
    ['runs tests', 'run-tests', { system: 'shop/tests' }, true, /^1 of 2 tests failed\.\n- .*WRONG/],
    [
      'counts them when all is loaded already',
      'run-tests',
      { system: 'shop/tests' },
      true,
      /^1 of 2 tests failed\.\n- .*WRONG/,
    ],
    [
      'says of tests of another framework that they are not counted',
      'run-tests',
      { system: 'shop/plain' },
      false,
      /^The tests ended without an error, and their output mentions no failure\. .* they were not counted\.\n\nplain$/,
    ],
    [
      'says when there are none',
      'run-tests',
      { system: 'shop' },
      true,
      /^The system shop does not define how to test it: it has no method for test-op/,
    ],
    [
      'times code',
      'time-execution',
      { code: '(loop repeat 1000 sum 1)', runs: 3 },
      false,
      /^min [\d.]+ ms, median [\d.]+ ms in 3 runs => 1000\n- /,
    ],
    [
      'profiles code',
      'profile-code',
      {
        code: '(defun spin (n) (loop with x = 1 repeat n do (setf x (mod (* x 7) 65537)) finally (return x))) (spin 30000000)',
      },
      false,
      /samples in \d+ ms => \d+\n\n\[Functions\][\s\S]*SPIN/,
    ],
    [
      'says when there was nothing to sample',
      'profile-code',
      { code: '1' },
      false,
      /^0 samples in \d+ ms => 1\nThe code ended before/,
    ],
    ['reports an error of what it runs', 'time-execution', { code: '(error "no")' }, true, /^Tool error: no$/],
    ['tells of memory', 'list-sessions', { memory: true }, false, /\n\[Memory\] [\d.]+ of \d+ MB used/],
    ['tells of threads', 'list-sessions', { threads: true }, false, /main thread/],
  ])(
    'A tool %s [D9, D11, X24]',
    async (_, tool, args, isError, answer) => {
      const reply = await client.call(tool, args);
      expect(reply.text).toMatch(answer);
      expect(reply.isError).toBe(isError);
    },
    60_000,
  );
});

describe('tests of a system', () => {
  it('The tool run-tests runs one test by its name and the failed ones again, and tells each failure once', async () => {
    const all = (await client.call('run-tests', { system: 'shop/tests' })).text;
    expect(all).toMatch(/^1 of 2 tests failed\.\n- .*WRONG(?: [^ ]+)?: /);
    const one = await client.call('run-tests', { system: 'shop/tests', test: 'adds' });
    expect(one).toMatchObject({ isError: false, text: expect.stringMatching(/^1 test passed/) as unknown });
    const again = await client.call('run-tests', { system: 'shop/tests', failed: true });
    expect(again.text).toMatch(/^1 of 1 test failed/);
    const none = await client.call('run-tests', { system: 'shop/tests', test: 'no-such-test' });
    expect(none).toMatchObject({
      isError: true,
      text: expect.stringContaining('No test is named no-such-test') as unknown,
    });
  });

  it('What a test library and tests define as a client has them loaded and run waits for no review [D11]', async () => {
    const { definitions } = bench.workbench.session;
    await client.call('run-tests', { system: 'shop/tests' });
    await client.call('evaluate-lisp', { code: '(defun written-by-the-client () 1)' });
    await client.call('evaluate-lisp', { code: '(written-by-the-client)' }); // the image reports its definitions only after the answer
    const waiting = unreviewedDefinitions(definitions).entries.filter(({ name }) => name !== 'SPIN');
    expect(waiting.map(({ name }) => name)).toEqual(['WRITTEN-BY-THE-CLIENT']);
  });

  it('Tests of a system are said to have failed, or not, only where that is known', async () => {
    const other = await bench.connect('another');
    const failed = async (system: string) => {
      const { text, isError } = await other.call('run-tests', { system, failed: true });
      return `${isError}: ${text}`;
    };
    const unknown = 'true: It is not known which tests of shop/tests failed: you have not run them on this connection.';
    expect(await failed('shop/tests')).toContain(unknown);
    await other.call('run-tests', { system: 'shop/plain' });
    expect(await failed('shop/plain')).toMatch(
      /^true: It is not known which tests of .* failed: your last run did not count them/,
    );
    await other.call('run-tests', { system: 'shop/tests', test: 'adds' });
    expect(await failed('shop/tests')).toMatch(/^false: No test of shop\/tests failed/);
    await other.call('run-tests', { system: 'shop/tests' });
    await other.call('run-tests', { system: 'SHOP/TESTS', test: 'adds' });
    expect(await failed('shop/tests')).toMatch(/^true: 1 of 1 test failed/);
  });

  it('Tests that do not compile are told by the error and located warnings alone', async () => {
    const write = (name: string, text: string) => writeFile(path.join(bench.project, name), text);
    await write('broken.asd', '(defsystem "broken" :components ((:file "lib")) :perform (test-op (o c) 1))');
    await write('unread.asd', '(defsystem "unread" :components ((:file "unread")))');
    await write('lib.lisp', '(in-package :cl-user)\n(defun lib-one (x)\n  (let ((1 2)) (lib-none)))\n');
    await write('unread.lisp', '(in-package :cl-user)\n(defun unread ()\n  (nowhere:fn 1))\n');
    const { text } = await client.call('run-tests', { system: 'broken' });
    expect(text.split('\n')).toEqual([
      'Tool error: broken does not compile: lib.lisp:2:1: ERROR in DEFUN LIB-ONE: 1 is not a symbol and cannot be used as a local variable.',
      '',
      '[Warnings]',
      expect.stringMatching(/^lib\.lisp:2:1: STYLE-WARNING in DEFUN LIB-ONE: .*X is defined but never used/),
    ]);
    const unread = await client.call('load-system', { system: 'unread' });
    expect(unread.text).toMatch(
      /\n\[Warnings\]\nunread\.lisp:3:\d+: ERROR: READ error: Package NOWHERE does not exist\.$/,
    );
  });
});
