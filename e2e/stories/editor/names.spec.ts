/** Stories about names in the editor: completion, lambda lists, hovers, definitions, going back, renaming. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const SHOP = `(defpackage #:shop
  (:use #:cl)
  (:export #:total-price))
(in-package #:shop)

(defvar *discount* 10
  "Per cent that every customer saves.")

(defun total-price (cart &key (country :de) discount)
  "Price of CART in cents with the tax of COUNTRY."
  (declare (ignorable country))
  (- (reduce #'+ cart) (or discount *discount*)))

(defun receipt (cart)
  (list :total (total-price cart :country :fr)))
`;

const CART = `(in-package #:shop)

`;

async function opened(desktop: Desktop, name: string, text: string): Promise<string> {
  const file = path.join(desktop.project, 'src', name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  await desktop.openFile(file);
  await expect(desktop.page.getByRole('tab', { name: new RegExp(name) })).toBeVisible();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  return file;
}

test('Completion, lambda list, hover, definition and back work on what the image holds', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(desktop, 'shop.lisp', SHOP);
  await desktop.repl(`(load ${JSON.stringify(file)})`);
  await expect(desktop.region('REPL')).toContainText('=> T');
  await opened(desktop, 'cart.lisp', CART);
  // In the REPL the keys act on the name there, in its package.
  const box = page.getByRole('textbox', { name: 'REPL input' });
  await box.click();
  await page.keyboard.type(',in-package shop');
  await page.keyboard.press('Enter');
  await expect(desktop.region('REPL')).toContainText('SHOP>');
  await page.keyboard.type('(total-price (list 1');
  await page.keyboard.press('Home');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Shift+I');
  await expect(desktop.region('Documentation')).toContainText('function in SHOP');
  await expect(box).toBeFocused();
  await page.keyboard.press('F12');
  await expect(page.getByRole('tab', { name: /shop\.lisp/ })).toHaveAttribute('aria-selected', 'true');
  await expect(desktop.region('Status bar')).toContainText('Ln 9');
  await box.click();
  await page.keyboard.press('Home');
  await page.keyboard.press('F12');
  await expect(desktop.region('Status bar').getByRole('status')).toContainText('There is no name at the caret.');
  await expect(box).toBeFocused();
  await box.fill('');
  await page.keyboard.type(',in-package cl-user');
  await page.keyboard.press('Enter');
  await expect(desktop.region('REPL')).toContainText('CL-USER>');
  await page.keyboard.press('Control+1');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page.getByRole('tab', { name: /cart\.lisp/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('(tot');
  const list = page.locator('.suggest-widget.visible');
  await expect(list.getByRole('option', { name: /total-price/ }).first()).toBeVisible();
  await page.screenshot({ path: 'out/playwright/names-completion.png' });
  await page.keyboard.press('Tab');
  await expect(list).toBeHidden();
  await page.keyboard.type(" '(1 2) :co");
  await expect(list.getByRole('option', { name: /:country/ }).first()).toBeVisible();
  const help = page.locator('.parameter-hints-widget.visible');
  await expect(help).toContainText('cart &key (country :de) discount');
  await page.screenshot({ path: 'out/playwright/names-parameters.png' });
  await page.keyboard.press('Tab');
  await page.keyboard.type(' :fr)');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Shift+I');
  await expect(page.locator('.monaco-hover:visible').first()).toContainText('Price of CART in cents');
  await page.screenshot({ path: 'out/playwright/names-hover.png' });
  await page.keyboard.press('Escape');
  await page.keyboard.press('F12');
  await expect(page.getByRole('tab', { name: /shop\.lisp/ })).toHaveAttribute('aria-selected', 'true');
  await expect(desktop.region('Status bar')).toContainText('Ln 9');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page.getByRole('tab', { name: /cart\.lisp/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Alt+ArrowRight');
  await expect(page.getByRole('tab', { name: /shop\.lisp/ })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('textbox', { name: 'REPL input' }).click();
  await page.keyboard.down('Control');
  const called = desktop.region('Editor').locator('.view-line', { hasText: ':total' }).last();
  await called.hover({ position: { x: 160, y: 10 } });
  const link = desktop.region('Editor').locator('.goto-definition-link');
  await expect(link).toBeVisible();
  await page.keyboard.up('Control');
  await expect(link).toHaveCount(0);
  await page.keyboard.press('Control+1');
  await page.keyboard.press('Alt+F12');
  await expect(page.locator('.peekview-widget')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('.peekview-widget')).toBeHidden();
  await writeFile(path.join(desktop.project, 'till.lisp'), '(defun pay (cart) (shop:total-price cart))\n');
  await page.keyboard.press('F2');
  const input = page.getByRole('textbox', { name: /^Rename input/ });
  await expect(input).toBeFocused();
  await expect(input).toHaveValue('total-price');
  await page.keyboard.type('sum-of-prices');
  await page.keyboard.press('Enter');
  const renamed = page.getByText(
    /^Renamed \d places? in shop\.lisp\. 1 other file of the folder also uses the name total-price\.$/,
  );
  await expect(renamed).toBeVisible();
  await page.getByRole('button', { name: 'Find in files' }).click();
  await expect(desktop.region('Search')).toContainText('(defun pay (cart) (shop:total-price cart))');
});

test('Documentation follows the caret and References lists the places of a name, each one step from its source', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(desktop, 'shop.lisp', SHOP);
  await desktop.repl(`(load ${JSON.stringify(file)})`);
  await expect(desktop.region('REPL')).toContainText('=> T');
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('15:20');
  await page.keyboard.press('Enter');
  await page.screenshot({ path: 'out/playwright/names-documentation.png' });
  await expect(desktop.region('Documentation')).toContainText('total-price');
  await expect(desktop.region('Documentation')).toContainText('function in SHOP');
  await expect(desktop.region('Documentation').getByRole('button', { name: /receipt/ })).toBeVisible();
  await page.keyboard.press('Shift+F12');
  const tree = desktop.region('References').getByRole('tree');
  await expect(tree.getByRole('treeitem', { name: /receipt/i })).toBeVisible();
  await expect(tree).toBeFocused();
  // For a function that SBCL itself calls everywhere, the project's callers are listed, and the others share one row.
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('12:9');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+F12');
  await expect(tree.getByRole('treeitem', { name: /total-price/i })).toBeVisible();
  const theirs = tree.getByRole('treeitem', { name: /^In SBCL, \d+$/ }).first();
  await expect(theirs).toHaveAttribute('aria-expanded', 'false');
  await expect(tree.getByRole('treeitem', { name: /sb-/ })).toHaveCount(0);
  await page.screenshot({ path: 'out/playwright/names-references.png' });
  await theirs.click();
  await page.keyboard.press('ArrowRight');
  await expect(tree.getByRole('treeitem', { name: /sb-/ }).first()).toBeVisible();
  await page.keyboard.press('Control+1');
  await page.keyboard.press('Control+g');
  await page.keyboard.type('15:20');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+F12');
  await expect(tree.getByRole('treeitem', { name: /receipt/i })).toBeVisible();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(desktop.region('Editor').locator('.native-edit-context, textarea').first()).toBeFocused();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('5:1');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+F12');
  await expect(desktop.region('Status bar').getByRole('status')).toContainText('There is no name at the caret');
  await expect(tree).not.toBeFocused();
  await page.keyboard.type('(depot::stock ');
  await page.keyboard.press('Control+F1');
  const documentation = desktop.region('Documentation');
  await expect(documentation).toContainText('There is no package depot in the image. Load its system');
  await desktop.repl(`(setf (documentation 'shop:total-price 'function) (make-string 3000000 :initial-element #\\d))`);
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('15:20');
  await page.keyboard.press('Enter');
  await documentation.getByRole('button', { name: 'Open full text, 3,000,000 characters' }).click();
  await expect(page.getByRole('tab', { name: 'Documentation of total-price', selected: true })).toBeVisible();
  expect((await documentation.innerText()).length).toBeLessThan(5_000);
  await desktop.repl('(error (make-string 3000 :initial-element #\\e))');
  await page.getByRole('tab', { name: /^Debugger/ }).click();
  const condition = desktop.region('Debugger').getByRole('heading', { level: 2 });
  expect((await condition.innerText()).length).toBeLessThan(1_000);
  await condition.getByRole('button', { name: 'Show all 3,000 characters' }).click();
  await expect(condition).toContainText('e'.repeat(3_000));
});

test('What the reader leaves out is greyed, and the image’s text of a definition is written into the file by the lens', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(
    desktop,
    'shop.lisp',
    '(defun price (x)\n  (* 2 x))\n\n#+ccl (defun never ())\n#+nil (list 1)\n#+lispworks8\n(defun elsewhere ())\n#+sbcl\n(defun here ())\n',
  );
  const dead = desktop.region('Editor').locator('.dead-form');
  await expect(dead.first()).toBeVisible();
  // The image decides which features it has, including features that the workbench does not know.
  await expect(dead.filter({ hasText: 'elsewhere' }).first()).toBeVisible();
  await expect(dead.filter({ hasText: 'here ()' })).toHaveCount(0);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Alt+Enter');
  await expect(desktop.region('Editor').locator('.inline-value').first()).toContainText('PRICE');
  const agent = await desktop.agent();
  await agent.call('evaluate-lisp', { code: '(defun price (x)\n  (* 3 x))' });
  const lens = desktop.region('Editor').locator('.agent-lens');
  await expect(lens).toContainText('changed this in the image');
  await lens.getByText('Write to file').click();
  await expect(desktop.region('Editor')).toContainText('(* 3 x)');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toContain('(defun price (x)\n  (* 3 x))\n\n#+ccl');
});

test('Macros and variables of the image have the colour of what they are', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  await opened(desktop, 'macros.lisp', '(retrying (list 1))\n(list limit)\n');
  const first = desktop.region('Editor').locator('.view-line span span').filter({ hasText: 'retrying' });
  const colour = (): Promise<string> => first.first().evaluate((element) => getComputedStyle(element).color);
  await expect(first.first()).toBeVisible();
  await expect.poll(colour).toBe('rgb(27, 28, 32)');
  await desktop.repl('(defmacro retrying (&body body) `(progn ,@body))');
  await expect.poll(colour).toBe('rgb(44, 83, 166)');
  await page.screenshot({ path: 'out/playwright/names-colours.png' });
});

test('A text of 12,000 lines that is looked through for faults of the syntax does not keep completions waiting', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const lines = Array.from({ length: 4_000 }, (_, index) => `(defun f-${index} (x)\n  "Of."\n  (list x ${index}))`);
  await opened(desktop, 'long.lisp', `${lines.join('\n')}\n(nosuch:thing)\n`);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('(list 1');
  await expect(desktop.region('Editor').locator('.squiggly-warning').first()).toBeVisible();
  await page.keyboard.type(' sb-ext:*evaluator-m');
  await expect(
    page.locator('.suggest-widget.visible').getByRole('option', { name: /sb-ext:\*evaluator-mode\*/ }),
  ).toBeVisible();
});

