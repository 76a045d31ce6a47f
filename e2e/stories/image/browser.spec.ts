import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test } from '../../desktop/fixture.ts';

test('Apropos finds what the image has by a part of a name, and leads to documentation, definition and references [D11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.newFile(
    '(defun shop-total (items)\n  "Sums the prices."\n  (reduce #\'+ items))\n(shop-total (list 1 2))\n',
  );
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Alt+Enter');
  await desktop.repl('(defpackage :shop (:use :cl) (:export #:price)) (defvar shop::*shop-open* t "True by day.")');
  await desktop.repl('(defun shop::price (thing) "Of a thing of the shop." (cl-user::shop-total (list thing)))');
  await desktop.repl('(defun shop::sale () (/ (shop:price 1) 2))');
  await expect(desktop.region('REPL')).toContainText('SHOP::SALE');
  await page.keyboard.press('Control+Shift+A');
  const browser = desktop.region('Browser');
  const rows = browser.getByRole('treeitem');
  const pattern = browser.getByRole('searchbox', { name: 'Symbols whose name contains' });
  const chip = (name: string) => browser.getByRole('group').getByRole('button', { name, exact: true });
  await expect(pattern).toBeFocused();
  await expect(browser).toContainText('Search for symbols');
  // The first query is the name at the caret, spelled as in the editor.
  await page.keyboard.type('shop');
  await expect(rows.filter({ hasText: 'shop-total' })).toBeVisible();
  await expect(rows.filter({ hasText: '*shop-open*' })).toContainText('True by day.');
  await chip('Also in documentation').click();
  await expect(rows.filter({ hasText: 'Of a thing of the shop.' })).toHaveAccessibleName(
    'price (thing) Of a thing of the shop. function SHOP',
  );
  await chip('Variables').click();
  await expect(rows).toHaveText([/\*shop-open\*/]);
  await chip('Variables').click();
  await browser.getByRole('textbox', { name: 'Only in package' }).fill('no-such-package');
  await expect(browser).toContainText('The name "no-such-package" does not designate any package.');
  await browser.getByRole('textbox', { name: 'Only in package' }).fill('shop');
  await expect(rows.filter({ hasText: 'shop-total' })).toHaveCount(0);
  await browser.getByRole('textbox', { name: 'Only in package' }).fill('');
  // Moves into the list with the keyboard, where the documentation follows the selected row, and then to the definition and the callers.
  await pattern.fill('shop-t');
  await expect(rows).toHaveCount(1);
  await pattern.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(desktop.region('Documentation')).toContainText('Sums the prices.');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Find References' }).click();
  const references = desktop.region('References');
  await expect(references.getByRole('treeitem', { name: /price/ })).toBeVisible();
  // Opens the tree of callers with the keyboard, and then the callees.
  await references.getByText('Callers', { exact: true }).click();
  const calls = references.getByRole('tree');
  await expect(calls.getByRole('treeitem')).toHaveText(['shop-total', 'shop:price']);
  await calls.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await expect(calls.getByRole('treeitem')).toHaveText(['shop-total', 'shop:price', 'shop::sale']);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await expect(calls.getByRole('treeitem', { name: 'shop::sale' })).not.toHaveAttribute('aria-expanded');
  await references.getByText('Callees', { exact: true }).click();
  await expect(calls.getByRole('treeitem')).toHaveText(['shop-total', 'reduce']);
  await rows.first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Go to Definition' }).click();
  await expect(browser).toBeHidden();
  await expect(desktop.region('Editor').getByRole('textbox').first()).toBeFocused();
  await expect(desktop.region('Status bar')).toContainText('Ln 1');
  // Shows the machine code of the function at the caret next to its source, which keeps the focus.
  await page.keyboard.press('Home');
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Alt+d');
  const beside = desktop.region('Editor').getByRole('tab', { name: 'Disassembly of shop-total', selected: true });
  await expect(beside).toBeVisible();
  await expect(desktop.region('Editor').getByRole('tablist')).toHaveCount(2);
  await expect(desktop.region('Editor')).toContainText(/disassembly\sfor\sSHOP-TOTAL/);
  await expect(desktop.region('Status bar')).toContainText('Ln 1, Col 10');
  // Shows the Browser again, in the state in which it was left.
  await page.keyboard.press('Control+2');
  await expect(pattern).toHaveValue('shop-t');
});

