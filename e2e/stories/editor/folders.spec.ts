/** Stories about two folders in one window: each has its own tabs, unsaved text, panels and REPL package. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const tabs = (desktop: Desktop) => desktop.page.getByRole('tablist', { name: 'Open files' }).getByRole('tab');

/** Opens a recent folder from the menu of the title bar. */
async function open(desktop: Desktop, folder: string): Promise<void> {
  const name = path.basename(folder);
  await desktop.page.getByRole('button', { name: /^Project: / }).click();
  await desktop.page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
  await expect(desktop.page.getByRole('button', { name: `Project: ${name}` })).toBeVisible();
}

test('A folder gets its tabs, unsaved text and REPL package back, in the same run and after a restart [issue 39.2]', async ({
  launch,
}) => {
  const root = await mkdtemp(path.join(tmpdir(), 'two-folders-'));
  const [shop, bakery] = ['shop', 'bakery'].map((name) => path.join(root, name)) as [string, string];
  try {
    for (const folder of [shop, bakery]) {
      await mkdir(folder);
      const name = path.basename(folder);
      await writeFile(path.join(folder, `${name}.lisp`), `(defpackage :${name} (:use :cl))\n(in-package :${name})\n`);
      await writeFile(path.join(folder, 'notes.lisp'), `; notes of ${name}\n`);
    }
    const desktop = await launch({ project: shop });
    const { home, page } = desktop;
    const inPackage = desktop.region('Status bar').locator('.code').first();
    await page.evaluate((folder) => window.workbench.call('project.open', { path: folder }), bakery);
    await page.evaluate((folder) => window.workbench.call('project.open', { path: folder }), shop);
    await desktop.openFile(path.join(shop, 'shop.lisp'));
    await desktop.openFile(path.join(shop, 'notes.lisp'));
    await desktop.region('Editor').locator('.monaco-editor').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('; not saved yet');
    await page.keyboard.press('Control+Backquote');
    await page.keyboard.type('(defpackage :shop (:use :cl))');
    await page.keyboard.press('Enter');
    await page.keyboard.type('(in-package :shop)');
    await page.keyboard.press('Enter');
    await expect(inPackage).toHaveText('SHOP');

    await open(desktop, bakery);
    await expect(tabs(desktop)).toHaveCount(0);
    await expect(inPackage).toHaveText('CL-USER');
    await expect(page.getByText(/A text with unsaved changes was stored with shop/)).toBeVisible();
    await page.screenshot({ path: 'out/playwright/folders-other.png' });
    await desktop.openFile(path.join(bakery, 'bakery.lisp'));
    await expect(tabs(desktop)).toHaveCount(1);

    await open(desktop, shop);
    await expect(tabs(desktop)).toHaveCount(2);
    await expect(page.getByRole('tab', { name: /notes\.lisp.*not saved/, selected: true })).toBeVisible();
    await expect(desktop.region('Editor')).toContainText('; not saved yet');
    await expect(inPackage).toHaveText('SHOP');
    expect(await readFile(path.join(shop, 'notes.lisp'), 'utf8')).toBe('; notes of shop\n');
    await desktop.close();

    // After a restart with the other folder, its tabs are shown, and the first folder still has its unsaved text.
    const again = await launch({ home, project: bakery });
    await expect(tabs(again)).toHaveCount(1);
    await expect(again.page.getByRole('tab', { name: /bakery\.lisp/, selected: true })).toBeVisible();
    await open(again, shop);
    await expect(tabs(again)).toHaveCount(2);
    await expect(again.region('Editor')).toContainText('; not saved yet');
    await again.close();
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
