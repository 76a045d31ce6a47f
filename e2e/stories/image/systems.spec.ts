import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

async function project(desktop: Desktop, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(desktop.project, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await desktop.imageReady();
  await desktop.page.getByRole('button', { name: 'Systems', exact: true }).click();
}

/** Writes a file of the project. */
async function change(desktop: Desktop, name: string, text: string): Promise<void> {
  await writeFile(path.join(desktop.project, name), text);
}

const SHOP = {
  'base.asd': '(defsystem "base" :components ((:module "parts" :components ((:file "one") (:file "two")))))',
  'parts/one.lisp': '(defun one () 1)',
  'parts/two.lisp': '(defun two () 2)',
  'shop.asd': '(defsystem "shop" :version "1.2" :depends-on ("base") :components ((:file "shop")))',
  'shop.lisp': '(defun shop () (+ (one) (two)))',
};

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
  await expect(details('shop').getByRole('list', { name: 'Components' })).toHaveText('shop not loaded');
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
    // The sleep is longer than the minimum time between two reports.
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

test('Systems of which files were changed are loaded again by a key, and what fails is among the problems [D9]', async ({
  launch,
}) => {
  const desktop = await launch();
  const { page } = desktop;
  await project(desktop, SHOP);
  const systems = desktop.region('Systems');
  await page.keyboard.press('Control+Alt+r');
  await expect(page.getByText('No loaded system has changed files.')).toBeVisible();
  await systems.getByRole('option', { name: /shop/ }).click();
  // A second click keeps the selection.
  await systems.getByRole('option', { name: /shop/ }).click();
  await expect(desktop.region('Details of shop')).toBeVisible();
  await systems.getByRole('button', { name: 'Load: shop' }).click();
  await expect(systems).toContainText('Loaded 3 files: one.lisp, two.lisp, shop.lisp.');
  await change(desktop, 'parts/two.lisp', '(defun two () 22)');
  await expect(systems.getByRole('option', { name: /^loaded, changed since base/ })).toBeVisible();
  await page.keyboard.press('Control+Alt+r');
  await expect(page.getByText('base: Loaded 1 file: two.lisp. shop: Loaded 1 file: shop.lisp.')).toBeVisible();
  await expect(systems.getByRole('option', { name: /^loaded base/ })).toBeVisible();
  await desktop.repl('(shop)');
  await expect(desktop.region('REPL')).toContainText('=> 23');
  // The load command acts on the system that the file in the editor belongs to.
  await desktop.openFile(path.join(desktop.project, 'parts/two.lisp'));
  await expect(page.getByRole('tab', { name: 'two.lisp', selected: true })).toBeVisible();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+Alt+y');
  await expect(page.getByText('base: All files were up to date, so none was loaded.')).toBeVisible();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Reload All Files of System');
  await page.keyboard.press('Enter');
  await expect(page.getByText('base: Loaded 2 files: one.lisp, two.lisp.')).toBeVisible();
  await change(desktop, 'parts/two.lisp', '(defun two () (car 1 2))');
  await expect(systems.getByRole('option', { name: /^loaded, changed since base/ })).toBeVisible();
  await page.keyboard.press('Control+Alt+r');
  await expect(page.getByText(/base failed\. 1 file failed: two\.lisp\..* 1 more was not loaded\./)).toBeVisible();
  await page.getByRole('button', { name: 'Show problems' }).click();
  await expect(desktop.region('Problems')).toContainText('two.lisp');
  // Even in a small window, the details and the output of loads leave enough room for the list.
  await systems.getByRole('option', { name: /base project/ }).click();
  await systems.getByRole('button', { name: 'Details: base' }).click();
  await expect(desktop.region('Details of base')).toContainText('two failed');
  await page.setViewportSize({ width: 900, height: 600 });
  const list = await systems.getByRole('listbox').boundingBox();
  expect(list!.height).toBeGreaterThanOrEqual(4 * 24);
  await expect(systems.getByRole('option', { name: /base project/ })).toBeInViewport();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
});

test('What systems depend on is browsed both ways, with the state of each and of its files, and what is missing can be had [D9]', async ({
  launch,
}) => {
  const desktop = await launch();
  const { page } = desktop;
  await project(desktop, {
    ...SHOP,
    'till.asd': '(defsystem "till" :depends-on ("shop" "coins" "no-such-system"))',
    'systems.csv': 'coins, ghcr.io/ocicl/coins, coins-1/coins.asd\n',
    'ocicl/coins-1/coins.asd': '(defsystem "coins")',
  });
  const systems = desktop.region('Systems');
  await systems.getByRole('option', { name: /shop/ }).click();
  await systems.getByRole('button', { name: 'Load: shop' }).click();
  await expect(systems).toContainText('Loaded 3 files');
  await systems.getByRole('button', { name: 'More: shop' }).click();
  await page.getByRole('menuitem', { name: 'Browse Dependencies' }).click();
  const browser = desktop.region('Browser');
  const graph = browser.getByRole('tree', { name: 'Graph of systems' });
  await expect(graph.getByRole('treeitem')).toHaveText(['shop', 'base', 'till']);
  // Moves to a dependency with the keyboard, then to its files, and opens one of them.
  await graph.focus();
  await page.keyboard.press('ArrowRight');
  const base = browser.getByRole('group', { name: 'base' });
  const files = base.getByRole('tree', { name: 'Files of base' });
  await expect(files.getByRole('treeitem')).toHaveText(['parts', 'one', 'two']);
  await change(desktop, 'parts/two.lisp', '(defun two () 22)');
  await browser.getByRole('button', { name: 'Refresh' }).click();
  await expect(files.getByRole('treeitem', { name: 'two changed since it was loaded' })).toBeVisible();
  await expect(graph.getByRole('treeitem', { name: 'shop, loaded, outdated by base' })).toBeVisible();
  await base.getByRole('button', { name: 'Reload 1 file' }).click();
  await expect(files.getByRole('treeitem', { name: 'two loaded' })).toBeVisible();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await files.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(browser).toBeHidden();
  await expect(page.getByRole('tab', { name: 'two.lisp', selected: true })).toBeVisible();
  await page.keyboard.press('Control+2');
  await graph.getByRole('treeitem', { name: 'till, not loaded' }).dblclick();
  await expect(browser.getByRole('status')).toContainText('5 systems, 2 missing');
  // A system that ocicl has downloaded becomes available. For a missing system, the panel says where the person could put it.
  await graph.getByRole('treeitem', { name: 'coins, missing' }).click();
  await browser.getByRole('button', { name: 'Use ocicl' }).click();
  await browser.getByRole('button', { name: 'Refresh' }).click();
  await expect(graph.getByRole('treeitem', { name: 'coins, not loaded' })).toBeVisible();
  await graph.getByRole('treeitem', { name: 'no-such-system, missing' }).click();
  await expect(browser.getByRole('group', { name: 'Missing: no-such-system' })).toContainText('~/common-lisp');
  await browser.getByText('List', { exact: true }).click();
  const list = browser.getByRole('tree', { name: 'Dependencies' });
  await expect(list.getByRole('treeitem', { name: 'base loaded' })).toHaveCount(0);
  await list.getByRole('treeitem', { name: 'shop loaded' }).click();
  await expect(list.getByRole('treeitem', { name: 'base loaded' })).toHaveAttribute('aria-level', '3');
  await browser.getByRole('group', { name: 'shop' }).getByRole('button', { name: 'Show its dependencies' }).click();
  await browser.getByText('Needed by', { exact: true }).click();
  await expect(list.getByRole('treeitem')).toHaveText([/shop.*loaded/, /till.*not loaded/]);
  const from = browser.getByRole('searchbox', { name: 'System whose dependencies are shown' });
  await from.fill('alex');
  await from.press('Enter');
  await expect(list.getByRole('treeitem').first()).toHaveText(/alexandria.*not loaded/);
  await browser.getByRole('button', { name: 'All systems of the project' }).click();
  await browser.getByText('Needs', { exact: true }).click();
  await expect(list.getByRole('treeitem', { name: /^till/ })).toBeVisible();
  await page.setViewportSize({ width: 900, height: 600 });
  expect(await faultsInBothThemes(desktop)).toEqual([]);
});
