import { writeFile } from 'node:fs/promises';
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

test('D9 K7 a broken system says why; the definition of another runs only when it is asked for', async ({ launch }) => {
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

test('D9 a load says how far it is and with what', async ({ launch }) => {
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

test('D9 the tests of a system are run, with what passed, what failed, why and where', async ({ launch }) => {
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
