/** Stories in which a person opens, explores, changes and compares objects of the image in the inspector. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

const CLASSES = `(progn (defclass cart () ((owner :initarg :owner) (lines :initform (list "tea" 2)) (discount :initform 0)))
  (defvar *cart* (make-instance 'cart :owner "Ada")) :ready)`;

/** Returns the title bar's text about the image. */
const imageWords = (desktop: Desktop): Locator => desktop.page.getByRole('button', { name: /^Image/ });

/** Evaluates code at the REPL and waits for the value. */
async function evaluate({ page, region, repl }: Desktop, code: string, value: string | RegExp): Promise<void> {
  void page;
  await repl.call({ page } as Desktop, code);
  await expect(
    region
      .call({ page } as Desktop, 'REPL')
      .getByRole('button', { name: value })
      .last(),
  ).toBeVisible();
}

test('An object of the REPL is explored by keyboard alone: opened, drilled into, gone back from, described and copied to the REPL [D7]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  const inspector = desktop.region('Inspector');
  await evaluate(desktop, CLASSES, 'Inspect :READY');
  await evaluate(desktop, '*cart*', /Inspect #<CART/);
  await page.keyboard.press('Control+i');
  await expect(inspector).toContainText('An instance of');
  // The person can continue to type, because the inspector does not take the focus.
  await expect(page.getByRole('textbox', { name: 'REPL input' })).toBeFocused();
  await page.keyboard.press('Control+Alt+i');
  const parts = inspector.getByRole('tree', { name: 'Parts' });
  await expect(parts).toBeFocused();
  await expect(parts.getByRole('treeitem')).toHaveCount(3);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(parts.getByRole('treeitem')).toHaveCount(5);
  await expect(parts.getByRole('treeitem', { name: '0: "tea"' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(inspector).toContainText('A list of type');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(inspector.getByRole('navigation')).toContainText('LINES');
  await expect(inspector.getByRole('heading').first()).toHaveText('2');
  await page.keyboard.press('l');
  await expect(inspector).toContainText('A list of type');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(inspector).toContainText('An instance of');
  await page.keyboard.press('Alt+ArrowRight');
  await expect(inspector).toContainText('A list of type');
  await page.keyboard.press('l');
  await page.keyboard.press('d');
  await expect(inspector.getByRole('group', { name: 'Description' })).toContainText('OWNER');
  await page.keyboard.press('c');
  await expect(page.getByRole('textbox', { name: 'REPL input' })).toHaveValue(/^\(lisp-workbench:value \d+\)$/);
  await page.keyboard.press('Enter');
  await expect(repl.getByRole('button', { name: /Inspect "Ada"|Inspect #<CART/ }).last()).toBeVisible();
  // Goes from the panel back to the person's last position, and from the object to the definition of its class.
  await page.keyboard.press('Control+Alt+i');
  await page.keyboard.press('q');
  await expect(page.getByRole('textbox', { name: 'REPL input' })).toBeFocused();
  await page.keyboard.press('Control+Alt+i');
  await page.keyboard.press('F12');
  await expect(desktop.region('Editor').getByRole('textbox')).toBeFocused();
  await expect(desktop.region('Editor')).toContainText('(defclass cart');
});

test('A slot is changed in the inspector, what cannot be set says why, and what changed is marked while it is watched [D7]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const inspector = desktop.region('Inspector');
  await evaluate(desktop, CLASSES, 'Inspect :READY');
  await evaluate(desktop, '*cart*', /Inspect #<CART/);
  await desktop
    .region('REPL')
    .getByRole('button', { name: /Inspect #<CART/ })
    .click();
  const parts = inspector.getByRole('tree', { name: 'Parts' });
  await parts.getByRole('treeitem', { name: 'DISCOUNT: 0' }).click();
  await inspector.getByRole('button', { name: 'Set DISCOUNT…' }).click();
  const field = inspector.getByRole('textbox', { name: 'New value of DISCOUNT' });
  await field.fill('(error "No discount on Mondays.")');
  await page.keyboard.press('Enter');
  await expect(inspector.getByRole('alert')).toContainText('No discount on Mondays.');
  // If an evaluation is interrupted, the field reports this, and the object is still available.
  await field.fill('(loop)');
  await page.keyboard.press('Enter');
  await expect(imageWords(desktop)).toContainText('evaluating');
  await page.keyboard.press('Control+.');
  await expect(inspector.getByRole('alert')).toHaveText('The evaluation was interrupted.');
  await field.fill('(+ * 15)');
  await page.keyboard.press('Enter');
  await expect(parts.getByRole('treeitem', { name: 'DISCOUNT: 15' })).toBeVisible();
  await inspector.getByRole('button', { name: 'Watch: refresh after each evaluation' }).click();
  await evaluate(desktop, "(setf (slot-value *cart* 'discount) 99)", 'Inspect 99');
  await desktop.page.keyboard.press('Control+Alt+i');
  await expect(parts.getByRole('treeitem', { name: 'DISCOUNT: 99, changed' })).toBeVisible();
  // In the input row at the bottom, * is the object, and the values can be inspected.
  const row = inspector.getByRole('textbox', { name: 'Evaluate with * as the object' });
  await row.fill("(list :of (slot-value * 'discount))");
  await page.keyboard.press('Enter');
  await expect(inspector.getByRole('log')).toContainText('=> (:OF 99)');
  await row.fill('(progn (print :begun) (finish-output) (loop))');
  await page.keyboard.press('Enter');
  await expect(inspector.getByRole('log')).toContainText(':BEGUN');
  await page.keyboard.press('Control+.');
  await expect(inspector.getByRole('log')).toContainText('The evaluation was interrupted.');
  // INSPECT shows the panel instead of a loop in the transcript.
  await desktop.repl('(inspect (expt 2 70))');
  await expect(inspector).toContainText('1180591620717411303424');
  // ED opens a file, or goes to the definition of a name.
  const shop = path.join(desktop.project, 'shop.lisp');
  await writeFile(shop, '; the shop\n\n(defun price (item)\n  (* 2 item))\n');
  await desktop.repl(`(load "${shop}") (ed 'price)`);
  const editor = desktop.region('Editor');
  await expect(editor).toContainText('the shop');
  await expect(page.getByRole('textbox', { name: 'Text of shop.lisp' })).toBeFocused();
  await expect(page.getByText('Ln 3, Col 8')).toBeVisible();
  await writeFile(path.join(desktop.project, 'notes.lisp'), '; notes\n');
  await desktop.repl('(ed "notes.lisp")');
  await expect(editor).toContainText('; notes');
});

test('A function at the caret is traced with a key, and the arguments of its calls open in the inspector [issue 11.4]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  const calls = repl.getByRole('list', { name: 'Traced calls' });
  await evaluate(
    desktop,
    `${CLASSES} (defun owner-of (cart &key (depth 0))
    (if (plusp depth) (owner-of cart :depth (1- depth)) (slot-value cart 'owner))) :ready`,
    'Inspect :READY',
  );
  await page.keyboard.type('owner-of');
  await page.keyboard.press('Control+Alt+t');
  await expect(page.getByText('OWNER-OF is traced.')).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await evaluate(desktop, '(owner-of *cart* :depth 1)', 'Inspect "Ada"');
  await expect(calls.getByRole('listitem')).toHaveText([
    /^0: \(OWNER-OF #<CART .*> :DEPTH 1\)$/,
    /^1: \(OWNER-OF #<CART .*> :DEPTH 0\)$/,
    '1: OWNER-OF returned "Ada"',
    '0: OWNER-OF returned "Ada"',
  ]);
  await calls
    .getByRole('button', { name: /Inspect #<CART/ })
    .first()
    .click();
  await expect(desktop.region('Inspector')).toContainText('An instance of');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('Untrace All');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Untraced OWNER-OF.')).toBeVisible();
});

test("An agent's value opens in the inspector too, and the value beside a form in the editor, also while the image is busy [D7]", async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const inspector = desktop.region('Inspector');
  const repl = desktop.region('REPL');
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: '(list :made :by :codex)' });
  await repl.getByRole('button', { name: 'Inspect (:MADE :BY :CODEX)' }).click();
  await expect(inspector).toContainText('A list of type');
  await expect(inspector.getByRole('tree', { name: 'Parts' })).toContainText(':CODEX');

  await desktop.newFile('(vector 10 20 30)');
  await page.keyboard.press('Control+Enter');
  await expect(desktop.region('Editor')).toContainText('=> #(10 20 30)');
  await desktop.repl('(loop)');
  await expect(repl.getByRole('button', { name: 'Interrupt evaluation' })).toBeVisible();
  await desktop.region('Editor').locator('.inline-value').click();
  await expect(inspector).toContainText('A vector of 3 elements');
  await inspector.getByRole('treeitem', { name: '1: 20' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Inspect Here' }).click();
  await expect(inspector).toContainText('Hexadecimal');
  await page.keyboard.press('Control+.');
  await expect(repl).toContainText('Interrupted');
  await agent.close();
});

test("The inspector and the REPL's search have no faults that axe finds, in both themes [D17]", async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const inspector = desktop.region('Inspector');
  const repl = desktop.region('REPL');
  const faultless = async (name: string): Promise<void> =>
    expect.soft(await faultsInBothThemes(desktop), name).toEqual([]);
  await page.keyboard.press('Control+Alt+i');
  await expect(inspector).toContainText('Nothing to inspect.');
  await faultless('empty');
  await evaluate(desktop, '(loop for i below 30 collect (list :size i :text "a"))', /Inspect \(\(:SIZE/);
  await page.keyboard.press('Control+i');
  await expect(inspector.getByRole('tree', { name: 'Parts' })).toBeVisible();
  await page.keyboard.press('Control+Alt+i');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('p');
  await expect(inspector.getByRole('tree', { name: 'Parts of the pinned object' })).toBeVisible();
  await page.keyboard.press('e');
  await expect(inspector.getByRole('group', { name: /^Set / })).toBeVisible();
  await faultless('parts');
  await page.keyboard.press('Escape');
  await inspector.getByRole('tab', { name: 'table' }).first().click();
  await expect(inspector.getByRole('columnheader', { name: ':SIZE' })).toBeVisible();
  await faultless('table');
  await inspector.getByRole('button', { name: 'Compare with the pinned object' }).click();
  await expect(inspector).toContainText('No difference');
  await faultless('comparison');
  await inspector.getByRole('button', { name: 'Compare with the pinned object' }).click();
  await inspector.getByRole('button', { name: 'Unpin' }).click();
  await evaluate(desktop, '(vector 1 5 2)', 'Inspect #(1 5 2)');
  await page.keyboard.press('Control+i');
  await inspector.getByRole('tab', { name: 'plot' }).click();
  await expect(inspector.getByRole('img', { name: /^3 numbers/ })).toBeVisible();
  await page.keyboard.press('Control+`');
  await page.keyboard.press('Control+r');
  await page.keyboard.type('vec');
  await expect(repl.getByRole('group', { name: 'History search' })).toContainText('(vector 1 5 2)');
  await faultless('plot and search');
});
