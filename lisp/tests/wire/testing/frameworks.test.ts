import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestResult } from '#contract/image/testing.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import { LISP_UNIT2, PARACHUTE, ROVE } from './stand-ins.fixture.ts';

let image: TestImage;
beforeAll(async () => {
  image = await openTestImage();
  await define('(defun parsed (text) (error "~S is no number." text))');
}, 120_000);
afterAll(() => image.close());

async function define(code: string): Promise<void> {
  const { status, condition } = await image.evaluate(code);
  if (status !== 'ok') throw new Error(`${condition?.type}: ${condition?.message}\n${code.slice(0, 200)}`);
}

async function listed(framework: string) {
  const { tests } = await image.ask('tests', {});
  return tests.filter((each) => each.framework === framework);
}

async function run(framework: string, names: readonly string[]): Promise<TestResult[]> {
  const known = await listed(framework);
  const before = image.events.length;
  const tests = names.map((name) => known.find((each) => each.name === name)!.id);
  const { status, condition } = await image.run('run-tests', { tests, debug: false });
  if (status !== 'ok') throw new Error(`${status}: ${condition?.message}`);
  return image.events.slice(before).flatMap((event) => (event.event === 'test-finished' ? [event] : []));
}

const told = ({ test, outcome, passed, failed, skipped }: TestResult) =>
  [test.replace(/.*::?/, ''), outcome, passed, failed, skipped].join(' ');

/** Returns the failed checks, with their values as text. */
const faults = ({ checks }: TestResult) =>
  checks
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ form, expected, actual }) => [form, expected?.text ?? null, actual?.text ?? null]);

/**
 * Redefines a test. Returns whether its version stays the same without the redefinition, and whether it is the same after the redefinition.
 */
async function versions(framework: string, name: string, again: string): Promise<[boolean, boolean]> {
  const version = async () => (await listed(framework)).find((each) => each.name === name)!.version;
  const before = await version();
  const same = await version();
  await define(again);
  return [same === before, (await version()) === before];
}

