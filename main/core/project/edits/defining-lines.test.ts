import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { definingLines, definitionsOf } from './defining-lines.ts';

const linesOf = (name: string, text: string): number[] => definitionsOf(name)(text).map(({ line }) => line);

test.each([
  ['(defun total (x) x)'],
  ['(DEFUN TOTAL (x) x)'],
  ['  (cl:defmethod total :around ((x cart)) x)'],
  ['(define-thing shop::total ())'],
  ['(defun (setf total) (new x) new)'],
  ['(defstruct (total (:conc-name nil)) a)'],
  ['(defpackage #:total'],
  ['(asdf:defsystem "total"'],
  ['(defvar total)'],
])('%s is told as a definition of its name', (text) => {
  expect(linesOf('total', `;; before\n${text}\n`)).toEqual([2]);
});

test.each([
  ['(defun total-price (x) x)'],
  ['(defun sub-total (x) x)'],
  ['(total 1)'],
  ['; (defun total ())'],
  ['(print (def total))x(defun other (total) total)'],
])('%s is not told as a definition of a name in it', (text) => {
  expect(linesOf('total', text)).toEqual([]);
});

test('Names with characters of patterns are found as they are', () => {
  expect(linesOf('*a.b*', '(defvar *a.b* 1)\n(defvar *axb* 1)')).toEqual([1]);
  expect(linesOf('ü->x?', '(defun ü->x? ())')).toEqual([1]);
});

test('The Lisp files of a folder are looked into, and no others', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'defining-'));
  await writeFile(path.join(folder, 'a.lisp'), '\n(defun total () 1)\n');
  await writeFile(path.join(folder, 'notes.md'), '(defun total () 1)\n');
  await writeFile(path.join(folder, 'b.asd'), '(defsystem :total)\n');
  const found = await definingLines(folder, 'total', new AbortController().signal);
  expect(found.map(({ file, line }) => [path.basename(file), line])).toEqual([
    ['a.lisp', 2],
    ['b.asd', 1],
  ]);
  await rm(folder, { recursive: true });
});
