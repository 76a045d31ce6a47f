/** Objects of the image in the inspector: reached, explored, changed and compared by a person. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

const CLASSES = `(progn (defclass cart () ((owner :initarg :owner) (lines :initform (list "tea" 2)) (discount :initform 0)))
  (defvar *cart* (make-instance 'cart :owner "Ada")) :ready)`;

/** The title bar's words about the image. */
const imageWords = (desktop: Desktop): Locator => desktop.page.getByRole('button', { name: /^Image/ });

/** Evaluates at the REPL and waits for the value. */
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
  // The person goes on typing: the inspector takes no focus.
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
  // Out of the panel to where the person was; from the object to the definition of its class.
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
  // An interrupted evaluation says so, and the object is still held.
  await field.fill('(loop)');
  await page.keyboard.press('Enter');
  await expect(imageWords(desktop)).toContainText('evaluating');
  await page.keyboard.press('Control+.');
  await expect(inspector.getByRole('alert')).toHaveText('It was interrupted.');
  await field.fill('(+ * 15)');
  await page.keyboard.press('Enter');
  await expect(parts.getByRole('treeitem', { name: 'DISCOUNT: 15' })).toBeVisible();
  await inspector.getByRole('button', { name: 'Watch: refresh after each evaluation' }).click();
  await evaluate(desktop, "(setf (slot-value *cart* 'discount) 99)", 'Inspect 99');
  await desktop.page.keyboard.press('Control+Alt+i');
  await expect(parts.getByRole('treeitem', { name: 'DISCOUNT: 99, changed' })).toBeVisible();
  // The object is * in the row below, with its values as things to look into.
  const row = inspector.getByRole('textbox', { name: 'Evaluate with * as the object' });
  await row.fill("(list :of (slot-value * 'discount))");
  await page.keyboard.press('Enter');
  await expect(inspector.getByRole('log')).toContainText('=> (:OF 99)');
  await row.fill('(progn (print :begun) (finish-output) (loop))');
  await page.keyboard.press('Enter');
  await expect(inspector.getByRole('log')).toContainText(':BEGUN');
  await page.keyboard.press('Control+.');
  await expect(inspector.getByRole('log')).toContainText('It was interrupted.');
  // INSPECT shows the panel in place of a loop of text.
  await desktop.repl('(inspect (expt 2 70))');
  await expect(inspector).toContainText('1180591620717411303424');
  // ED opens its file, or goes to where the name is defined.
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

