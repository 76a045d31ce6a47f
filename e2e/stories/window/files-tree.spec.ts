/** A story in which a person works on the files of a project with the keyboard, and the disk shows the result. */
import { chmod, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const ASD = `(defsystem "shop"
  :serial t
  :components ((:file "package")
               (:file "cart")))
`;
/** A program in place of the system's trash. Electron calls it by the name in ELECTRON_TRASH. */
const TRASH = '#!/bin/sh\nfor file; do :; done\nmv -- "$file" "$TRASH_CAN/"\n';

/** Starts the program with a project, and with a trash that is a folder of the story. */
async function open(launch: (options: object) => Promise<Desktop>, home: string, hasTrash: boolean): Promise<Desktop> {
  const project = path.join(home, 'shop');
  await mkdir(path.join(project, 'src'), { recursive: true });
  await mkdir(path.join(home, 'bin'), { recursive: true });
  await mkdir(path.join(home, 'can'));
  await writeFile(path.join(home, 'bin', 'trash-put'), hasTrash ? TRASH : '#!/bin/sh\nexit 1\n');
  await chmod(path.join(home, 'bin', 'trash-put'), 0o755);
  await writeFile(path.join(project, 'shop.asd'), ASD);
  await writeFile(path.join(project, 'package.lisp'), '(defpackage #:shop (:use #:cl))\n');
  await writeFile(path.join(project, 'cart.lisp'), '(in-package #:shop)\r\n; caf\u00e9\r\n', 'latin1');
  await symlink('cart.lisp', path.join(project, 'link.lisp'));
  const desktop = await launch({
    project,
    env: {
      PATH: `${path.join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
      ELECTRON_TRASH: 'trash-cli',
      TRASH_CAN: path.join(home, 'can'),
    },
  });
  await desktop.page.keyboard.press('Control+Shift+E');
  await expect(desktop.page.getByRole('treeitem', { name: 'cart.lisp', exact: true })).toBeVisible();
  return desktop;
}

const names = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith('.')).toSorted();

test('A person creates, renames, duplicates, deletes and restores files by keys, and the disk shows it [issue 39.3]', async ({
  launch,
}, info) => {
  const home = info.outputPath('files');
  const { page, project } = await open(launch, home, true);
  const { keyboard } = page;
  const row = (name: string) => page.getByRole('treeitem', { name, exact: true });
  const field = page.getByRole('tree').getByRole('textbox');
  const bytes = await readFile(path.join(project, 'cart.lisp'));

  await keyboard.press('Home');
  await keyboard.press('Control+n');
  await expect(field).toBeFocused();
  await keyboard.type('deep/tax.lisp');
  await keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: /tax\.lisp/ })).toBeVisible();
  expect(await names(path.join(project, 'src'))).toEqual(['deep', 'deep/tax.lisp']);

  await keyboard.press('Control+Shift+E');
  await keyboard.press('Home');
  await keyboard.press('End');
  while ((await page.locator('[role="treeitem"][aria-selected="true"]').getAttribute('aria-label')) !== 'cart.lisp')
    await keyboard.press('ArrowUp');
  await keyboard.press('Control+d');
  await expect(row('cart-copy.lisp')).toHaveAttribute('aria-selected', 'true');
  expect(await readFile(path.join(project, 'cart-copy.lisp'))).toEqual(bytes);

  await keyboard.press('F2');
  await expect(field).toBeFocused();
  await keyboard.type('basket [1]');
  await keyboard.press('Enter');
  await expect(row('basket [1].lisp')).toHaveAttribute('aria-selected', 'true');
  expect(await readFile(path.join(project, 'basket [1].lisp'))).toEqual(bytes);

  await keyboard.press('Delete');
  await expect(page.getByText('basket [1].lisp was moved to the trash.')).toBeVisible();
  expect(await names(path.join(home, 'can'))).toEqual(['basket [1].lisp']);
  await expect(row('basket [1].lisp')).toHaveCount(0);
  await keyboard.press('Control+z');
  await expect(row('basket [1].lisp')).toHaveAttribute('aria-selected', 'true');
  expect(await readFile(path.join(project, 'basket [1].lisp'))).toEqual(bytes);
  await keyboard.press('Control+z');
  await expect(row('cart-copy.lisp')).toHaveAttribute('aria-selected', 'true');

  await keyboard.press('Control+Alt+n');
  await expect(field).toBeFocused();
  await keyboard.type('till');
  await keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: /shop\.asd.*not saved/ })).toBeVisible();
  expect(await readFile(path.join(project, 'till.lisp'), 'utf8')).toBe('(in-package #:shop)\n\n');
  expect(await readFile(path.join(project, 'shop.asd'), 'utf8')).toBe(ASD);
  await keyboard.press('Control+s');
  await expect
    .poll(() => readFile(path.join(project, 'shop.asd'), 'utf8'))
    .toBe(ASD.replace('(:file "cart")))', '(:file "cart")\n               (:file "till")))'));
});

test('Without a trash the person is asked, and a link is deleted without its target [issue 39.3]', async ({
  launch,
}, info) => {
  const home = info.outputPath('files');
  const { page, project } = await open(launch, home, false);
  const link = page.getByRole('treeitem', { name: 'link.lisp, link to cart.lisp' });
  await link.click();
  await page.keyboard.press('Control+Shift+E');
  await page.keyboard.press('Delete');
  await expect(link).toHaveCount(0);
  expect(await names(project)).toEqual(['cart.lisp', 'package.lisp', 'shop.asd', 'src']);
  await page.keyboard.press('Control+z');
  await expect(link).toHaveCount(1);
  expect(await readlink(path.join(project, 'link.lisp'))).toBe('cart.lisp');

  await page.getByRole('treeitem', { name: 'package.lisp', exact: true }).click();
  await page.keyboard.press('Control+Shift+E');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('alertdialog')).toContainText('Delete package.lisp permanently?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('package.lisp was deleted.')).toBeVisible();
  expect(await names(project)).not.toContain('package.lisp');
  await page.keyboard.press('Control+Shift+E');
  await page.keyboard.press('Control+z');
  await expect
    .poll(() => readFile(path.join(project, 'package.lisp'), 'utf8').catch(() => null))
    .toBe('(defpackage #:shop (:use #:cl))\n');
});
