/** Creates a new project, from an empty window to passed tests. */
import { readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

test('A new project is made, opened, loaded and tested from a window in which nothing is open [D9]', async ({
  launch,
}) => {
  const desktop = await launch();
  const { page, app } = desktop;
  const place = await realpath(desktop.project);
  await desktop.imageReady();
  await desktop.region('Editor').getByRole('button', { name: 'New project…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  const create = dialog.getByRole('button', { name: 'Create' });
  await expect(name).toBeFocused();
  await expect(dialog.getByRole('textbox', { name: 'In folder' })).toHaveValue(path.dirname(place));
  await expect(create).toBeDisabled();
  await app.evaluate(({ dialog: native }, folder) => {
    native.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
  }, place);
  await dialog.getByRole('button', { name: 'Choose…' }).click();
  await expect(dialog.getByRole('textbox', { name: 'In folder' })).toHaveValue(place);
  // Invalid names are reported during typing. The name of an installed system is rejected, and existing files are not overwritten.
  await name.fill('My Shop');
  await expect(dialog).toContainText('ASDF finds systems by lower-case names: my-shop.');
  await name.fill('alexandria');
  await expect(dialog).toContainText('A system of this name already exists');
  await expect(create).toBeDisabled();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await writeFile(path.join(place, 'till'), 'mine');
  await name.fill('till');
  await name.press('Enter');
  await expect(dialog).toContainText('is a file. Choose another name or another place.');
  expect(await readFile(path.join(place, 'till'), 'utf8')).toBe('mine');
  // If the button is pressed and the input is rejected, the dialog moves the focus to the field with the invalid input.
  await name.fill('');
  await name.fill('till');
  await create.click();
  await expect(dialog).toContainText('is a file. Choose another name or another place.');
  await expect(name).toBeFocused();
  await name.fill('shop');
  await dialog.getByRole('textbox', { name: 'Author (optional)' }).fill('Ada');
  await dialog.getByRole('textbox', { name: 'Description (optional)' }).fill('Sells "things".');
  await create.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('shop: Loaded 2 files: package.lisp, shop.lisp.')).toBeVisible();
  await expect(page.getByRole('button', { name: /Trust/ })).toHaveCount(0);
  // The caret is where the first definition belongs, and code typed there belongs to the project's package.
  await expect(desktop.region('Status bar')).toContainText('Ln 3, Col 1');
  await page.keyboard.type('(defun price () 42');
  await page.keyboard.press('Alt+Enter');
  await expect(desktop.region('Editor')).toContainText('=> PRICE');
  await page.keyboard.press('Control+s');
  await desktop.repl('(shop::price)');
  await expect(desktop.region('REPL')).toContainText('=> 42');
  await page.keyboard.press('Control+Shift+y');
  const systems = desktop.region('Systems');
  await systems
    .getByRole('option', { name: /shop$|shop project/ })
    .first()
    .click();
  await systems.getByRole('button', { name: 'Run tests: shop' }).click();
  await expect(systems.getByRole('group', { name: 'Tests' })).toContainText('1 check: 1 passed, 0 failed.');
  // The new files are indented exactly as the editor would indent them.
  for (const file of ['shop.asd', 'src/package.lisp', 'tests/package.lisp', 'tests/shop.lisp'])
    await indentsAsItIs(desktop, path.join(place, 'shop', file));
});

async function indentsAsItIs(desktop: Desktop, file: string): Promise<void> {
  const { page } = desktop;
  await desktop.openFile(file);
  const tab = page.getByRole('tab', { name: path.basename(file), selected: true });
  await expect(tab).toBeVisible();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Alt+Shift+F');
  // If indenting had changed the text, the tab would show it as unsaved before the caret moves.
  await page.keyboard.press('Control+Home');
  await expect(desktop.region('Status bar')).toContainText('Ln 1, Col 1');
  await expect(page.getByRole('tab', { selected: true }).filter({ hasText: 'not saved' })).toHaveCount(0);
}
