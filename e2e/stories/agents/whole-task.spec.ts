/** Stories about undoing all effects of an agent's task at once: afterwards the image equals the checkpoint before the task. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test, type Agent, type Desktop } from '../../desktop/fixture.ts';
import { approve, openReview } from '../../desktop/reviewing.ts';

/** The person's definitions before the task. */
const OURS = `(defun price (n) (* 2 n))
(defmacro twice (form) \`(progn ,form ,form))
(defclass item () ((name :initarg :name :accessor item-name)))
(defgeneric describe-item (item))
(defmethod describe-item ((item item)) (list :item (item-name item)))
(defstruct point x y)
(defvar *tax* 7)
(defvar *stock* (list (make-instance 'item :name "tea")))
(defun total (n) (+ (price n) *tax*))`;

/** The forms that the agent evaluates in its task. They change many of the person's definitions, and add others. */
const THEIRS = [
  '(defun price (n) (* 3 n))',
  '(defmacro twice (form) `(progn ,form ,form ,form))',
  '(defmethod describe-item ((item item)) (list :changed (item-name item)))',
  '(defmethod describe-item :around ((item item)) (cons :around (call-next-method)))',
  '(defgeneric discount (item)) (defmethod discount ((item item)) 1)',
  '(defclass basket () ((items :initform nil)))',
  '(defparameter *basket* (make-instance (quote basket)))',
  '(define-condition sold-out (error) ())',
  '(defpackage :helper (:use :cl) (:export #:help))',
  '(in-package :helper) (defun help () :helped)',
  '(in-package :cl-user) (defun total (n) (helper::help) (+ (price n) *tax* 1000))',
];

/** A form that prints all contents of CL-USER and HELPER: lambda lists, values, slots, methods, and results of calls. */
const PICTURE = `(flet ((symbols (package)
         (let ((found '()))
           (when (find-package package)
             (do-symbols (symbol package)
               (when (and (eq (symbol-package symbol) (find-package package))
                          (or (fboundp symbol) (boundp symbol) (find-class symbol nil)))
                 (pushnew symbol found))))
           (sort found #'string< :key #'symbol-name)))
       (value (it) (let ((*print-pretty* nil))
                     (if (typep it '(or number symbol string)) (prin1-to-string it) (princ-to-string (type-of it))))))
  (let ((*print-pretty* nil) (*print-length* nil)) (prin1-to-string (list (loop for package in '("CL-USER" "HELPER")
              collect (loop for symbol in (symbols package)
                            collect (list (symbol-name symbol)
                                          (and (fboundp symbol) (value (sb-kernel:%fun-lambda-list (or (macro-function symbol) (fdefinition symbol)))))
                                          (and (boundp symbol) (value (symbol-value symbol)))
                                          (and (find-class symbol nil) (value (class-name (find-class symbol))))
                                          (and (fboundp symbol) (typep (fdefinition symbol) 'generic-function)
                                               (length (sb-mop:generic-function-methods (fdefinition symbol)))))))
        (price 3) (total 3) (let ((n 0)) (twice (incf n)) n)
        (mapcar (lambda (each) (ignore-errors (describe-item each))) *stock*) (point-x (make-point :x 1)) (and (find-package "HELPER") :helper)))))`;

test.describe.configure({ timeout: 120_000 });

async function prepare(
  desktop: Desktop,
): Promise<{ agent: Agent; before: string; read: (name: string) => Promise<string> }> {
  const read = (name: string): Promise<string> => readFile(path.join(desktop.project, name), 'utf8');
  await writeFile(path.join(desktop.project, 'shop.lisp'), OURS);
  await asPerson(desktop, OURS);
  await picture(desktop); // evaluates the form once before the comparison, because the form interns symbols
  const { page } = desktop;
  await page.evaluate(() => window.workbench.call('session.checkpoint', { label: 'before the task' }));
  const before = await picture(desktop);
  const agent = await desktop.agent('codex');
  return { agent, before, read };
}

async function doTask(desktop: Desktop, agent: Agent, more: readonly string[] = []): Promise<void> {
  for (const code of [...THEIRS, ...more]) {
    const { isError, text } = await agent.call('evaluate-lisp', { code });
    expect([code, isError, text]).toEqual([code, false, text]);
  }
  for (const args of [
    { path: 'shop.lisp', content: '(defun price (n) (* 3 n))\n' },
    { path: 'helper.lisp', content: '(defpackage :helper (:use :cl))\n' },
    { path: 'shop.lisp', content: '(defun price (n) (* 3 n)) ; again\n' },
  ]) {
    const call = agent.call('write-file', args);
    await approve(await openReview(desktop));
    expect((await call).isError).toBe(false);
  }
  await desktop.page.evaluate(() => window.workbench.call('review.show', { open: false }));
}

test('All that an agent defined and wrote in one task is undone with one action, and image and files are as before [P3, P6]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const { agent, before, read } = await prepare(desktop);
  await doTask(desktop, agent);
  expect(await picture(desktop)).not.toBe(before);

  await page.keyboard.press('Control+Shift+H');
  await (await firstOfTask(desktop)).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Undo Everything of codex Since This…' }).click();
  const asked = page.getByRole('alertdialog', { name: /Undo everything that codex defined and wrote since/ });
  await expect(asked.getByRole('listitem').filter({ hasText: 'helper.lisp' })).toContainText(
    'is deleted, because it was new',
  );
  await asked.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Restored: shop.lisp, helper.lisp.' })).toBeVisible();

  expect(await picture(desktop)).toBe(before);
  expect(await read('shop.lisp')).toBe(OURS);
  await expect(stat(path.join(desktop.project, 'helper.lisp'))).rejects.toThrow(/ENOENT/);
});

test('The image with values that an agent set is as at the checkpoint before once the person goes back [P4]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const { agent, before } = await prepare(desktop);
  const values = [
    '(setf *tax* 99)',
    '(push (make-instance (quote basket)) *stock*)',
    '(setf (item-name (second *stock*)) "gone")',
  ];
  for (const code of [...THEIRS, ...values]) await agent.call('evaluate-lisp', { code });
  expect(await picture(desktop)).not.toBe(before);
  await page.keyboard.press('Control+Shift+H');
  await (await firstOfTask(desktop)).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Go Back to Before This…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The image is back at' })).toBeVisible();
  expect(await picture(desktop)).toBe(before);
});

/** Returns the row of the call with which the task began. */
async function firstOfTask(desktop: Desktop): Promise<Locator> {
  const activity = desktop.region('Activity');
  await activity.getByRole('searchbox', { name: 'Activity filter' }).fill('(defun price (n) (* 3 n))');
  return activity.getByRole('row').filter({ hasText: '(defun price (n) (* 3 n))' }).first();
}

async function asPerson(desktop: Desktop, code: string): Promise<string> {
  const report = await desktop.page.evaluate(
    (form) =>
      window.workbench.call('repl.evaluate', {
        evaluation: crypto.randomUUID(),
        code: form,
        package: null,
        origin: 'repl',
        source: null,
      }) as unknown as Promise<{
        values: { text: string }[];
        condition: { message: string } | null;
      }>,
    code,
  );
  expect(report.condition).toBeNull();
  return report.values[0]!.text;
}

function picture(desktop: Desktop): Promise<string> {
  return asPerson(desktop, PICTURE);
}
