/** Stories in which a person measures code coverage and visits the code that has not run. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const PROGRAM = `(defun sign (x)
  (if (plusp x)
      (list x :positive)
      (list x :negative)))

(defun unused (x)
  (list x x))
`;

async function run(desktop: Desktop, command: string): Promise<void> {
  await desktop.page.keyboard.press('Control+Shift+P');
  await desktop.page.keyboard.insertText(command);
  await desktop.page.keyboard.press('Enter');
}

test('What tests leave out is marked in the editor, listed by file, and gone through by the keyboard [D11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const panel = desktop.region('Coverage');
  await run(desktop, 'coverage: focus');
  await expect(panel.getByText('No coverage data.')).toBeVisible();
  await desktop.newFile(PROGRAM);
  await run(desktop, 'compile file with coverage');
  const table = panel.getByRole('tree', { name: 'Files with coverage' });
  await expect(table.getByRole('treeitem', { name: /^untitled\.lisp, 0 % · 0\/\d+, 0 % · 0\/2/ })).toBeVisible();

  await run(desktop, 'run tests with coverage');
  const field = panel.getByRole('textbox', { name: 'Form to run with coverage' });
  await expect(field).toBeFocused();
  await page.keyboard.type('(sign 3)');
  await page.keyboard.press('Enter');
  await expect(table.getByRole('treeitem', { name: /, 50 % · 1\/2$/ })).toBeVisible();
  await expect(panel.getByRole('status')).toHaveText(/^\d+ % of \d+ expressions, 50 % of 2 ways of branches$/);
  const editor = desktop.region('Editor');
  await expect(editor.locator('.coverage-half').first()).toBeVisible();
  await expect(editor.locator('.coverage-bar-missed')).not.toHaveCount(0);
  expect(await faultsInBothThemes(desktop)).toEqual([]);

  // The table and the keys lead to code that has not run, with an explanation.
  await table.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ln 2, Col 7')).toBeVisible();
  await expect(page.getByText('Only one branch was taken: this was always true, never false.').first()).toBeVisible();
  await run(desktop, 'next form that has not run');
  await expect(page.getByText('Ln 4, Col 7')).toBeVisible();
  await run(desktop, 'next form that has not run');
  await expect(page.getByText('Ln 7, Col 3')).toBeVisible();
  await run(desktop, 'previous form that has not run');
  await expect(page.getByText('Ln 4, Col 7')).toBeVisible();

  // After an edit the marks move with their code, and changed code loses its marks. The table reports this.
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('; more');
  await page.keyboard.press('Enter');
  await expect(table.getByRole('treeitem', { name: /, edited since$/ })).toBeVisible();
  await run(desktop, 'next form that has not run');
  await expect(page.getByText('Ln 3, Col 7')).toBeVisible();

  // Any code that runs in the image counts. The person resets the measurement and then stops it.
  await page.getByRole('tab', { name: 'REPL' }).click();
  await desktop.repl('(list (sign -3) (unused 1))');
  await run(desktop, 'coverage: focus');
  await expect(panel.getByRole('status')).toHaveText(/^100 % of \d+ expressions, 100 % of 2 ways of branches$/);
  await expect(editor.locator('.coverage-missed')).toHaveCount(0);
  await panel.getByRole('button', { name: 'Reset' }).click();
  await expect(panel.getByRole('status')).toHaveText(/^0 % of/);
  await run(desktop, 'stop coverage');
  await expect(page.getByText('Compiled 1 file again without coverage.')).toBeVisible();
  await expect(panel.getByText('No coverage data.')).toBeVisible();
  await expect(editor.locator('.coverage-bar')).toHaveCount(0);
});

test('The files of a system are compiled with coverage, and one that fails to compile is told [D11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const panel = desktop.region('Coverage');
  mkdirSync(path.join(desktop.project, 'parts'));
  writeFileSync(
    path.join(desktop.project, 'cov-shop.asd'),
    '(defsystem "cov-shop" :components ((:file "one") (:module "parts" :components ((:file "two")))))',
  );
  writeFileSync(path.join(desktop.project, 'one.lisp'), '(defun cov-one (x) (if (null x) 1 2))\n');
  writeFileSync(path.join(desktop.project, 'parts/two.lisp'), '(defun cov-two (x)\n  (cov-one (list x)))\n');
  await desktop.repl(`(progn (asdf:load-asd ${JSON.stringify(path.join(desktop.project, 'cov-shop.asd'))}) :known)`);
  await expect(desktop.region('REPL').getByRole('button', { name: 'Inspect :KNOWN' })).toBeVisible();
  await run(desktop, 'compile system with coverage');
  await page.keyboard.type('no-such-system');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('alert')).toHaveText(/no-such-system/);
  const field = panel.getByRole('textbox', { name: 'System to compile with coverage' });
  await field.fill('cov-shop');
  await field.press('Enter');
  await expect(page.getByText('Compiled 2 files of cov-shop with coverage.')).toBeVisible();
  await run(desktop, 'run tests with coverage');
  await page.keyboard.type('(cov-one nil)');
  await page.keyboard.press('Enter');
  const table = panel.getByRole('tree', { name: 'Files with coverage' });
  await expect(table.getByRole('treeitem', { name: /^one\.lisp, .*, 50 % · 1\/2$/ })).toBeVisible();
  await table.getByRole('treeitem', { name: /^two\.lisp, 0 % .*, –$/ }).click();
  await expect(page.getByRole('tab', { name: 'two.lisp' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('Ln 2, Col 3')).toBeVisible();
});
