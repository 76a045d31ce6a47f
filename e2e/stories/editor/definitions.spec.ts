import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

function row(desktop: Desktop, name: string): Locator {
  return desktop.region('Definitions').getByRole('treeitem', { name, exact: true });
}

/** Chooses from the menu of a row. */
async function choose(desktop: Desktop, name: string, entry: string): Promise<void> {
  await row(desktop, name).click({ button: 'right' });
  await desktop.page.getByRole('menuitem', { name: entry }).click();
}

test('One definition of an agent is undone after that is explained, and redone [D8, P3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defun area (r) (* r r))');
  const agent = await desktop.agent('claude-code');
  await agent.call('evaluate-lisp', { code: '(defun area (r) (* 3 r r)) (defun volume (r) (* r r r))' });
  await expect(row(desktop, 'volume')).toHaveAttribute('title', /by claude-code, not reviewed/);
  await row(desktop, 'area').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Undo This Definition…' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Undo area?' });
  await expect(asked.getByRole('listitem')).toHaveText('areaExact.');
  await asked.getByRole('button', { name: 'Undo', exact: true }).click();
  const told = page.getByRole('status').filter({ hasText: 'Undone: area.' });
  await expect(told).toBeVisible();
  await desktop.repl('(list (area 2) (volume 2))');
  await expect(desktop.region('REPL')).toContainText('(4 8)');
  await told.getByRole('button', { name: 'Redo' }).click();
  await expect(told).toBeVisible();
  await desktop.repl('(list :redone (area 2))');
  await expect(desktop.region('REPL')).toContainText('(:REDONE 12)');
});

test('All that one evaluation of an agent did is undone by the keyboard alone, with its losses said [D8, P3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('claude-code');
  const code = [
    '(defclass cart () ((items :initarg :items)))',
    '(declaim (inline price)) (defun price (x) (* 2 x)) (defun total (x) (price x))',
    '(defvar *cart* (make-instance (quote cart)))',
  ];
  await agent.call('evaluate-lisp', { code: code.join(' ') });
  await expect(row(desktop, 'total')).toBeVisible();
  await page.keyboard.press('Control+Shift+D');
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Go to Source' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(menu.getByRole('menuitem', { name: 'Undo All of This Evaluation…' })).toBeFocused();
  await page.keyboard.press('Enter');
  const asked = page.getByRole('alertdialog', { name: 'Undo all definitions of claude-code’s evaluation?' });
  await expect(asked).toContainText('cartWith a loss: 1 instance lives. Instances live on');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Undone: *cart*, total, price' })).toBeVisible();
  await expect(desktop.region('Definitions')).toContainText('Nothing defined yet.');
});

test('What agents did waits for a review, what they removed too, and can be brought back [D8, P2]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defun mine () :mine)');
  const agent = await desktop.agent('claude-code');
  await agent.call('evaluate-lisp', { code: '(defun area (r) (* r r)) (defun volume (r) (* r r r))' });
  await agent.call('evaluate-lisp', { code: '(fmakunbound (quote mine))' });
  const definitions = desktop.region('Definitions');
  await definitions.getByRole('button', { name: '3 by agents, not reviewed' }).click();
  await expect(definitions.getByRole('treeitem')).toHaveCount(4);
  await expect(row(desktop, 'mine')).toHaveAttribute('title', /removed by claude-code, not reviewed/);
  await choose(desktop, 'area', 'Mark as Reviewed');
  await expect(row(desktop, 'area')).toHaveCount(0);
  await choose(desktop, 'mine', 'Undo This Definition…');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(definitions.getByRole('button', { name: '1 by agents, not reviewed' })).toBeVisible();
  await definitions.getByRole('button', { name: 'Mark 1 as reviewed' }).click();
  await expect(definitions.getByRole('button', { name: 'not reviewed' })).toHaveCount(0);
  await expect(row(desktop, 'area')).toHaveAttribute('title', /by claude-code$/m);
  await desktop.repl('(mine)');
  await expect(desktop.region('REPL')).toContainText(':MINE');
});