test('Classes are browsed as a list and as a graph, with their slots and methods, from the name at the caret on [D11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const browser = desktop.region('Browser');
  await desktop.newFile(
    '(defclass thing () ((name :initarg :name :accessor name-of)) (:documentation "What is sold."))\n(defclass book (thing) ((pages :initform 1)))\n(defclass toy (thing) ())\n(defclass comic (book toy) ())\n(defmethod describe-object ((a toy) s) (print a s))\n',
  );
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+Enter');
  await expect(desktop.region('Definitions').getByRole('treeitem', { name: /comic/ })).toBeVisible();
  await page.keyboard.press('Control+Home');
  for (let step = 0; step < 11; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+F12');
  const details = browser.getByLabel('thing', { exact: true });
  await expect(details).toContainText('What is sold.');
  await expect(details.getByRole('row', { name: /^name/ })).toHaveText(/name.*:name.*name-of \(setf\)/);
  await expect(details).toContainText('untitled.lisp:1');
  const list = browser.getByRole('tree', { name: 'Classes' });
  await expect(list.getByRole('treeitem', { name: 'comic, class' })).toHaveCount(2);
  // Shows the same classes as a graph, with the keyboard.
  await browser.getByText('Graph', { exact: true }).click();
  const graph = browser.getByRole('tree', { name: 'Graph of classes' });
  await expect(graph.getByRole('treeitem', { name: 'thing, class' })).toHaveAttribute('aria-selected', 'true');
  await graph.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(browser.getByLabel('toy', { exact: true })).toContainText('describe-object (toy t)');
  await page.keyboard.press('ArrowRight');
  await expect(graph.getByRole('treeitem', { name: 'comic, class', selected: true })).toHaveCount(1);
  await expect(graph.getByRole('treeitem', { name: 'comic, class', selected: true })).toBeInViewport();
  await expect(desktop.region('Documentation')).toContainText('class in CL-USER');
  // When another class is defined, it appears in the graph automatically.
  await desktop.repl('(defclass doll (toy) ())');
  await expect(graph.getByRole('treeitem', { name: 'doll, class' })).toBeVisible();
  // Shows all classes below an SBCL class, which is not one of the person's classes.
  await browser.getByText('Below a class', { exact: true }).click();
  await browser.getByRole('textbox', { name: 'Class', exact: true }).fill('arithmetic-error');
  await expect(graph.getByRole('treeitem', { name: 'division-by-zero, condition' })).toBeVisible();
  await browser.getByRole('textbox', { name: 'Class', exact: true }).fill('no-such-class');
  await expect(browser).toContainText('The image has no class with that name.');
  await browser.getByText('Loaded and own').click();
  await graph.getByRole('treeitem', { name: 'book, class' }).dblclick();
  await expect(browser).toBeHidden();
  await expect(desktop.region('Status bar')).toContainText('Ln 2');
});

test('Generic functions and packages are browsed, without faults that axe finds [D11, D17]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const browser = desktop.region('Browser');
  await desktop.newFile(
    '(defgeneric total (thing &key tax) (:documentation "What it costs."))\n(defmethod total ((thing integer) &key tax) (* thing tax))\n(defmethod total :around ((thing string) &key tax) tax)\n',
  );
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+Enter');
  await expect(desktop.region('Definitions').getByRole('treeitem', { name: /integer/ })).toBeVisible();
  await page.keyboard.press('Control+Home');
  for (let step = 0; step < 13; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Browse Generic Function');
  await page.keyboard.press('Enter');
  const details = browser.getByLabel('total', { exact: true });
  await expect(details).toContainText('Method combination: standard');
  await expect(details.getByRole('button', { name: /integer/ })).toContainText('untitled.lisp:2');
  expect.soft(await faultsInBothThemes(desktop), 'generic functions').toEqual([]);
  await details.getByRole('button', { name: /:around \(string\)/ }).click();
  await expect(desktop.region('Status bar')).toContainText('Ln 3');

  await desktop.repl('(defpackage :shop (:use :cl) (:nicknames :store) (:export #:price) (:documentation "Sells."))');
  await desktop.repl('(defun shop:price (thing) "Of a thing." thing)');
  await page.keyboard.press('Control+2');
  await browser.getByRole('tab', { name: 'Packages' }).click();
  await browser.getByRole('searchbox', { name: 'Packages whose name or nickname contains' }).fill('store');
  await browser.getByRole('treeitem', { name: 'SHOP 1 of 1 exported' }).click();
  const shop = browser.getByRole('group', { name: 'SHOP' });
  await expect(shop).toContainText('also STORE');
  await expect(shop).toContainText('Sells.');
  const symbols = shop.getByRole('treeitem');
  await expect(symbols).toHaveText([/price \(thing\).*function/]);
  await shop.getByText('Inherited', { exact: true }).click();
  await shop.getByRole('searchbox').fill('with-open-f');
  await expect(symbols).toHaveText([/with-open-file/]);
  await symbols.first().focus();
  await symbols.first().click();
  await expect(desktop.region('Documentation')).toContainText('macro in CL');
  await page.keyboard.press('Control+2');
  await shop.getByRole('button', { name: 'CL', exact: true }).click();
  await expect(browser.getByRole('group', { name: 'CL', exact: true })).toContainText('locked');
  expect.soft(await faultsInBothThemes(desktop), 'packages').toEqual([]);
  for (const tab of ['Apropos', 'Classes']) {
    await browser.getByRole('tab', { name: tab }).click();
    if (tab === 'Apropos') await browser.getByRole('searchbox').fill('price');
    else await expect(browser).toContainText('The image has no classes except SBCL’s.');
    if (tab === 'Apropos') await expect(browser.getByRole('treeitem').first()).toBeVisible();
    else await browser.getByText('Below a class', { exact: true }).click();
    await expect(browser.getByRole('treeitem').first()).toBeVisible();
    expect.soft(await faultsInBothThemes(desktop), tab).toEqual([]);
  }
});
