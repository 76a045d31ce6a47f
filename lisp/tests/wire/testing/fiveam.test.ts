import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestResult } from '#contract/image/testing.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';

let image: TestImage;

const TESTS = `(defpackage :counting/tests (:use :cl :fiveam)) (in-package :counting/tests)
(defun parsed (text) (error "~S is no number." text)) (def-suite counting) (def-suite small :in counting)
(in-suite small)
(test adds "Sums." (is (= 3 (+ 1 2))) (is (= 4 (+ 2 2))))
(test (wrong) (is (equal '(1 2) (list 1 3))) (is-true nil) (is (evenp 3)) (is-false 7))
(in-suite counting)
(def-test breaks () (format t "before the error") (is (= 1 (parsed "x"))))
(test later (skip "not now"))
(test own-words (is (= 1 2) "one is ~A" :two))
(test (needs :depends-on wrong) (is (= 1 1)))
`;

beforeAll(async () => {
  image = await openTestImage();
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(image.directory, name), text);
  await write(
    'counting.asd',
    `(defsystem "counting" :in-order-to ((test-op (test-op "counting/tests"))))
(defsystem "counting/tests" :depends-on ("fiveam") :components ((:file "tests"))
  :perform (test-op (o c) (symbol-call :fiveam '#:run! (find-symbol* '#:counting :counting/tests))))
(defsystem "counting/plain")`,
  );
  await write('tests.lisp', TESTS);
  await image.ask('trust-project', { trusted: true });
}, 120_000);
afterAll(() => image.close());

const ID = (name: string): string => `fiveam COUNTING/TESTS::${name}`;

/** Runs tests, and returns their results in the order of arrival. */
async function run(tests: readonly string[], debug = false): Promise<TestResult[]> {
  const before = image.events.length;
  const { status, condition } = await image.run('run-tests', { tests: [...tests], debug });
  if (status !== 'ok') throw new Error(`${status}: ${condition?.message}`);
  return resultsSince(before);
}

const resultsSince = (before: number): TestResult[] =>
  image.events.slice(before).flatMap((event) => (event.event === 'test-finished' ? [event] : []));

const told = ({ test, outcome, passed, failed, skipped }: TestResult) =>
  [test.replace(/.*::?/, ''), outcome, passed, failed, skipped].join(' ');