test('A method and a function are removed from the image by the form that does so, after asking [D8]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  const dialog = page.getByRole('alertdialog');
  await desktop.repl(
    "(defgeneric price (thing)) (defmethod price (thing) 1) (defmethod price :around ((thing (eql 'pen))) 2)",
  );
  await desktop.repl('(defun area (r) (* r r))');
  const method = desktop.region('Definitions').getByRole('treeitem', { name: /:around \(\(eql pen\)\)/ });
  await method.click();
  await page.keyboard.press('Control+Shift+d');
  await page.keyboard.press('Tab');
  await method.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Remove Definition from the Image…' }).click();
  await expect(dialog).toContainText("(find-method #'price '(:around) (list '(eql pen)))");
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(method).toHaveCount(0);
  await desktop.repl("(price 'pen)");
  await expect(repl.getByRole('button', { name: 'Inspect 1' })).toBeVisible();
  // By the name at the caret, as in SLIME.
  await page.keyboard.type('(area 2)');
  await page.keyboard.press('ArrowLeft');
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Remove Definition');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText("(fmakunbound 'area)");
  await expect(dialog).toContainText('signals an undefined function');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(desktop.region('Definitions').getByRole('treeitem', { name: /^area/ })).toHaveCount(0);
});

test('What was evaluated is exported as a Lisp file [P5]', async ({ sharedDesktop: desktop }) => {
  const { page, app, project } = desktop;
  await desktop.repl('(defun area (r) (* r r))');
  await desktop.repl('(defvar *cart* nil)');
  await expect(row(desktop, '*cart*')).toBeVisible();
  const file = path.join(project, 'saved.lisp');
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen });
  }, file);
  await choose(desktop, 'area', 'Export Definitions…');
  const told = page.getByRole('status').filter({ hasText: '2 forms are in saved.lisp.' });
  await expect(told).toBeVisible();
  expect(await readFile(file, 'utf8')).toMatch(/\(defun area \(r\) \(\* r r\)\)[^]*\(defvar \*cart\* nil\)/);
  await told.getByRole('button', { name: 'Open' }).click();
  await expect(desktop.region('Editor')).toContainText('(defun area (r) (* r r))');
});

test('The editor marks what an agent changed in the image: who, the difference, and reviewed from there [D8, D16]', async ({
  sharedDesktop: desktop,
}) => {
  const { page, project } = desktop;
  const file = path.join(project, 'shop.lisp');
  await writeFile(file, '(defun area (r)\n  (* r r))\n\n(defun other () 1)\n');
  await desktop.openFile(file);
  const editor = desktop.region('Editor');
  await expect(editor).toContainText('defun other');
  await desktop.repl(`(load ${JSON.stringify(file)})`);
  await expect(row(desktop, 'area')).toBeVisible();
  const mark = editor.locator('.agent-mark');
  await expect(mark).toHaveCount(0);
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: '(defun area (r)\n  (* 3 r r))' });
  await expect(mark).toHaveCount(1);
  await expect(editor.locator('.agent-bar')).toHaveCount(2);
  await expect(editor.locator('.agent-lens')).toContainText(/codexchanged this in the image at \d\d:\d\d/);
  await editor.locator('.agent-lens').getByText('Compare').click();
  await page.getByRole('alertdialog', { name: 'What became of area' }).getByRole('button', { name: 'Close' }).click();
  await mark.hover();
  await expect(page.getByText(/codex changed this in the image just now/)).toBeVisible();
  await mark.click();
  const shown = page.getByRole('alertdialog', { name: 'What became of area' });
  await expect(shown).toContainText('codex changed it in the image at');
  await expect(shown.getByRole('group', { name: 'Before and after' })).toContainText(
    /removed:\s+\(\* r r\)\).*added:\s+\(\* 3 r r\)\)/,
  );
  await shown.getByRole('button', { name: 'Mark as reviewed' }).click();
  await expect(mark).toHaveCount(0);
  await expect(editor.locator('.agent-lens')).toHaveCount(0);
  await choose(desktop, 'area', 'Show the Difference…');
  await expect(page.getByRole('alertdialog', { name: 'What became of area' })).toContainText('(* 3 r r)');
});

