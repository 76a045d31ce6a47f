/** Stories about quick fixes: a key corrects problems that the reader and the compiler report, with names of the real image. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

async function opened(desktop: Desktop, name: string, text: string): Promise<string> {
  const file = path.join(desktop.project, name);
  await writeFile(file, text);
  await desktop.openFile(file);
  await expect(desktop.page.getByRole('tab', { name: new RegExp(name), selected: true })).toBeVisible();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await desktop.page.keyboard.press('Control+Home');
  return file;
}

const marks = (desktop: Desktop) => desktop.region('Editor').locator('.squiggly-error, .squiggly-warning');

/** Opens the list of fixes at the next problem, and takes one. */
async function fix(desktop: Desktop, title: string): Promise<void> {
  const { page } = desktop;
  await page.keyboard.press('F8');
  await page.keyboard.press('Escape');
  const found = page.getByRole('option', { name: `${title}, Quick Fix` });
  // The list closes if the marks change while it opens, as they do at the end of a check.
  await expect(async () => {
    await page.keyboard.press('Alt+Shift+Period');
    await expect(found).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await found.click();
}

test('A missing parenthesis is inserted, and a misspelled function is corrected, imported or defined [issue 39.3]', async ({
  desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defpackage :tools (:use :cl) (:export #:tally))');
  await desktop.repl('(defun tools:tally (x) x)');
  const unclosed = await opened(desktop, 'unclosed.lisp', '(defun one (x)\n  (list x)\n\n(defun two () 2)\n');
  await expect(marks(desktop).first()).toBeVisible();
  await fix(desktop, 'Insert ) at the end of line 2');
  await expect(marks(desktop)).toHaveCount(0);
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(unclosed, 'utf8')).toBe('(defun one (x)\n  (list x))\n\n(defun two () 2)\n');

  const text = `(defpackage :shop (:use :cl))
(in-package :shop)
(defun total-price (items) (length items))
(defun pay (items)
  (totl-price items))
(defun count-up (items)
  (tally items))
`;
  const file = await opened(desktop, 'shop.lisp', text);
  await page.keyboard.press('Control+Shift+B');
  await expect(marks(desktop).first()).toBeVisible();
  await fix(desktop, 'Change to total-price');
  await fix(desktop, 'Import tally from tools');
  await page.keyboard.press('Control+s');
  await expect
    .poll(() => readFile(file, 'utf8'))
    .toBe(
      text
        .replace('(totl-price', '(total-price')
        .replace('(:use :cl))', '(:use :cl)\n  (:import-from #:tools #:tally))'),
    );
  await page.screenshot({ path: 'out/playwright/quick-fixes.png' });
});
