import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import { AGENT, openTestSession, type TestSession } from '../session.fixture.ts';

let test: TestSession;

beforeEach(async () => {
  // With these limits every evaluation counts as short, and no actor counts as idle, even on a slow machine.
  test = await openTestSession({ checkpoints: true, redoMs: 60_000, idleMs: 600_000 });
});
afterEach(() => test.close());

const agent = (code: string): Promise<string> => test.say(code, { actor: AGENT });
const crash = (): Promise<string> => test.say('(sb-posix:kill (sb-posix:getpid) 9)');
const labels = (): string[] => test.session.view().checkpoints.map(({ label }) => label);

/** Returns the number of the image's checkpoint processes. */
function copies(): number {
  const { pid } = test.session.view();
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).length;
}

describe('calls in a row that share a copy of the image', () => {
  it('Calls in a row share a copy of the image, and each can be gone back before [decision 43]', async () => {
    for (const n of [1, 2, 3, 4]) await agent(`(defparameter *x* ${n}) (defun f${n} () *x*)`);
    expect(labels()).toEqual([1, 2, 3, 4].map((n) => `before tester's evaluation ${n}`));
    expect(copies()).toBe(1);
    const checkpoints = test.session.view().checkpoints;
    for (const [index, defined] of [
      [3, '(3 T NIL)'],
      [1, '(1 NIL NIL)'],
      [2, '(2 T NIL)'],
    ] as const) {
      await test.session.rewind(checkpoints[index]!.id, PERSON);
      expect(await test.say("(list *x* (and (fboundp 'f2) t) (fboundp 'f4))")).toBe(defined);
    }
    expect(test.session.definitions.entries().map(({ name }) => name)).toEqual(['F2', '*X*', 'F1', '*X*']);
  });

  it('A crash loses none of the calls since the copy, and the answer tells what is made again [K6, decision 43]', async () => {
    await agent('(defvar *calls* (list :first)) (defun note (what) (push what *calls*))');
    await agent('(note :second)');
    expect(await agent('(push :third *calls*)')).toBe('(:THIRD :SECOND :FIRST)');
    expect(await crash()).toMatch(/last checkpoint, and the 3 evaluations after that are repeated; everything else/);
    expect(await test.say('*calls*')).toBe('(:THIRD :SECOND :FIRST)');
    expect(await agent('(eq (rest *) **)')).toBe('T');
    expect(test.session.view().lost).toBeNull();
    expect(labels().at(-1)).toBe("after tester's evaluation 3");
    // Evaluations are also repeated after a second crash.
    await agent('(note :fourth)');
    expect(await crash()).toMatch(/last checkpoint, and the evaluation after that is repeated/);
    expect(await test.say('*calls*')).toBe('(:FOURTH :THIRD :SECOND :FIRST)');
  });

  it('An evaluation that takes long is never made again: it has a copy after it [decision 43]', async () => {
    await test.close();
    test = await openTestSession({ checkpoints: true, redoMs: 5, idleMs: 600_000 });
    await agent('(progn (sleep 0.01) (defvar *slow* 1))');
    await agent('(progn (sleep 0.01) (defvar *slower* 2))');
    await agent('(defvar *after* 3)');
    expect(copies()).toBe(3);
  });

  it('What the person did since the copy is told as undone [decision 43]', async () => {
    await agent('(defun kept () 1)');
    await test.say('(defun mine () 2)');
    await crash();
    expect(await test.say("(list (and (fboundp 'kept) t) (fboundp 'mine))")).toBe('(T NIL)');
    expect(test.session.view().lost).toMatchObject({ definitions: [{ name: 'MINE' }], more: { own: 0, others: 0 } });
  });

  it('An evaluation that reaches outside is never made again: it has a copy after it [decision 43]', async () => {
    const file = path.join(test.directory, 'log');
    const append = `(with-open-file (s "${file}" :direction :output :if-exists :append :if-does-not-exist :create)
                      (write-line "once" s))`;
    await agent('(defvar *before* 1)');
    await agent(append);
    await agent('(defvar *after* 2)');
    expect(copies()).toBe(2);
    await crash();
    expect(await test.say('(list *before* *after*)')).toBe('(1 2)');
    expect(await readFile(file, 'utf8')).toBe('once\n');
  });

  it.each([
    '(defun out () (sb-alien:alien-funcall (sb-alien:extern-alien "getpid" (function sb-alien:int))))',
    "'sb-unix:unix-kill",
  ])('Nothing is made again once somebody evaluated what the image may not notice: %s [decision 43]', async (code) => {
    await agent('(defvar *x* 1)');
    await test.say(code);
    for (const n of [2, 3]) await agent(`(setf *x* ${n})`);
    expect(copies()).toBeGreaterThanOrEqual(3);
    expect(await agent('(sb-ext:exit :abort t)')).toMatch(/its last checkpoint; everything since then is undone/);
    expect(await test.say('*x*')).toBe('3');
  });

  it('Many evaluations in a row have another copy [decision 43]', async () => {
    for (let n = 1; n <= 120; n += 1) await agent(`(defparameter *n* ${n})`);
    await crash();
    expect(await test.say('*n*')).toBe('120');
    expect(labels()).toHaveLength(20);
  });

  it('An evaluation that goes another way when it is made again is told, and what it wants outside then is denied [decision 43]', async () => {
    const file = path.join(test.directory, 'there');
    await agent('(defvar *x* (list :zeroth))');
    await agent('(push :first *x*)');
    await agent(`(progn (push :second *x*) (when (probe-file "${file}") (delete-file "${file}")))`);
    await agent('(push :third *x*)');
    await writeFile(file, 'kept');
    expect(await crash()).toMatch(/by SIGKILL/);
    expect(await test.say('*x*')).toBe('(:FIRST :ZEROTH)'); // the evaluation that could not be repeated left no partial result
    expect(await readFile(file, 'utf8')).toBe('kept');
    expect(test.changes.at(-1)!.summary).toMatch(/^The image was ended by SIGKILL\. Back at/);
    expect(test.changes.at(-1)!.summary).toMatch(/2 evaluations after it could not be repeated/);
  });

  it('An evaluation that does not end when it is made again is left out [decision 43]', async () => {
    const file = path.join(test.directory, 'there');
    await agent('(defvar *x* :first)');
    await test.say('(defvar *own* 1)');
    await agent('(defun two () 2)');
    await agent(`(when (probe-file "${file}") (loop))`);
    await agent('(defun three () 3)');
    await writeFile(file, '');
    await crash();
    expect(await test.say("(list *x* *own* (and (fboundp 'two) t) (fboundp 'three))")).toBe('(:FIRST 1 T NIL)');
    expect(test.session.view().state).toBe('idle');
    expect(test.changes.at(-1)!.summary).toMatch(/2 evaluations after it could not be repeated/);
    expect(test.session.view().lost).toMatchObject({ definitions: [{ name: 'THREE' }] });
  });

  it('Evaluations that the person reviewed stay reviewed when they are made again [decision 43]', async () => {
    const entries = () => test.session.definitions.entries().map(({ name, reviewed }) => [name, reviewed]);
    await agent('(defun f () 1)');
    await agent('(defun g () 2)');
    await expect.poll(entries).toEqual([
      ['G', false],
      ['F', false],
    ]);
    test.session.definitions.review([test.session.definitions.entries()[1]!], true);
    await crash();
    await test.say('1');
    await expect.poll(entries).toEqual([
      ['G', false],
      ['F', true],
    ]);
  });
});
