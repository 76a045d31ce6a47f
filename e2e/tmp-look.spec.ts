import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from './fixture.ts';
const CART = `(defpackage :shop (:use :cl))
(in-package :shop)

(define-condition unknown-sku (error) ((sku :initarg :sku :reader sku))
  (:report (lambda (c s) (format s "No product has the SKU ~S." (sku c)))))

(defvar *catalogue* (let ((table (make-hash-table :test 'equal))) (setf (gethash "CUP-100" table) 490) table))

(defun find-product (sku)
  "Price of SKU."
  (restart-case (or (gethash sku *catalogue*) (error 'unknown-sku :sku sku))
    (use-value (value) :report "Use another product." value)
    (continue () :report "Leave this line out." nil)))

(defun add-to-cart (cart sku &key (quantity 1))
  "Put QUANTITY of SKU into CART."
  (let ((product (find-product sku)))
    (when product
      (push (list product quantity) cart)
      cart)))

(defun restore-cart (cart saved)
  (loop for (sku quantity) in saved
        do (setf cart (add-to-cart cart sku :quantity quantity))
        finally (return cart)))
`;
for (const theme of ['dark', 'light'] as const)
  test(`look ${theme}`, async ({ launch }) => {
    test.setTimeout(200_000);
    const desktop = await launch({ colorScheme: theme, projectName: 'shop' });
    const { page, project } = desktop;
    const errors: string[] = [];
    page.on('console', (m) => {
      if (m.type() === 'error') errors.push(m.text());
    });
    page.on('pageerror', (e) => errors.push(String(e)));
    await page.evaluate((chosen) => window.workbench.call('settings.change', { theme: chosen }), theme);
    await writeFile(path.join(project, 'cart.lisp'), CART);
    await desktop.imageReady();
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setSize(1600, 1000));
    await desktop.openFile(path.join(project, 'cart.lisp'));
    await expect(desktop.region('Editor')).toContainText('find-product');
    await desktop.repl(`(load "${path.join(project, 'cart.lisp')}")`);
    await expect(desktop.region('REPL')).toContainText('=>');
    await desktop.repl(`(shop::restore-cart '() '(("CUP-100" 2) ("TEA-09" 3)))`);
    await expect(desktop.region('REPL')).toContainText('in the debugger');
    await page.screenshot({ path: `/tmp/shot-${theme}-0.png` });
    await page.keyboard.press('Control+Shift+b');
    await expect(desktop.region('Debugger')).toContainText('No product');
    await expect(desktop.region('Debugger')).toContainText('Locals of frame');
    await page.waitForTimeout(500);
    await page.screenshot({ path: `/tmp/shot-${theme}-1.png` });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('l');
    await page.waitForTimeout(1000);
    await page.screenshot({ path: `/tmp/shot-${theme}-2.png` });
    await page.keyboard.press('r');
    await page.waitForTimeout(1000);
    await page.keyboard.press('e');
    await page.keyboard.insertText('(gethash sku *catalogue*)');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('(error "deeper")');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/shot-${theme}-3.png` });
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setSize(900, 600));
    await page.waitForTimeout(500);
    await page.screenshot({ path: `/tmp/shot-${theme}-4.png` });
    console.log(errors.join('\n'), await page.evaluate(() => [innerWidth, innerHeight]));
  });