test('Each definition shows how it stands to its file, in the browser and in the editor [P2, D8, D16]', async ({
  sharedDesktop: desktop,
}) => {
  const { page, project } = desktop;
  const file = path.join(project, 'shop.lisp');
  await writeFile(
    file,
    '(defun area (r)\n  (* r r))\n\n(defun shipping (cart)\n  cart)\n\n(defun volume (r)\n  (* r r r))\n\n(defun total (x)\n  x)\n',
  );
  await desktop.openFile(file);
  const editor = desktop.region('Editor');
  await expect(editor).toContainText('defun total');
  await desktop.repl(`(load ${JSON.stringify(file)})`);
  await expect(row(desktop, 'total')).toBeVisible();

  const definitions = desktop.region('Definitions');
  const mark = (name: string, state: string): Locator => row(desktop, name).getByRole('img', { name: state });
  const filter = (name: string): Locator => definitions.getByRole('button', { name });
  const marks = definitions.getByRole('treeitem').locator('.mark-state');
  await expect(marks).toHaveCount(0);

  await desktop.repl('(defun area (r) (* 3 r r))');
  await expect(mark('area', 'image and file differ')).toBeVisible();
  await expect(editor.locator('.agent-bar.person-hue')).toHaveCount(2);
  await desktop.repl('(defvar *cart* nil)');
  await expect(mark('*cart*', 'only in the image')).toBeVisible();

  await editor.getByText('cart)').last().click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.insertText(' ');
  await page.keyboard.insertText('1');
  await expect(mark('shipping', 'edited, not evaluated')).toBeVisible();
  const bar = editor.locator('.edited-bar');
  await expect(bar).toHaveCount(2);
  await expect(bar.first()).toHaveAttribute('title', /^Edited and not evaluated/);
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('tab', { name: 'shop.lisp', exact: true })).toBeVisible();
  await expect(mark('shipping', 'edited, not evaluated')).toBeVisible();

  const agent = await desktop.agent('claude-code');
  await agent.call('evaluate-lisp', { code: '(defun volume (r) (* 4 r r r)) (defun helper () 1)' });
  await expect(mark('volume', 'image and file differ')).toBeVisible();
  await expect(mark('volume', 'by claude-code, not reviewed')).toBeVisible();
  await expect(row(desktop, 'volume')).toHaveAttribute('title', /by claude-code, not reviewed\nimage and file differ/);
  await expect(marks).toHaveCount(5);
  await page.screenshot({ path: test.info().outputPath('states.png') });

  const names = definitions.getByRole('treeitem').locator('[data-part="name"]');
  await filter('Image and file differ 2').click();
  await expect(names).toHaveText(['area', 'volume']);
  await filter('By agents 2').click();
  await expect(names).toHaveText(['volume']);
  await filter('By agents 2').click();
  await filter('Only in the image 2').click();
  await expect(names).toHaveText(['*cart*', 'helper']);
  await filter('Edited, not evaluated 1').focus();
  await page.keyboard.press('Space');
  await expect(names).toHaveText(['shipping']);
  await expect(filter('Edited, not evaluated 1')).toHaveAttribute('aria-pressed', 'true');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('filtered.png') });
  await page.keyboard.press('Space');

  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('@volume');
  await expect(page.getByRole('option', { name: /volume.*claude-code.*image and file differ/ })).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('palette.png') });
  await page.keyboard.press('Escape');

  await choose(desktop, 'volume', 'Go to Source');
  await expect(editor.locator('[data-part="definition"]')).toHaveText('volume');
  await editor.getByRole('tabpanel').getByText('shipping').click();
  await page.keyboard.press('Alt+Enter');
  await expect(bar).toHaveCount(0);
  await expect(mark('shipping', 'edited, not evaluated')).toHaveCount(0);
  await expect(filter('Edited, not evaluated')).toHaveCount(0);
});
