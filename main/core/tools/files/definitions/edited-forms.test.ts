import { expect, it } from 'vitest';
import { hunksOf } from '#core/project/edits/hunks.ts';
import { readLisp } from '#core/project/edits/lisp-file.ts';
import { definitionsHeadline } from './edited-forms.ts';

const BEFORE = `(in-package :shop)

(defun total (cart)
  (sum cart))

(defun tax (x)
  (* x 2))
`;

const headline = (after: string): string | null =>
  definitionsHeadline('src/a.lisp', hunksOf(BEFORE, after, true)!.shown, readLisp(BEFORE), readLisp(after));

it.each([
  ['one is changed', BEFORE.replace('sum', 'add'), 'Change total in src/a.lisp'],
  ['two are changed', BEFORE.replace('sum', 'add').replace('2', '3'), 'Change 2 definitions in src/a.lisp'],
  ['one is new', `${BEFORE}\n(defvar *x* 1)\n`, 'Add *x* to src/a.lisp'],
  ['two are new', `${BEFORE}\n(defvar *x* 1)\n\n(defvar *y* 1)\n`, 'Add 2 definitions to src/a.lisp'],
  ['one is changed, one is new', `${BEFORE.replace('2', '3')}\n(defvar *x* 1)\n`, 'Change 2 definitions in src/a.lisp'],
  ['another form is added', `${BEFORE.replace('2', '3')}\n(print 1)\n`, null],
  ['the package is changed', BEFORE.replace(':shop', ':shop2').replace('2))', '3))'), null],
  ['one is removed', BEFORE.replace('(defun tax (x)\n  (* x 2))\n', ''), null],
  ['one takes the place of another', BEFORE.replace('(defun tax (x)', '(defun toll (x)'), null],
  ['a form hides beside one on its line', BEFORE.replace('(* x 2))', '(* x 3)) (print 1)'), null],
  ['only a comment is added', `;; About the shop.\n${BEFORE}`, null],
])('The headline of an edit counts definitions only where nothing else changes: %s [D13]', (_name, after, said) => {
  expect(headline(after)).toBe(said);
});