test('A definition that was typed in the REPL is gone to in the form that was evaluated, whatever its kind', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defpackage :till (:use :cl))');
  await desktop.repl('(in-package :till)');
  await desktop.repl('(defclass coin ()\n  ((worth :initarg :worth\n          :accessor worth)))');
  await desktop.repl('(defun (setf purse) (value coin) (list value coin))');
  await opened(desktop, 'till.lisp', "(in-package :till)\n(worth (make-instance 'coin))\n(setf (purse 1) 2)\n");
  const status = desktop.region('Status bar');
  const goTo = async (place: string): Promise<void> => {
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Control+g');
    await page.keyboard.type(place);
    await page.keyboard.press('Enter');
    await expect(status).toContainText(`Ln ${place.replace(':', ', Col ')}`);
    await page.keyboard.press('F12');
  };
  const form = desktop.region('Editor').locator('.view-lines').first();
  await goTo('2:25');
  await expect(page.getByRole('tab', { name: 'COIN' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('The form that was evaluated in TILL. It is not in a file.')).toBeVisible();
  await expect(form).toContainText('(defclass coin ()');
  await page.screenshot({ path: 'out/playwright/names-evaluated.png' });
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page.getByRole('tab', { name: 'till.lisp' })).toHaveAttribute('aria-selected', 'true');
  await goTo('3:8');
  await expect(page.getByRole('tab', { name: /PURSE/ })).toHaveAttribute('aria-selected', 'true');
  await expect(form).toContainText('(defun (setf purse) (value coin)');
  // The form is read in the definition's package, and each time the same tab opens.
  await page.keyboard.press('Alt+ArrowLeft');
  await goTo('2:25');
  await expect(page.getByRole('tab', { name: 'COIN' })).toHaveCount(1);
  await expect(page.getByRole('tab', { name: 'COIN' })).toHaveAttribute('aria-selected', 'true');
  // Both a slot's initarg and its name lead to the class that defines the slot. A hover explains the slot.
  await page.keyboard.press('Alt+ArrowLeft');
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText("(make-instance 'coin :worth 1)\n(with-slots (worth) c (slot-value c 'worth))\n");
  for (const place of ['4:25', '5:15']) {
    await goTo(place);
    await expect(page.getByRole('tab', { name: 'COIN' })).toHaveAttribute('aria-selected', 'true');
    await expect(status).toContainText('Ln 2, Col 5');
    await page.keyboard.press('Alt+ArrowLeft');
  }
  await page.keyboard.press('Control+Shift+I');
  const hover = page.locator('.monaco-hover:visible').first();
  await expect(hover).toContainText('(worth :initarg :worth');
  await expect(hover).toContainText('slot of the class coin');
  await page.screenshot({ path: 'out/playwright/names-slot.png' });
  await page.keyboard.press('Escape');
  // If several classes have the slot, they are listed.
  await desktop.repl('(defstruct note worth)');
  await goTo('5:40');
  await expect(page.locator('.peekview-widget')).toBeVisible();
  await expect(page.locator('.peekview-widget .referenceMatch, .peekview-widget .monaco-list-row')).not.toHaveCount(0);
  await page.screenshot({ path: 'out/playwright/names-slots.png' });
});
