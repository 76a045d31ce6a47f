/** Stories about problems: the compiler's and the reader's messages are shown in the source and in the panel, and a key leads to them. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

async function opened(desktop: Desktop, name: string, text: string): Promise<string> {
  const file = path.join(desktop.project, name);
  await writeFile(file, text);
  await desktop.openFile(file);
  await expect(desktop.page.getByRole('tab', { name: new RegExp(name) })).toBeVisible();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await desktop.page.keyboard.press('Control+Home');
  return file;
}

const problems = (desktop: Desktop) => desktop.region('Problems').getByRole('treeitem');

test('A file is compiled with one key, and what it says goes with each mended fault', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await opened(
    desktop,
    'cart.lisp',
    '(in-package #:cl-user)\n\n(defun total (items unused)\n  (+ 1 (length items)))\n',
  );
  await page.keyboard.press('Control+Shift+B');
  await expect(page.getByText(/Compiled cart\.lisp: 1 definition, 1 problem/)).toBeVisible();
  await page.keyboard.press('Control+Shift+M');
  await expect(problems(desktop).filter({ hasText: 'UNUSED' })).toBeVisible();
  await page.keyboard.press('F8');
  await expect(desktop.region('Status bar')).toContainText('Ln 3, Col 21');
  // After lines are typed above the problem, the list shows the problem's new position and leads there.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText(';;; The cart.\n\n');
  const row = problems(desktop).filter({ hasText: 'UNUSED' });
  await expect(row).toContainText('5:21');
  await row.dblclick();
  await expect(desktop.region('Status bar')).toContainText('Ln 5, Col 21');
  // After only one form was compiled, its problem is listed once. The problem disappears once the form is fixed.
  await page.keyboard.press('Alt+Shift+Enter');
  await expect(desktop.region('Editor').locator('.inline-value').first()).toBeVisible();
  await expect(row).toHaveCount(1);
  await page.keyboard.press('Control+Shift+B');
  await expect(page.getByText(/Compiled cart\.lisp: 1 definition, 1 problem/).last()).toBeVisible();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('6:8');
  await page.keyboard.press('Enter');
  await page.keyboard.type('unused ');
  await page.keyboard.press('Alt+Shift+Enter');
  await expect(desktop.region('Editor').locator('.inline-value').first()).toBeVisible();
  await expect(problems(desktop)).toHaveCount(0);
  // A file with an unclosed form is not loaded, and the transcript says so too.
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('\n(defun never-closed ()\n');
  await page.keyboard.press('Control+Shift+B');
  await expect(page.getByText(/cart\.lisp was not loaded, because it could not be read to its end/)).toBeVisible();
  await page.keyboard.press('Control+`');
  await expect(desktop.region('REPL')).toContainText('; Not loaded: the text could not be read to its end');
});

test('A system with ten broken files is brought to green from the list of problems [B7, pain 15]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const names = Array.from({ length: 10 }, (_, index) => `part-${index}`);
  for (const [index, name] of names.entries())
    await writeFile(path.join(desktop.project, `${name}.lisp`), `(defun part-${index} ()\n  (+ ${index} "one"))\n`);
  await writeFile(
    path.join(desktop.project, 'broken.asd'),
    `(defsystem "broken" :serial t :components (${names.map((name) => `(:file "${name}")`).join(' ')}))\n`,
  );
  await page.keyboard.press('Control+Shift+Y');
  await desktop.region('Systems').getByRole('button', { name: 'Refresh' }).click();
  await desktop.region('Systems').getByText('broken', { exact: true }).first().click();
  await desktop
    .region('Systems')
    .getByRole('button', { name: /^Load\b/ })
    .click();
  await page.keyboard.press('Control+Shift+M');
  await expect(desktop.region('Systems').getByText(/^10 files failed/)).toBeVisible();
  await expect(problems(desktop).filter({ hasText: 'part-0.lisp' })).toBeVisible();
  await expect(
    desktop.region('Status bar').getByRole('button', { name: /Problems: 0 errors, 10 warnings/ }),
  ).toBeVisible();
  await page.screenshot({ path: 'out/playwright/problems-system.png' });
  for (const [index, name] of names.entries()) {
    await page.keyboard.press('F8');
    await expect(page.getByRole('tab', { name: new RegExp(`${name}\\.lisp`) })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(`(defun part-${index} ()\n  (+ ${index} 1))\n`);
    await page.keyboard.press('Control+s');
    await page.keyboard.press('Control+Shift+B');
    await expect(page.getByText(`Compiled ${name}.lisp: 1 definition.`)).toBeVisible();
  }
  await expect(desktop.region('Status bar').getByRole('button', { name: /Problems/ })).toHaveCount(0);
});

test('A reader macro that nothing loaded defines is told once a text, as a warning, and packages are as the image has them', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await opened(
    desktop,
    'clauses.lisp',
    '(list #L(1+ !1)\n      #L(1- !1))\n\n(list #L(- !1))\n\n(car nosuch-package:thing)\n#+lispworks8\n(skipped-package:thing)\n',
  );
  await page.keyboard.press('End');
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Shift+M');
  await expect(problems(desktop).filter({ hasText: 'no package NOSUCH-PACKAGE' })).toBeVisible();
  await expect(problems(desktop).filter({ hasText: '#L is not a defined reader macro' })).toHaveCount(1);
  await expect(desktop.region('Editor').locator('.squiggly-error')).toHaveCount(0);
  await expect(problems(desktop).filter({ hasText: 'SKIPPED-PACKAGE' })).toHaveCount(0);
  await problems(desktop).filter({ hasText: 'no package NOSUCH-PACKAGE' }).click();
  await expect(desktop.region('Status bar')).toContainText('Ln 6, Col 6');
  await page.keyboard.press('Control+Shift+M');

  // An evaluation elsewhere may create the package. A new image does not have it.
  await page.keyboard.press('Control+Backquote');
  await desktop.repl('(defpackage :nosuch-package (:export #:thing))');
  await expect(desktop.region('REPL')).toContainText('=> #<PACKAGE');
  await page.keyboard.press('Control+Shift+M');
  await expect(problems(desktop).filter({ hasText: 'NOSUCH-PACKAGE' })).toHaveCount(0);
  await expect(problems(desktop).filter({ hasText: '#L is not a defined reader macro' })).toHaveCount(1);
  // The reader uses the local nicknames of the text's package.
  await page.keyboard.press('Control+Backquote');
  await desktop.repl('(defpackage :nick-user (:use :cl) (:local-nicknames (:np :nosuch-package)))');
  await expect(desktop.region('REPL').getByRole('article').last()).toContainText('NICK-USER');
  await opened(desktop, 'nicks.lisp', '(in-package #:nick-user)\n\n(list np:thing)\n');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\n(list np:thing np:other)');
  await page.keyboard.press('Control+Shift+M');
  await expect(problems(desktop).filter({ hasText: 'NP does not export OTHER' })).toBeVisible();
  await expect(problems(desktop).filter({ hasText: 'There is no package NP' })).toHaveCount(0);
  // Problems are also listed for a text that is not open, and for a file that the REPL has compiled.
  await opened(desktop, 'other.lisp', '(defun other ()\n  (car 3))\n');
  await page.keyboard.press('Control+Backquote');
  await desktop.repl('(compile-file "other.lisp")');
  await expect(desktop.region('REPL')).toContainText('other.fasl');
  await page.keyboard.press('Control+Shift+M');
  await expect(problems(desktop).filter({ hasText: /Constant 3 conflicts/ })).toBeVisible();
  process.kill((await desktop.snapshot()).session.pid!, 'SIGKILL');
  await expect(problems(desktop).filter({ hasText: 'no package NOSUCH-PACKAGE' })).toBeVisible();
});
