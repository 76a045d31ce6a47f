import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('D9 D11 systems and running code as a client sees them', () => {
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
      /^There are \d+ and none from 5000 on\.$/,
    ],
    [
      'describes a system',
      'describe-system',
      { system: 'shop' },
      false,
      /^shop\nDescription: A shop\.\nVersion: 1\.2\nLicence: MIT\nDepends on: alexandria\nDefined in: .*shop\.asd\nLoaded: no\nFiles: shop$/,
    ],
    [
      'says what is wrong with a missing one',
      'describe-system',
      { system: 'nowhere' },
      true,
      /^Tool error: Component "nowhere" not found/,
    ],
    [
      'runs tests',
      'run-tests',
      { system: 'shop/tests' },
      true,
      /^1 of 2 checks passed, 1 failed, 0 skipped\.\n- .*WRONG/,
    ],
    [
      'counts them when all is loaded already',
      'run-tests',
      { system: 'shop/tests' },
      true,
      /^1 of 2 checks passed, 1 failed, 0 skipped\.\n- .*WRONG/,
    ],
    [
      'says of tests of another framework that they are not counted',
      'run-tests',
      { system: 'shop/plain' },
      false,
      /^The tests ended without an error\. They were not counted: read in the output how they went\.\n\nplain$/,
    ],
    [
      'says when there are none',
      'run-tests',
      { system: 'shop' },
      true,
      /^The system shop says nothing of how to test it\.$/,
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
      /^0 samples in \d+ ms => 1\nIt was over before/,
    ],
    ['X24 reports an error of what it runs', 'time-execution', { code: '(error "no")' }, true, /^Tool error: no$/],
    ['tells of memory', 'memory-report', {}, false, /^[\d.]+ of \d+ MB used/],
    ['tells of threads', 'list-threads', {}, false, /main thread/],
  ])(
    '%s',
    async (_, tool, args, isError, answer) => {
      const reply = await client.call(tool, args);
      expect(reply.text).toMatch(answer);
      expect(reply.isError).toBe(isError);
    },
    60_000,
  );
});