describe('tests of other frameworks', () => {
  it('Tests of Fiasco run with the tests that they call, as Debian has Fiasco [D11]', async () => {
    await image.run('load-system', { system: 'fiasco' });
    await define(`(fiasco:define-test-package :weights) (in-package :weights)
      (deftest adds () (is (= 3 (+ 1 2))))
      (deftest wrong () (is (= 1 (+ 1 1))) (is (= 2 2)) (signals error (+ 1 2)))
      (deftest breaks () (is (= 1 1)) (cl-user::parsed "x") (is (= 1 1)))
      (deftest calls () (adds) (is (equal 1 1)))
      (deftest later () (skip))`);
    expect((await listed('fiasco')).map(({ id, parent, suite }) => [id, parent, suite])).toEqual([
      ['fiasco FIASCO-SUITES::ALL-TESTS', null, true],
      ['fiasco FIASCO-SUITES::WEIGHTS', 'fiasco FIASCO-SUITES::ALL-TESTS', true],
      ...['ADDS', 'WRONG', 'BREAKS', 'CALLS', 'LATER'].map((name) => [
        `fiasco WEIGHTS::${name}`,
        'fiasco FIASCO-SUITES::WEIGHTS',
        false,
      ]),
    ]);
    const results = await run('fiasco', ['ADDS', 'WRONG', 'BREAKS', 'CALLS', 'LATER']);
    expect(results.map(told)).toEqual([
      'ADDS passed 1 0 0',
      'WRONG failed 1 2 0',
      'BREAKS error 1 1 0',
      'CALLS passed 1 0 0',
      'ADDS passed 1 0 0',
      'LATER skipped 0 0 1',
    ]);
    expect(faults(results[1]!)[0]).toEqual(['(IS (= 1 (+ 1 1)))', '1', '2']);
    expect(results[2]!.condition!.frames.map(({ call }) => call)[0]).toContain('(COMMON-LISP-USER::PARSED "x")');
    expect(await versions('fiasco', 'ADDS', '(in-package :weights) (deftest adds () (is (= 4 4)))')).toEqual([
      true,
      false,
    ]);
  });

  it('Tests of RT are told with the values that they have, as Debian has RT [D11]', async () => {
    await image.run('load-system', { system: 'rt' });
    await define(`(in-package :cl-user)
      (rt:deftest sum (+ 1 2) 3)
      (rt:deftest two-values (floor 7 2) 3 2)
      (rt:deftest broken (cl-user::parsed "x") 1)`);
    const results = await run('rt', ['SUM', 'TWO-VALUES', 'BROKEN']);
    expect(results.map(told)).toEqual(['SUM passed 1 0 0', 'TWO-VALUES failed 0 1 0', 'BROKEN error 0 0 0']);
    expect(faults(results[1]!)).toEqual([['(FLOOR 7 2)', '(3 2)', '(3 1)']]);
    expect(results[2]!.condition!.message).toContain('"x"');
    expect(await versions('rt', 'SUM', '(rt:deftest sum (+ 2 2) 4)')).toEqual([true, false]);
  });

  it('Tests of the RT that SBCL brings along are listed and run like those of Debian’s [D11]', async () => {
    await image.run('load-system', { system: 'sb-rt' });
    await define(`(in-package :cl-user)
      (sb-rt:deftest own-sum (+ 1 2) 3)
      (sb-rt:deftest own-wrong (floor 7 2) 3 2)
      (sb-rt:deftest own-broken (cl-user::parsed "x") 1)`);
    const results = await run('sb-rt', ['OWN-SUM', 'OWN-WRONG', 'OWN-BROKEN']);
    expect(results.map(told)).toEqual(['OWN-SUM passed 1 0 0', 'OWN-WRONG failed 0 1 0', 'OWN-BROKEN error 0 0 0']);
    expect(faults(results[1]!)).toEqual([['(FLOOR 7 2)', '(3 2)', '(3 1)']]);
    expect(await versions('sb-rt', 'OWN-SUM', '(sb-rt:deftest own-sum (+ 2 2) 4)')).toEqual([true, false]);
  });

  it('Tests of Parachute run with the tests below them [D11]', async () => {
    await define(PARACHUTE);
    await define(`(defpackage :flights (:use :cl :parachute)) (in-package :flights)
      (define-test top (true t))
      (define-test low :parent top (is = 3 (+ 1 1)) (true (cl-user::parsed "x")))
      (define-test alone (is equal '(1) (list 1)))`);
    expect((await listed('parachute')).map(({ id, parent }) => [id, parent])).toEqual([
      ['parachute FLIGHTS::TOP', null],
      ['parachute FLIGHTS::LOW', 'parachute FLIGHTS::TOP'],
      ['parachute FLIGHTS::ALONE', null],
    ]);
    const results = await run('parachute', ['TOP', 'LOW', 'ALONE']);
    expect(results.map(told)).toEqual(['TOP failed 1 0 0', 'LOW error 0 2 0', 'ALONE passed 1 0 0']);
    expect(faults(results[1]!)[0]).toEqual(['(IS = 3 (+ 1 1))', '3', '2']);
    expect(results[1]!.condition!.message).toContain('"x"');
    const again = '(in-package :flights) (define-test alone (true t))';
    expect(await versions('parachute', 'ALONE', again)).toEqual([true, false]);
  });

  it('Tests of Rove run within what their suite sets up [D11]', async () => {
    await define(ROVE);
    await define(`(defpackage :trips (:use :cl :rove/core/test :rove/core/assertion)) (in-package :trips)
      (defvar *up* nil) (setup (setf *up* :yes))
      (deftest adds (ok (= (+ 1 2) 3)) (ok (eql *up* :yes)))
      (deftest wrong (ok (equal (list 1) '(2))) (ok (evenp 3)))
      (deftest breaks (ok (= 1 (cl-user::parsed "x"))))
      (deftest later (skip "not now"))`);
    const results = await run('rove', ['ADDS', 'WRONG', 'BREAKS', 'LATER']);
    expect(results.map(told)).toEqual([
      'ADDS passed 2 0 0',
      'WRONG failed 0 2 0',
      'BREAKS error 0 1 0',
      'LATER skipped 0 0 1',
    ]);
    expect(faults(results[1]!)).toEqual([
      ["(EQUAL (LIST 1) '(2))", '(2)', '(1)'],
      ['(EVENP 3)', null, '3'],
    ]);
    expect(results[2]!.condition!.frames[0]!.call).toContain('(COMMON-LISP-USER::PARSED "x")');
    expect(await versions('rove', 'ADDS', '(in-package :trips) (deftest adds (ok (= 1 1)))')).toEqual([true, false]);
  });

  it('Tests of lisp-unit2 keep the checks before an error [D11]', async () => {
    await define(LISP_UNIT2);
    await define(`(defpackage :units (:use :cl :lisp-unit2)) (in-package :units)
      (define-test adds () (assert-equal 3 (+ 1 2)))
      (define-test wrong () (assert-equal 3 (+ 1 1)) (assert-equal 2 (+ 1 1)))
      (define-test breaks () (assert-equal 1 1) (cl-user::parsed "x"))`);
    const results = await run('lisp-unit2', ['ADDS', 'WRONG', 'BREAKS']);
    expect(results.map(told)).toEqual(['ADDS passed 1 0 0', 'WRONG failed 1 1 0', 'BREAKS error 1 0 0']);
    expect(faults(results[1]!)).toEqual([['(ASSERT-EQUAL 3 (+ 1 1))', '3', '2']]);
    expect(results[2]!.condition!.message).toContain('"x"');
    expect(
      await versions('lisp-unit2', 'ADDS', '(in-package :units) (define-test adds () (assert-equal 1 1))'),
    ).toEqual([true, false]);
  });
});
