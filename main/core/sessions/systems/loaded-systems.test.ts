/** Reset and recovery also reload systems that evaluated code loaded without the workbench's tools. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';

let test: TestSession;

beforeEach(async () => {
  test = await openTestSession();
  const files = {
    'inner.asd': '(defsystem "inner" :components ((:file "inner")))',
    'inner.lisp': '(defpackage :inner (:use :cl)) (in-package :inner) (defun one () 1)',
    'outer.asd': '(defsystem "outer" :depends-on ("inner"))',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(test.directory, name), text);
  await test.say(`(push #p"${test.directory}/" asdf:*central-registry*)`);
});

afterEach(() => test.close());

describe('systems that code loads', () => {
  it.each([
    ['(asdf:load-system "outer")', '(inner::one)', '1'],
    ['(asdf:operate :load-op :outer)', '(inner::one)', '1'],
    ['(require "outer")', '(inner::one)', '1'],
    ['(mapc (function asdf:load-system) (list "inner"))', '(inner::one)', '1'],
    ['(require :sb-md5)', '(length (sb-md5:md5sum-string "x"))', '16'],
    ['(sb-thread:join-thread (sb-thread:make-thread (lambda () (asdf:load-system "outer"))))', '(inner::one)', '1'],
  ])('A system that code loads by %s is loaded again by a reset', async (code, ask, answer) => {
    expect(await test.say(`${code} (defun gone () 1)`, { actor: AGENT })).toBe('GONE');
    expect(await test.say(ask)).toBe(answer);
    expect(await test.session.reset(PERSON)).toEqual([]);
    expect(await test.say(ask)).toBe(answer);
    expect(await test.say('(fboundp (quote gone))')).toBe('NIL');
  });

  it('A system that code loads and that was loaded already is not told again', async () => {
    await test.say('(asdf:load-system "outer") (asdf:load-system "outer") (asdf:load-system "inner")');
    await test.say('(sb-ext:exit :code 4 :abort t)');
    expect(await test.say('(+ 1 2)')).toBe('3');
    expect(test.session.view().lost).toMatchObject({ systems: ['outer'] });
  });
});
