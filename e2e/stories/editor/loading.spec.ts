/** Stories about compiling and loading a file from the editor: an error in a top-level form stops in the debugger. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '../../desktop/fixture.ts';

const TEXT = `(defun average (numbers)
  (let ((unused 1))
    (list (/ (reduce #'+ numbers) (length numbers)))))

(defparameter *mean*
  (list :mean (average '())))

(defun after () *mean*)
`;

test('An error while a file is loaded waits in the debugger, its problems are listed meanwhile, and once mended it is loaded again [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page, project } = desktop;
  const file = path.join(project, 'mean.lisp');
  await writeFile(file, TEXT);
  await desktop.imageReady();
  await desktop.openFile(file);
  await page.getByRole('tab', { name: /mean\.lisp/ }).waitFor();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+Shift+b');
  await expect(page.getByRole('tab', { name: /Debugger 1/ })).toBeVisible();
  // The problem is listed before the load ends.
  await expect(page.getByRole('tab', { name: /Problems 1/ })).toBeVisible();
  await page.keyboard.press('Control+Shift+g');
  const shown = desktop.region('Debugger');
  await expect(shown).toContainText('arithmetic error DIVISION-BY-ZERO signalled');
  await expect(shown.getByRole('option', { name: /AVERAGE/ })).toContainText('mean.lisp:3');
  await expect(page.getByRole('tab', { name: /text\.lisp/ })).toHaveCount(0);
  // The file is fixed while its load is stopped in the debugger. After the debugger is left, the file is loaded again.
  await page.keyboard.press('a');
  await expect(page.getByText('mean.lisp was not loaded. ABORT')).toBeVisible();
  await writeFile(file, TEXT.replace("'()", "'(21 63)"));
  await expect(desktop.region('Editor')).toContainText("'(21 63)");
  await page.keyboard.press('Control+Shift+b');
  await expect(page.getByText('Compiled mean.lisp: 3 definitions, 1 problem.')).toBeVisible();
  await desktop.repl('(after)');
  await expect(desktop.region('REPL')).toContainText('(:MEAN (42))');
});

test('What a loaded file prints is kept to its end, and what it reads is asked of the person [B3, issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page, project } = desktop;
  const file = path.join(project, 'loud.lisp');
  await writeFile(
    file,
    '(dotimes (i 40000) (format t "line ~6,\'0d of the load that fills the row~%" i))\n(defvar *name* (read-line))\n(format t "Hello, ~A.~%" *name*)\n',
  );
  await desktop.imageReady();
  await desktop.openFile(file);
  await page.getByRole('tab', { name: /loud\.lisp/ }).waitFor();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+Shift+b');
  const repl = desktop.region('REPL');
  await expect(repl).toContainText('line 039999 of the load');
  await desktop.page.getByRole('textbox', { name: 'REPL input' }).click();
  await page.keyboard.insertText('Ada');
  await page.keyboard.press('Enter');
  await expect(repl).toContainText('Hello, Ada.');
});

test('A breakpoint stops in the tests of a system that are run from its panel [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page, project } = desktop;
  await writeFile(
    path.join(project, 'scales.asd'),
    '(defsystem "scales" :components ((:file "scales")) :perform (test-op (o c) (uiop:symbol-call :scales :check)))\n',
  );
  await writeFile(
    path.join(project, 'scales.lisp'),
    '(defpackage :scales (:use :cl))\n(in-package :scales)\n(defun weigh (load)\n  (* 2 load))\n(defun check ()\n  (list (weigh 21)))\n',
  );
  await desktop.imageReady();
  await desktop.repl('(asdf:load-system "scales")');
  await expect(desktop.region('REPL')).toContainText('=> T');
  await desktop.openFile(path.join(project, 'scales.lisp'));
  await page.getByRole('tab', { name: /scales\.lisp/ }).waitFor();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+g');
  await page.keyboard.insertText('3');
  await page.keyboard.press('Enter');
  await page.keyboard.press('F9');
  await page.keyboard.press('Control+Shift+y');
  const systems = desktop.region('Systems');
  await systems.getByRole('option', { name: /scales/ }).click();
  await systems.getByRole('button', { name: 'Run tests: scales' }).click();
  await expect(page.getByRole('tab', { name: /Debugger 1/ })).toBeVisible();
  await page.keyboard.press('Control+Shift+g');
  await expect(desktop.region('Debugger').getByRole('option', { name: /WEIGH 21/ })).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByRole('tab', { name: /^Debugger$/ })).toBeVisible();
});
