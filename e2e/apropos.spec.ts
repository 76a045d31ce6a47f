import { expect, test } from './fixture.ts';

test('Apropos finds what the image has by a part of a name, and leads to documentation, definition and references [D11]', async ({
  desktop,
}) => {
  const { page } = desktop;
  await desktop.newFile(
    '(defun shop-total (items)\n  "Sums the prices."\n  (reduce #\'+ items))\n(shop-total (list 1 2))\n',
  );
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Alt+Enter');
  await desktop.repl('(defpackage :shop (:use :cl) (:export #:price)) (defvar shop::*shop-open* t "True by day.")');
  await desktop.repl('(defun shop::price (thing) "Of a thing of the shop." (cl-user::shop-total (list thing)))');
  await expect(desktop.region('REPL')).toContainText('SHOP:PRICE');
  await page.keyboard.press('Control+Shift+A');
  const browser = desktop.region('Browser');
  const rows = browser.getByRole('treeitem');
  const pattern = browser.getByRole('searchbox', { name: 'Symbols whose name contains' });
  const chip = (name: string) => browser.getByRole('group').getByRole('button', { name, exact: true });
  await expect(pattern).toBeFocused();
  await expect(browser).toContainText('Nothing asked yet.');
  // The name at the caret is what is asked for at first, as it stands in the editor.
  await page.keyboard.type('shop');
  await expect(rows.filter({ hasText: 'shop-total' })).toBeVisible();
  await expect(rows.filter({ hasText: '*shop-open*' })).toContainText('True by day.');
  await chip('In documentation too').click();
  await expect(rows.filter({ hasText: 'Of a thing of the shop.' })).toHaveAccessibleName('price, function, SHOP');
  await chip('Variables').click();
  await expect(rows).toHaveText([/\*shop-open\*/]);
  await chip('Variables').click();
  await browser.getByRole('textbox', { name: 'Only in package' }).fill('no-such-package');
  await expect(browser).toContainText('The name "no-such-package" does not designate any package.');
  await browser.getByRole('textbox', { name: 'Only in package' }).fill('shop');
  await expect(rows.filter({ hasText: 'shop-total' })).toHaveCount(0);
  await browser.getByRole('textbox', { name: 'Only in package' }).fill('');
  // With the keyboard: into the list, where the documentation follows the row, and on to definition and callers.
  await pattern.fill('shop-t');
  await expect(rows).toHaveCount(1);
  await pattern.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(desktop.region('Documentation')).toContainText('Sums the prices.');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Find References' }).click();
  await expect(desktop.region('References').getByRole('treeitem', { name: /price/ })).toBeVisible();
  await rows.first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Go to Definition' }).click();
  await expect(browser).toBeHidden();
  await expect(desktop.region('Editor').getByRole('textbox').first()).toBeFocused();
  await expect(desktop.region('Status bar')).toContainText('Ln 1');
  // It is there again as it was left.
  await page.keyboard.press('Control+2');
  await expect(pattern).toHaveValue('shop-t');
});
