import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { openTestSession, type TestSession } from '../session.fixture.ts';

const SUITE = `(defpackage :cart-tests (:use :cl :fiveam))
(in-package :cart-tests)
(def-suite cart-suite)
(in-suite cart-suite)
(defun price () 42)
(test price-is-right (is (= 42 (price))))
(test (price-is-even :suite cart-suite) (is (evenp (price))))
(run! 'cart-suite)
`;
const PASSED =
  "(let ((results (fiveam:run 'cart-tests::cart-suite))) (list (length results) (fiveam:results-status results)))";

let test: TestSession;

beforeEach(async () => {
  test = await openTestSession();
  await test.say('(progn (asdf:load-system "fiveam") 1)');
});

afterEach(() => test.close());

/** Crashes the image and restores the person's work. */
async function crashAndReplay(): Promise<unknown> {
  await test.evaluate('(sb-ext:exit :code 1 :abort t)');
  return test.session.replay();
}

describe('what a file registers with a library', () => {
  it('A test suite that was evaluated from its file has its tests after a replay, each once, and no run of its own [P4]', async () => {
    const source = { file: path.join(test.directory, 'tests.lisp'), offset: 0, line: 1 };
    await test.evaluate(SUITE, { source });
    await test.evaluate(SUITE, { source });
    expect(await test.say(PASSED)).toBe('(2 T)');
    expect(await crashAndReplay()).toMatchObject({ failed: [] });
    expect(await test.say(PASSED)).toBe('(2 T)');
    const replayed = test.session.view().lost;
    expect(replayed).toBeNull();
  });

  it('A test suite that was compiled from its file has its tests after a replay [P4]', async () => {
    const source = { file: path.join(test.directory, 'tests.lisp'), offset: 0, line: 1 };
    const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id };
    await test.session.compileText({ ...who, text: SUITE, package: null, source, title: 'compile tests.lisp' });
    expect(await test.say(PASSED)).toBe('(2 T)');
    await test.evaluate('(sb-ext:exit :code 1 :abort t)');
    expect(test.session.view().lost!.definitions.map(({ operator, name }) => `${operator} ${name}`)).toEqual([
      'DEFPACKAGE :CART-TESTS',
      'DEF-SUITE CART-SUITE',
      'DEFUN PRICE',
      'TEST PRICE-IS-RIGHT',
      'TEST PRICE-IS-EVEN',
    ]);
    expect(await test.session.replay()).toMatchObject({ failed: [] });
    expect(await test.say(PASSED)).toBe('(2 T)');
  });

  it('What was evaluated of a file before its system was loaded gives way to the system, also after a replay [P4]', async () => {
    const folder = path.join(test.directory, 'cart');
    const file = path.join(folder, 'tests.lisp');
    await mkdir(folder);
    await writeFile(
      path.join(folder, 'cart.asd'),
      '(defsystem "cart" :depends-on ("fiveam") :components ((:file "tests")))',
    );
    await writeFile(file, SUITE.replace("(run! 'cart-suite)", '(defun version () :of-the-file)'));
    const source = { file, offset: 0, line: 1 };
    const begun = SUITE.split('\n').slice(0, 4).join('\n');
    await test.evaluate(`${begun} (defun version () :draft)`, { source });
    expect(await test.say(`(progn (asdf:load-asd "${folder}/cart.asd") (asdf:load-system "cart") 1)`)).toBe('1');
    await test.evaluate('(defun cart-tests::price () 44)', { source });
    await test.evaluate('(push (truename "cart/") asdf:*central-registry*)');
    expect(await test.say(PASSED)).toBe('(2 NIL)');
    await test.evaluate('(sb-ext:exit :code 1 :abort t)');
    expect(test.session.view().lost!.definitions.map(({ name }) => name)).toEqual(['PRICE']);
    await test.evaluate('(push (truename "cart/") asdf:*central-registry*)');
    expect(await test.session.replay()).toMatchObject({ failed: [] });
    expect(await test.say(`(list ${PASSED} (cart-tests::version))`)).toBe('((2 NIL) :OF-THE-FILE)');
  });
});
