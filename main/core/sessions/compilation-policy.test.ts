import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { openTestSession, type TestSession } from './session.fixture.ts';

let test: TestSession;
beforeAll(async () => {
  test = await openTestSession();
}, 120_000);
afterAll(() => test.close());

const FORM = `(defun looked-at (x) (let ((unused-later (* x 2))) (list (debug-quality) (error "Look at ~a." unused-later))))`;

/** Returns the value of the compiler's DEBUG quality when the form was compiled. */
async function debugQualityOf(debugs: boolean): Promise<string> {
  const who = { evaluation: randomUUID(), actor: PERSON, context: PERSON.id };
  const source = { file: 'looked.lisp', offset: 0, line: 1 };
  const { reply } = await test.session.compileText({
    ...who,
    text: FORM,
    package: 'COMMON-LISP-USER',
    source,
    title: 'compile looked',
    debugs,
  });
  expect(reply.result).toMatchObject({ loaded: true });
  return test.say('(quality)');
}

it('A form that is compiled for debugging is compiled with DEBUG 3, and one after it as the image says [issue 11.3]', async () => {
  await test.say('(require :sb-cltl2)');
  await test.say(
    `(defmacro debug-quality (&environment environment)
       (defparameter *quality* (second (assoc 'debug (sb-cltl2:declaration-information 'optimize environment))))
       nil)`,
  );
  await test.say('(defun quality () *quality*)');
  expect(await debugQualityOf(true)).toBe('3');
  expect(await debugQualityOf(false)).toBe('1');
});
