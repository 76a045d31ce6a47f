/**
 * The engine without author tracking, as on an SBCL that lacks the needed internals. All other features work, including the guard on
 * agents' own evaluations.
 */
import { existsSync } from 'node:fs';
import { realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { cacheWithout } from '#core/lisp/core.fixture.ts';
import { openTestImage, type TestImage } from '#core/lisp/image.fixture.ts';
import type { Effect } from '#contract/decisions/effect.ts';
import { abort, frameOf, stopped } from '../debugger/debugger.fixture.ts';
import { AGENT, decideAll, FOLLOWS } from '../effects.fixture.ts';

let cache: string;
let image: TestImage;
let asked: Effect<'waiting'>[];
let file: string;

beforeAll(async () => {
  cache = await cacheWithout(['FOLLOWING']);
  image = await openTestImage({ cache });
  asked = decideAll(image, 'deny');
  file = path.join(await realpath(image.directory), 'file');
}, 120_000);

beforeEach(async () => {
  asked.length = 0;
  await writeFile(file, 'kept');
});

afterAll(async () => {
  await image.close();
  await rm(cache, { recursive: true });
});

const byAgent = (code: string) => image.evaluate(code.replaceAll('@', JSON.stringify(file)), AGENT);
const write = (name: string, text: string) => writeFile(path.join(image.directory, name), text);

it('An image without following of authors says so once and lacks nothing else [issue 36.3]', async () => {
  const { lacking } = await image.image.ready;
  expect(lacking).toEqual([{ feature: 'guarding code that agents defined', names: ['LISP_WORKBENCH_FOLLOWING=on'] }]);
});

it.runIf(FOLLOWS)(
  'An image of this SBCL passes all trials of following authors, so it lacks nothing [issue 36.3]',
  async () => {
    const whole = await openTestImage();
    expect((await whole.image.ready).lacking).toEqual([]);
    await whole.close();
  },
);

it.each([
  ['in an evaluation', '(delete-file @)'],
  ['in a function that the agent calls', '(defun called () (delete-file @)) (called)'],
  ['in the expansion of a macro', '(defmacro gone () (delete-file @) nil) (gone)'],
  ['in interpreted code', '(let ((sb-ext:*evaluator-mode* :interpret)) (eval (quote (delete-file @))))'],
  [
    'in a thread',
    '(sb-thread:join-thread (sb-thread:make-thread (lambda () (ignore-errors (delete-file @)))) :default nil)',
  ],
  ['in a compiled function', "(funcall (compile nil '(lambda () (delete-file @))))"],
])(
  "An effect of an agent's own evaluation waits without following of authors: %s [issue 36.3]",
  async (_where, code) => {
    await byAgent(code);
    expect([asked.map(({ actor, operator }) => [actor, operator]), existsSync(file)]).toEqual([
      [[AGENT.actor, 'DELETE-FILE']],
      true,
    ]);
  },
);

it("A function of an agent that the person calls is the person's without following of authors, which is what following adds [issue 36.3]", async () => {
  await byAgent('(defun handed-over () (delete-file @))');
  expect((await image.evaluate('(handed-over)')).status).toBe('ok');
  expect([asked, existsSync(file)]).toEqual([[], false]);
});

it("The person's own code, macros and compiled files work without following of authors [issue 36.3]", async () => {
  await write('own.lisp', '(defmacro twice (form) `(list ,form ,form)) (defun pair (x) (twice x))');
  expect(await image.value('(load (compile-file "own.lisp")) (pair 3)')).toBe('(3 3)');
  expect(await image.value('(defstruct base (a 1)) (defstruct (above (:include base)) b) (base-a (make-above))')).toBe(
    '1',
  );
});

it('Definitions are recorded with their actor and undone without following of authors [issue 36.3]', async () => {
  await image.value('(defun told () 1)');
  await byAgent('(defun told () 2)');
  const { events } = await image.ask('definition-history', { package: null, name: null, evaluation: null, limit: 100 });
  const told = events.filter(({ name }) => name === 'TOLD');
  expect(told.map(({ actor }) => actor)).toEqual(expect.arrayContaining(['person', AGENT.actor]));
  const latest = told.find(({ actor }) => actor === AGENT.actor)!;
  await image.run('undo-definitions', { events: [latest.id], of: null, dry: false });
  expect(await image.value('(told)')).toBe('1');
});

it('A system is loaded and its tests run without following of authors [issue 36.3]', async () => {
  await write('small.asd', '(defsystem "small" :depends-on ("fiveam") :components ((:file "small")))');
  await write(
    'small.lisp',
    '(defpackage :small (:use :cl :fiveam)) (in-package :small) (def-suite all) (in-suite all) (test adds (is (= 3 (+ 1 2))))',
  );
  await image.ask('trust-project', { trusted: true });
  expect((await image.run('load-system', { system: 'small' })).status).toBe('ok');
  await image.run('run-tests', { tests: ['fiveam SMALL::ADDS'], debug: false });
  const finished = image.events.flatMap((event) => (event.event === 'test-finished' ? [event] : []));
  expect(finished.map(({ test, outcome }) => [test, outcome])).toEqual([['fiveam SMALL::ADDS', 'passed']]);
});

it('The debugger shows frames and their locals without following of authors [issue 36.3]', async () => {
  await byAgent('(defun inner (n) (declare (optimize debug)) (let ((m (* 2 n))) (list (/ m 0) m)))');
  const { debugger: record } = await stopped(image, '(inner 21)');
  expect(record.type).toBe('DIVISION-BY-ZERO');
  const { locals } = await image.ask('frame-locals', { debugger: record.id, frame: frameOf(record, 'INNER') });
  expect(locals.map(({ name }) => name)).toEqual(expect.arrayContaining(['N', 'M']));
  await abort(image, record);
});
