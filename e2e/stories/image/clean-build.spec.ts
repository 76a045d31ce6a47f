/** Stories that compare the image after an hour of work with a build of its project. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test } from '../../desktop/fixture.ts';

test('What drifted from the files in an hour is found by a clean build, and each difference is put right [issue 12]', async ({
  desktop,
}) => {
  const { page, project } = desktop;
  const repl = desktop.region('REPL');
  const browser = desktop.region('Browser');
  const file = path.join(project, 'src', 'till.lisp');
  const write = (...forms: string[]): Promise<void> =>
    writeFile(file, ['(defpackage :till (:use :cl))', '(in-package :till)', ...forms, ''].join('\n'));
  await mkdir(path.join(project, 'src'));
  await writeFile(path.join(project, 'till.asd'), '(defsystem "till" :pathname "src" :components ((:file "till")))\n');
  await write("(defun total (prices) (reduce #'+ prices))", '(defun refund (sum) (- sum))', '(defun open-till () 0)');
  const compare = async (): Promise<void> => {
    await page.keyboard.press('Control+Shift+p');
    await page.keyboard.type('ghost report');
    await expect(page.getByRole('option', { name: /Compare Image with a Clean Build/ })).toBeVisible();
    await page.keyboard.press('Enter');
  };

  // The folder's system is not loaded yet, and the panel reports this.
  await desktop.repl('(+ 20 22)');
  await expect(repl).toContainText('42');
  await compare();
  await expect(browser).toContainText('No system of this folder is loaded.');
  await desktop.repl('(asdf:load-system "till")');
  await expect(repl).toContainText('=> T');
  await compare();
  await expect(browser.getByRole('status').first()).toContainText('1 system built: no difference');

  // The person has worked for an hour.
  await desktop.repl('(in-package :till)');
  await desktop.repl('(defun scratch () :only-here)');
  await desktop.repl('(defun open-till (&key float) float)');
  await expect(repl).toContainText('OPEN-TILL');
  await expect(browser).toContainText('Definitions in the image have changed since the comparison.');
  await write("(defun total (prices) (reduce #'+ prices))", '(defun open-till () 0)', '(defun close-till () 1)');
  await browser.getByRole('button', { name: 'Compare again' }).click();
  await expect(browser.getByRole('status').first()).toContainText('4 differences');
  const tree = browser.getByRole('tree', { name: 'Differences of the image from a build' });
  await expect(tree.getByRole('treeitem')).toHaveText([
    'Only in the image 2',
    /refund.*no longer in its file/,
    /scratch.*in no file/,
    'Different 1',
    /open-till.*takes \(&key float\) in the image, \(\) when built/,
    'Only in files 1',
    /close-till.*not in the image/,
  ]);
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.screenshot({ path: 'out/playwright/clean-build.png' });

  // Removes obsolete definitions, and loads the definitions in the files.
  for (const name of ['refund', 'scratch']) {
    await tree.getByRole('treeitem', { name: new RegExp(`^${name}`) }).click();
    await browser.getByRole('button', { name: 'Remove from the image…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(repl).toContainText(`fmakunbound '${name}`);
  }
  await tree.getByRole('treeitem', { name: /^close-till/ }).click();
  await browser.getByRole('button', { name: 'Load its file' }).click();
  await expect(page.getByRole('tab', { name: 'till.lisp', selected: true })).toBeVisible();
  await desktop.repl('(close-till)');
  await expect(repl).toContainText('=> 1');
  await compare();
  await expect(browser.getByRole('status').first()).toContainText('no difference');
  await expect(browser).toContainText('The image matches the files.');

  // A file that works only in the image in which it was developed is reported with the location of the problem.
  await desktop.repl('(defmacro twice (form) `(progn ,form ,form))');
  await expect(repl).toContainText('=> TWICE');
  await write("(defun total (prices) (reduce #'+ prices))", '(defun open-till () 0)', '(twice (error "Only here."))');
  await compare();
  await expect(browser).toContainText('till cannot be built from its files.');
  await expect(tree.getByRole('treeitem', { name: /^twice macro in TILL in no file/ })).toBeVisible();
  await browser.getByRole('button', { name: 'Show problems' }).click();
  await expect(desktop.region('Problems')).toContainText('till.lisp');
  await page.setViewportSize({ width: 900, height: 600 });
  await page.screenshot({ path: 'out/playwright/clean-build-small.png' });
  // Once the file is fixed, another build removes the problems.
  await write("(defun total (prices) (reduce #'+ prices))", '(defun open-till () 0)');
  await compare();
  await expect(browser.getByRole('status').first()).toContainText('1 system built: ');
  await expect(desktop.region('Problems')).not.toContainText('till.lisp');
  // A build that does not end can be cancelled.
  await write('(loop)');
  await compare();
  await browser.getByRole('button', { name: 'Cancel' }).click();
  await expect(browser.getByRole('button', { name: 'Compare again' })).toBeVisible();
});
