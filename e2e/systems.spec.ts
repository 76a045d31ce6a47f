import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, type Desktop } from './fixture.ts';

async function project(desktop: Desktop, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(desktop.project, name), text);
  await desktop.imageReady();
  await desktop.page.getByRole('button', { name: 'Systems', exact: true }).click();
}

async function choose(desktop: Desktop, name: string): Promise<void> {
  const systems = desktop.region('Systems');
  await systems.getByRole('searchbox').fill(name);
  await systems.getByRole('listbox').getByText(name, { exact: true }).click();
}

test("A broken system says why; another's definition runs only when it is asked for [D9, K7]", async ({ launch }) => {
  const desktop = await launch();
  await project(desktop, {
    'empty.asd': ';; nothing',
    'shop.asd': `(print :asd-ran) (defsystem "shop" :version "1.2" :description "Sells things." :author "A. Smith"
      :license "MIT" :depends-on ("alexandria") :components ((:file "shop")))`,
    'shop.lisp': '(defun shop () 1)',
  });
  await choose(desktop, 'empty');
  const details = (name: string) => desktop.region(`Details of ${name}`);
  await expect(details('empty')).toContainText('The file defines no system.');
  await choose(desktop, 'shop');
  await expect(details('shop')).toContainText('of this project');
  await expect(details('shop')).not.toContainText('Sells things.');
  await desktop.region('Systems').getByRole('button', { name: 'Details: shop' }).click();
  await expect(details('shop')).toContainText('Sells things.AuthorA. SmithLicenseMITNeedsalexandria');
  await expect(details('shop').getByRole('list', { name: 'Components' })).toHaveText('shop');
});

test('Systems are found by their names, also once they were listed anew [D9]', async ({ launch }) => {
  const desktop = await launch();
  await project(desktop, {
    'empty.asd': ';; nothing',
    'shop.asd': '(defsystem "shop")',
    'stock.asd': '(defsystem "stock")',
  });
  const systems = desktop.region('Systems');
  await expect(systems.getByRole('option').first()).toHaveAccessibleName(/empty/);
  for (const name of ['empty', 'shop', 'stock', 'alexandria', 'shop']) {
    await choose(desktop, name);
    await expect(desktop.region(`Details of ${name}`)).toBeVisible();
    await systems.getByRole('button', { name: 'Refresh systems' }).click();
    await expect(systems.getByRole('button', { name: 'Refresh systems' })).toBeEnabled();
  }
  await choose(desktop, 'shop');
  await expect(desktop.region('Details of shop')).toBeVisible();
  const filter = systems.getByRole('searchbox');
  await filter.fill('stoc');
  await filter.press('Enter');
  await expect(desktop.region('Details of stock')).toBeVisible();
  await filter.press('ArrowDown');
  await expect(systems.getByRole('option', { name: /stock/ })).toBeFocused();
  await filter.press('Escape');
  await expect(filter).toHaveValue('');
});

test('A load says how far it is and with what [D9]', async ({ launch }) => {
  const desktop = await launch();
  await project(desktop, {
    'slow.asd': '(defsystem "slow" :serial t :components ((:file "quick") (:file "waits")))',
    // Longer than the shortest time between two reports.
    'quick.lisp': '(sleep 0.2)',
    'waits.lisp': '(eval-when (:compile-toplevel) (sleep 600))',
  });
  const { page } = desktop;
  await choose(desktop, 'slow');
  await page.keyboard.press('Enter');
  const progress = desktop.region('Systems').getByRole('progressbar', { name: 'Progress of loading slow' });
  await expect(progress).toContainText(/^\d+ of \d+ · .*slow\/waits/);
  await page.getByRole('button', { name: 'Cancel loading slow' }).click();
  await expect(desktop.region('Systems')).toContainText('cancelled');
});

test('The tests of a system are run, with what passed, what failed, why and where [D9]', async ({ launch }) => {
  const desktop = await launch();
  await project(desktop, {
    'shop.asd': `(defsystem "shop" :depends-on ("fiveam") :components ((:file "tests"))
      :perform (test-op (o c) (symbol-call :fiveam '#:run! (find-symbol* '#:shop-suite :shop-tests))))`,
    'tests.lisp': `(defpackage :shop-tests (:use :cl :fiveam)) (in-package :shop-tests)
(def-suite shop-suite) (in-suite shop-suite)
(test fine (is (= 1 1)) (is (= 2 2)))
(test wrong (is (= 1 2) "One is not ~A." 2))`,
  });
  await choose(desktop, 'shop');
  const systems = desktop.region('Systems');
  await systems.getByRole('button', { name: 'Run tests: shop' }).click();
  const tests = systems.getByRole('group', { name: 'Tests' });
  await expect(tests).toContainText('3 checks: 2 passed, 1 failed.', { timeout: 60_000 });
  const failure = tests.getByRole('list', { name: 'Failures' }).getByRole('listitem');
  await expect(failure).toContainText(/wrong.*One is not 2\./i);
  await failure.getByRole('button').click();
  await expect(desktop.region('Editor')).toContainText('(def-suite shop-suite)');
});

test('A folder that is opened in a running window is where the image is from then on, with its systems [B5]', async ({
  desktop,
}) => {
  const { app, page } = desktop;
  await desktop.repl('(list :up)');
  await expect(desktop.region('REPL')).toContainText('(:UP)');
  const other = await mkdtemp(path.join(tmpdir(), 'other-project-'));
  await writeFile(path.join(other, 'elsewhere.asd'), '(defsystem "elsewhere" :components ((:file "elsewhere")))\n');
  await writeFile(path.join(other, 'elsewhere.lisp'), '(defun elsewhere () :found)\n');
  await app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
  }, other);
  await page.keyboard.press('Control+Shift+O');
  await page.getByRole('button', { name: /Trust/ }).first().click();
  await page.getByRole('button', { name: 'Systems', exact: true }).click();
  const systems = desktop.region('Systems');
  await systems.getByText('elsewhere', { exact: true }).first().click();
  await systems.getByRole('button', { name: /^Load\b/ }).click();
  await expect(systems.getByText('loaded').first()).toBeVisible();
  await desktop.repl('(list (elsewhere) (probe-file "elsewhere.asd"))');
  await expect(desktop.region('REPL')).toContainText(/\(:FOUND\s+#P"/);
});