describe('tests of FiveAM', () => {
  it('The image lists no test before a framework is loaded, and then tests with their suites and places [D11]', async () => {
    expect(await image.ask('tests', {})).toMatchObject({ frameworks: [], tests: [], more: 0 });
    expect(await image.run('load-system', { system: 'counting/tests' })).toMatchObject({ status: 'ok' });
    const { frameworks, tests } = await image.ask('tests', {});
    expect(frameworks).toEqual(['fiveam']);
    expect(tests.map(({ id, parent, suite, source }) => [id, parent, suite, source?.line ?? null])).toEqual([
      [ID('COUNTING'), null, true, null],
      [ID('SMALL'), ID('COUNTING'), true, null],
      [ID('ADDS'), ID('SMALL'), false, 4],
      [ID('WRONG'), ID('SMALL'), false, 5],
      [ID('BREAKS'), ID('COUNTING'), false, 7],
      [ID('LATER'), ID('COUNTING'), false, 8],
      [ID('OWN-WORDS'), ID('COUNTING'), false, 9],
      [ID('NEEDS'), ID('COUNTING'), false, 10],
      ['asdf ::counting', null, false, null],
      ['asdf ::counting/tests', null, false, null],
    ]);
    expect(tests.find(({ name }) => name === 'ADDS')!.source!.offset).toBe(TESTS.indexOf('(test adds'));
  });

  it('A test tells its checks with form, reason, expected and actual value [D11]', async () => {
    const [adds, wrong, words] = await run([ID('ADDS'), ID('WRONG'), ID('OWN-WORDS')]);
    expect([adds, wrong, words].map((each) => told(each!))).toEqual([
      'ADDS passed 2 0 0',
      'WRONG failed 0 4 0',
      'OWN-WORDS failed 0 1 0',
    ]);
    expect(adds!.checks[0]).toMatchObject({ outcome: 'passed', form: '(= 3 (+ 1 2))', reason: null, expected: null });
    expect(adds!.ms).toBeGreaterThan(0);
    const shown = wrong!.checks.map(({ form, expected, actual }) => [
      form,
      expected?.text ?? null,
      actual?.text ?? null,
    ]);
    expect(shown).toEqual([
      ["(EQUAL '(1 2) (LIST 1 3))", '(1 2)', '(1 3)'],
      ['NIL', null, null],
      ['(EVENP 3)', null, '3'],
      ['7', null, '7'],
    ]);
    expect(wrong!.checks[0]!.reason).toContain('evaluated to (1 3)');
    expect(words!.checks[0]).toMatchObject({ form: '(= 1 2)', reason: 'one is TWO', expected: null, actual: null });
    const { handle } = wrong!.checks[0]!.actual!;
    const looking = { handle: handle!, holder: 'looking', view: null, offset: 0, limit: 5, package: null };
    expect(await image.ask('inspect', looking)).toMatchObject({ text: '(1 3)' });
  });

  it('An error ends its test alone and is told with the frames of the code and what was printed before [D11]', async () => {
    const before = image.events.length;
    const [breaks, adds] = await run([ID('BREAKS'), ID('ADDS')]);
    expect([told(breaks!), told(adds!)]).toEqual(['BREAKS error 0 1 0', 'ADDS passed 2 0 0']);
    expect(breaks!.condition).toMatchObject({ phase: 'evaluation' });
    expect(breaks!.condition!.message).toContain('"x"');
    expect(breaks!.condition!.frames.map(({ call }) => call)).toEqual(['(PARSED "x")', '(%TEST-BREAKS)']);
    const events = image.events.slice(before).flatMap((each) => {
      if (each.event === 'output') return [each.text];
      return each.event === 'test-started' || each.event === 'test-finished' ? [`${each.event} ${each.test}`] : [];
    });
    expect(events.slice(0, 3)).toEqual([
      `test-started ${ID('BREAKS')}`,
      'before the error',
      `test-finished ${ID('BREAKS')}`,
    ]);
  });

  it('A test whose dependency failed is skipped, as is one that skips its check [D11]', async () => {
    expect((await run([ID('NEEDS'), ID('LATER')])).map(told)).toEqual(['NEEDS skipped 0 0 1', 'LATER skipped 0 0 1']);
  });

  it('A test that was defined anew has another version, and one that is gone is told as missing [D11]', async () => {
    const versionOf = async (name: string) =>
      (await image.ask('tests', {})).tests.find((each) => each.name === name)?.version;
    const before = await versionOf('ADDS');
    expect(await versionOf('ADDS')).toBe(before);
    await image.evaluate('(in-package :counting/tests) (test adds (is (= 5 5)))');
    expect(await versionOf('ADDS')).not.toBe(before);
    const { result } = await image.run('run-tests', { tests: [ID('ADDS'), ID('NOT-THERE')], debug: false });
    expect(result).toEqual({ missing: [ID('NOT-THERE')], counts: [{ outcome: 'passed', count: 1 }] });
  });

  it('What ends a test otherwise than by an error is its result, and the tests after it run [D11]', async () => {
    await image.evaluate(`(in-package :counting/tests)
      (test stops (break "Here."))
      (test deep (labels ((f (n) (+ 1 (f (1+ n))))) (is (= 1 (f 0)))))
      (test leaves (abort))`);
    const results = await run([ID('STOPS'), ID('DEEP'), ID('LEAVES'), ID('ADDS')]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['error', 'error', 'error', 'passed']);
    expect(results.slice(0, 2).map(({ condition }) => condition?.message.split('\n')[0])).toEqual([
      'Here.',
      expect.stringContaining('ontrol stack'),
    ]);
  });

  it('An interrupt stops the test that runs, and the run with it [D11]', async () => {
    await image.evaluate('(in-package :counting/tests) (test loops (loop))');
    const evaluation = randomUUID();
    const before = image.events.length;
    const running = image.image.request('run-tests', {
      tests: [ID('ADDS'), ID('LOOPS'), ID('LATER')],
      debug: false,
      evaluation,
      context: 'test',
      actor: 'person',
      outputLimit: 1000,
      onError: 'report',
      guard: false,
    });
    for (let started = await image.next('test-started'); started.test !== ID('LOOPS');)
      started = await image.next('test-started');
    await image.ask('interrupt', { evaluation });
    expect(await running).toMatchObject({ status: 'interrupted' });
    expect(resultsSince(before).map(({ test, outcome }) => [test, outcome])).toEqual([
      [ID('ADDS'), 'passed'],
      [ID('LOOPS'), 'stopped'],
    ]);
    expect((await run([ID('ADDS')])).map(told)).toEqual(['ADDS passed 1 0 0']);
  });

  it('With the debugger an error in a test waits there, and aborting it is the result [D11]', async () => {
    const before = image.events.length;
    const running = image.run('run-tests', { tests: [ID('BREAKS')], debug: true, onError: 'debug' });
    const { debugger: entered } = await image.next('debugger-entered');
    expect(entered.message).toContain('"x"');
    await image.ask('invoke-restart', {
      debugger: entered.id,
      restart: entered.restarts.findIndex(({ name }) => name === 'IGNORE'),
      arguments: [],
    });
    expect(await running).toMatchObject({ status: 'ok' });
    expect(resultsSince(before).map(({ outcome }) => outcome)).toEqual(['error']);
  });

  it('A system is tested by ASDF, and the results of its tests are told too [D11]', async () => {
    const results = await run(['asdf ::counting/tests']);
    expect(results[0]).toMatchObject({ test: 'asdf ::counting/tests', outcome: 'failed' });
    expect(results.slice(1).map(({ test }) => test)).toContain(ID('WRONG'));
  });
});