test('A list of a million elements scrolls to its end, and the values of the REPL are still there to look into [D7]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const inspector = desktop.region('Inspector');
  await evaluate(desktop, '(defvar *million* (loop for i below 1000000 collect i))', 'Inspect *MILLION*');
  await evaluate(desktop, '(list :first :value)', 'Inspect (:FIRST :VALUE)');
  await desktop.repl('*million*');
  await page.keyboard.press('Control+i');
  await expect(inspector).toContainText('1000000');
  await page.keyboard.press('Control+Alt+i');
  const parts = inspector.getByRole('tree', { name: 'Parts' });
  await expect(parts).toBeFocused();
  await page.keyboard.press('End');
  await expect(parts.getByRole('treeitem', { name: '999999: 999999' })).toBeVisible();
  await page.keyboard.press('Home');
  await expect(parts.getByRole('treeitem', { name: '0: 0', exact: true })).toBeVisible();
  for (let turn = 0; turn < 40; turn += 1) await page.keyboard.press('PageDown');
  await page.keyboard.press('End');
  await expect(parts.getByRole('treeitem', { name: '999999: 999999' })).toBeVisible();
  await page.keyboard.press('Control+`');
  await desktop.region('REPL').getByRole('button', { name: 'Inspect (:FIRST :VALUE)' }).click();
  await expect(inspector).toContainText('A list of type');
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

test('After a restart of the image old values say that they are gone, and never show another object [D7]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const inspector = desktop.region('Inspector');
  await evaluate(desktop, '(list :of :the :old :image)', /Inspect \(:OF :THE/);
  await page.evaluate(() => window.workbench.call('session.restart', {}));
  await desktop.imageReady();
  await evaluate(desktop, '(list :of :the :new :image)', /Inspect \(:OF :THE :NEW/);
  await desktop.region('REPL').getByRole('button', { name: 'Inspect (:OF :THE :OLD :IMAGE)' }).click();
  await expect(inspector).toContainText('This object is gone.');
  await page.keyboard.press('Control+`');
  await desktop.region('REPL').getByRole('button', { name: 'Inspect (:OF :THE :NEW :IMAGE)' }).click();
  await expect(inspector).toContainText('(:OF :THE :NEW :IMAGE)');
});

test('Two objects are compared, like things are a table, numbers a plot and octets a picture [D7]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const inspector = desktop.region('Inspector');
  const repl = desktop.region('REPL');
  const show = async (code: string, value: RegExp): Promise<void> => {
    await page.keyboard.press('Control+`');
    await evaluate(desktop, code, value);
    await repl.getByRole('button', { name: value }).last().click();
  };
  await show('(list :a 1 :b 2 :c 3)', /Inspect \(:A 1 :B 2/);
  await expect(inspector.getByRole('tree', { name: 'Parts' })).toBeVisible();
  await inspector.getByRole('button', { name: 'Pin below' }).click();
  await expect(inspector.getByRole('tree', { name: 'Parts of the pinned object' })).toBeVisible();
  await show('(list :a 1 :b 7 :c 3)', /Inspect \(:A 1 :B 7/);
  await inspector.getByRole('button', { name: 'Compare with the pinned object' }).click();
  await expect(inspector).toContainText('1 of 6 parts differ');
  await expect(inspector.getByRole('row', { name: '3: different' })).toContainText('7');
  await inspector.getByRole('button', { name: 'Compare with the pinned object' }).click();
  await inspector.getByRole('button', { name: 'Unpin' }).click();

  await show('(list (list :name "tea" :price 3) (list :name "cup" :price 9))', /Inspect \(\(:NAME/);
  await inspector.getByRole('tab', { name: 'table' }).click();
  await expect(inspector.getByRole('columnheader', { name: ':PRICE' })).toBeVisible();
  await expect(inspector.getByRole('row', { name: /"cup" 9/ })).toBeVisible();

  await show('(coerce (loop for i below 500 collect (sin (/ i 20))) (quote vector))', /Inspect #\(0/);
  await inspector.getByRole('tab', { name: 'plot' }).click();
  await expect(inspector.getByRole('img', { name: /^500 numbers from -/ })).toBeVisible();

  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await show(`(coerce '(${[...png].join(' ')}) '(vector (unsigned-byte 8)))`, /Inspect #\(137 80/);
  await inspector.getByRole('tab', { name: 'picture' }).click();
  await expect(inspector).toContainText(`PNG, ${png.length} octets, 1 × 1`);
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

test('The parts of a large table are filtered, and a text of it is found as it is typed [D7]', async ({
  sharedDesktop: desktop,
}) => {
  const inspector = desktop.region('Inspector');
  await evaluate(
    desktop,
    `(let ((h (make-hash-table :test 'equal))) (dotimes (i 300 h) (setf (gethash (format nil "key ~D" i) h) (* i i))))`,
    /Inspect #<HASH-TABLE/,
  );
  await desktop
    .region('REPL')
    .getByRole('button', { name: /HASH-TABLE/ })
    .click();
  const filter = inspector.getByRole('searchbox', { name: 'Parts filter' });
  await filter.fill('key 25');
  const parts = inspector.getByRole('tree', { name: 'Parts' });
  await expect(parts.getByRole('treeitem')).toHaveCount(11);
  await expect(parts.getByRole('treeitem', { name: '"key 250": 62500' })).toBeVisible();
  await expect(inspector).toContainText('11 of 300');
  await filter.fill('nothing like this');
  await expect(inspector).toContainText('0 of 300');
  await filter.fill('key 250');
  await expect(inspector).toContainText('1 of 300');
  await filter.press('ArrowDown');
  await expect(parts).toBeFocused();
  await filter.press('Enter');
  await expect(inspector.getByRole('heading', { name: '62500' })).toBeVisible();
});

test('A hash table of a million entries is filtered in the image, to its end, and typing on is not kept waiting [D7, issue 11.4]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const inspector = desktop.region('Inspector');
  await evaluate(
    desktop,
    '(let ((h (make-hash-table :size 1000000))) (dotimes (i 1000000 h) (setf (gethash i h) (* 2 i))))',
    /Inspect #<HASH-TABLE/,
  );
  await page.keyboard.press('Control+i');
  const filter = inspector.getByRole('searchbox', { name: 'Parts filter' });
  const parts = inspector.getByRole('tree', { name: 'Parts' });
  await filter.fill('1999998');
  // The one entry is the last of the table, which the page never had.
  await expect(parts.getByRole('treeitem')).toHaveCount(1);
  await expect(parts.getByRole('treeitem', { name: '999999: 1999998' })).toBeVisible();
  await expect(inspector).toContainText('1 of 1,000,000');

  // Each key begins anew: what is shown in the end is of the whole text.
  await filter.fill('');
  await expect(inspector.getByText('1,000,000', { exact: true }).first()).toBeVisible();
  await filter.pressSequentially('123456');
  await expect(inspector).toContainText('8 of 1,000,000');
  await expect(parts.getByRole('treeitem', { name: '61728: 123456' })).toBeVisible();
  await expect(parts.getByRole('treeitem', { name: '617284: 1234568' })).toBeVisible();
  await parts.getByRole('treeitem', { name: '123456: 246912' }).dblclick();
  await expect(inspector).toContainText('Hexadecimal');
  await page.keyboard.press('Alt+ArrowLeft');

  // A search that finds too much stops, says how far it came, and goes on when the person says so.
  await filter.fill('9');
  const told = inspector.getByRole('status').filter({ hasText: 'parts looked at' });
  const further = inspector.getByRole('button', { name: 'Look further' });
  await expect(further).toBeVisible();
  await expect(told).toContainText(/^[\d,]+ of 1,000,000 parts looked at\./);
  const before = await told.textContent();
  await further.click();
  await expect(told.filter({ hasText: before! })).toHaveCount(0);
  await expect(further).toBeVisible();
  await parts.focus();
  await page.keyboard.press('End');
  await expect(parts.getByRole('treeitem').last()).toHaveAccessibleName(/9/);
  await filter.fill('no such entry');
  await expect(inspector).toContainText('0 of 1,000,000');
  await expect(inspector).toContainText('None of the 1,000,000 parts has this in its label or value.');
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
  await expect(inspector).toContainText('No object.');
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
