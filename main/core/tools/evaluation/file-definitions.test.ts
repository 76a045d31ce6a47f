/** Answers to evaluations and loads that define something from a file of the project. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;
let file: string;

beforeAll(async () => {
  bench = await openTestWorkbench();
  client = await bench.connect();
  file = path.join(bench.project, 'report.lisp');
  await writeFile(file, '(defun prefix (x) (subseq x 0 1))\n(defun twice (x) (declare (optimize speed)) (+ x x))\n');
  await writeFile(path.join(bench.project, 'broken.lisp'), '(defun first-one () 1)\n(defun broken (x\n');
}, 120_000);

afterAll(() => bench.close());

it('A definition of a file that is evaluated anew is said once to be replaced in the image only [issue 35.1]', async () => {
  await client.call('load-file', { path: 'report.lisp' });
  expect(await client.evaluate('(defun prefix (x) (subseq x 0 2))')).toBe(
    `[warnings]\nSTYLE-WARNING: PREFIX is replaced in the image only; ${file} still has the old definition.\n\n=> PREFIX`,
  );
  expect(await client.evaluate('(defun prefix (x) (subseq x 0 3))')).toBe('=> PREFIX');
  expect(await client.evaluate('(load "report.lisp")')).not.toContain('in the image only');
});

it('Notes and redefinitions of a file that is loaded come without internal types [issue 35.1]', async () => {
  await client.evaluate('(defun prefix (x) x)');
  const { text } = await client.call('load-file', { path: 'report.lisp' });
  expect(text).toMatch(/^- redefinition report\.lisp:1:1 in PREFIX: redefining /m);
  expect(text).toMatch(/^- note report\.lisp:2:45 in TWICE: [a-z]/m);
  expect(text.split('\n\n[Output]')[0]).not.toMatch(/COMPILER-NOTE|REDEFINITION-WITH/);
});

it('A file that cannot be read is not called compiled [issue 35.1]', async () => {
  const { text, isError } = await client.call('load-file', { path: 'broken.lisp' });
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(
      /^Not loaded, because the text cannot be read completely\.\n\n- read-error broken\.lisp:2:1: /,
    ),
  ]);
});

it('The forms that only declare, such as IN-PACKAGE, are not counted as definitions of a file [issue 35.1]', async () => {
  await writeFile(
    path.join(bench.project, 'counted.lisp'),
    '(in-package :cl-user)\n(declaim (optimize debug))\n(defun counted () 1)\n(progn (defvar *counted* 2))\n',
  );
  expect((await client.call('load-file', { path: 'counted.lisp' })).text).toBe('Compiled and loaded, 2 definitions.');
});
