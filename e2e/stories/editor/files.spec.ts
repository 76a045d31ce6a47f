/** Stories about files in the editor: saving changes a file only where the person typed, and one key moves through the open texts. */
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

async function opened(desktop: Desktop, name: string, bytes: Buffer | string): Promise<string> {
  const file = path.join(desktop.project, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  await desktop.openFile(file);
  await expect(desktop.page.getByRole('tab', { name: new RegExp(path.basename(name)), selected: true })).toBeVisible();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await desktop.page.keyboard.press('Control+Home');
  return file;
}

async function typeAndSave(desktop: Desktop, text: string): Promise<void> {
  await desktop.page.keyboard.type(text);
  await desktop.page.keyboard.press('Control+s');
  await expect(desktop.page.getByRole('tab', { selected: true }).filter({ hasText: 'not saved' })).toHaveCount(0);
}

test('A byte-order mark, mixed line ends and another encoding are kept when a file is saved, as they are on disk by then [B14]', async ({
  launch,
}) => {
  const desktop = await launch();
  const status = desktop.region('Status bar');
  const mixed = await opened(desktop, 'mixed.lisp', '\uFEFF; one\r\n; two\n; three\r\n');
  await typeAndSave(desktop, ';');
  await expect.poll(() => readFile(mixed, 'utf8')).toBe('\uFEFF;; one\r\n; two\n; three\r\n');

  await expect(status.getByRole('button', { name: 'Line ends: mixed' })).toBeVisible();

  const cr = await opened(desktop, 'classic.lisp', '; one\r; two\r');
  await expect(status.getByRole('button', { name: 'Line ends: CR', exact: true })).toBeVisible();
  await typeAndSave(desktop, ';');
  await expect.poll(() => readFile(cr, 'utf8')).toBe(';; one\r; two\r');

  const utf16 = await opened(desktop, 'wide.lisp', Buffer.from('\uFEFF; é\r\n', 'utf16le'));
  await expect(desktop.region('Status bar').getByRole('button', { name: 'Encoding: UTF-16 LE' })).toBeVisible();
  await typeAndSave(desktop, ';');
  await expect.poll(async () => (await readFile(utf16)).toString('utf16le')).toBe('\uFEFF;; é\r\n');

  const latin = await opened(desktop, 'latin.lisp', Buffer.from('; caf\xe9\n', 'latin1'));
  await desktop.page.getByRole('button', { name: 'Read as ISO 8859-1' }).click();
  await expect(desktop.region('Editor')).toContainText('café');
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await desktop.page.keyboard.press('Control+Home');
  await typeAndSave(desktop, ';');
  await expect.poll(async () => (await readFile(latin)).toString('latin1')).toBe(';; café\n');

  const both = await opened(desktop, 'both.lisp', '\uFEFF; one\r\n; two\r\n');
  await expect(status.getByRole('button', { name: 'Line ends: CRLF' })).toBeVisible();
  await writeFile(both, '; one\n; two\n');
  await expect(status.getByRole('button', { name: 'Encoding: UTF-8', exact: true })).toBeVisible();
  await expect(status.getByRole('button', { name: 'Line ends: LF' })).toBeVisible();
  await typeAndSave(desktop, ';');
  await expect.poll(() => readFile(both, 'utf8')).toBe(';; one\n; two\n');
  await status.getByRole('button', { name: 'Line ends: LF' }).click();
  await desktop.page.getByRole('menuitem', { name: 'CRLF' }).click();
  await expect(desktop.page.getByRole('tab', { selected: true }).filter({ hasText: 'not saved' })).toHaveCount(1);
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await typeAndSave(desktop, ';');
  await expect.poll(() => readFile(both, 'utf8')).toMatch(/^.*; one\r\n.*; two\r\n.*$/s);

  await desktop.page.getByRole('tab', { name: /latin\.lisp/ }).click();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await desktop.page.keyboard.press('Control+Home');
  await desktop.page.keyboard.insertText('; €\n');
  await desktop.page.keyboard.press('Control+s');
  const refusal = desktop.page.getByRole('alertdialog');
  await expect(refusal).toContainText('ISO 8859-1 has no “€”.');
  await refusal.getByRole('button', { name: 'Cancel' }).click();
  expect((await readFile(latin)).toString('latin1')).toBe(';; café\n');
  const { home, project } = desktop;
  await desktop.page.keyboard.press('Control+z');
  await desktop.close();

  const again = await launch({ home, project });
  await expect(again.region('Editor')).toContainText('café');
  await expect(again.region('Status bar').getByRole('button', { name: 'Encoding: ISO 8859-1' })).toBeVisible();
  await again.region('Editor').locator('.monaco-editor').first().click();
  await again.page.keyboard.press('Control+Home');
  await again.page.keyboard.insertText('; €\n');
  await again.page.keyboard.press('Control+s');
  await again.page.getByRole('button', { name: 'Save as UTF-8' }).click();
  await expect.poll(() => readFile(latin, 'utf8')).toBe('; €\n;; café\n');
  await expect(again.region('Status bar').getByRole('button', { name: 'Encoding: UTF-8', exact: true })).toBeVisible();
});

test('The file tree, going to a file by its name, and searching find what is in the folder, and follow what others write', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const src = path.join(desktop.project, 'src');
  await mkdir(src);
  await writeFile(path.join(src, 'cart-items.lisp'), '(defun total (cart)\n  (length cart))\n');
  await writeFile(path.join(src, 'shop.lisp'), '(defun receipt (cart)\n  (total cart))\n');
  await page.keyboard.press('Control+Shift+E');
  const tree = desktop.region('Files').getByRole('tree');
  await tree.getByRole('treeitem', { name: 'src' }).click();
  await expect(tree.getByRole('treeitem', { name: 'cart-items.lisp' })).toBeVisible();
  await writeFile(path.join(src, 'n\\ew.lisp'), '; new\n');
  await tree.getByRole('treeitem', { name: 'n\\ew.lisp' }).click();
  await expect(page.getByRole('tab', { name: 'n\\ew.lisp', selected: true })).toBeVisible();
  await page.screenshot({ path: 'out/playwright/files-tree.png' });
  const filter = desktop.region('Files').getByRole('searchbox');
  await filter.fill('cart-it');
  await filter.press('ArrowDown');
  await expect(tree).toBeFocused();
  await filter.press('Enter');
  await expect(page.getByRole('tab', { name: /cart-items\.lisp/, selected: true })).toBeVisible();
  await filter.press('Escape');
  await expect(filter).toHaveValue('');
  await page.keyboard.press('Control+w');
  await expect(page.getByRole('tab', { name: /cart-items\.lisp/ })).toHaveCount(0);
  const big = path.join(desktop.project, 'big');
  await mkdir(big);
  const many = Array.from({ length: 5_003 }, (_, index) => path.join(big, `${index}.txt`));
  await Promise.all(many.map((each) => writeFile(each, '')));
  await writeFile(path.join(desktop.project, 'zebra.lisp'), '; last\n');
  await expect(tree.getByRole('treeitem', { name: 'zebra.lisp' })).toBeVisible();
  await tree.getByRole('treeitem', { name: 'big' }).click();
  await expect(tree.getByRole('treeitem', { name: 'big' })).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('End');
  await expect(tree.getByRole('treeitem', { name: 'zebra.lisp' })).toBeVisible();
  await page.keyboard.press('Control+p');
  await page.keyboard.type('cit:2:4');
  await expect(page.getByRole('option', { name: /cart-items\.lisp src, line 2, column 4/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: /cart-items\.lisp/, selected: true })).toBeVisible();
  await expect(desktop.region('Status bar')).toContainText('Ln 2, Col 4');
  await writeFile(path.join(src, 'cart-items.lisp'), "(defun total (cart)\n  (count-if #'plusp cart))\n");
  await expect(desktop.region('Editor')).toContainText('count-if');
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('total');
  await page.keyboard.press('Enter');
  const found = desktop.region('Search');
  await expect(found.getByText('2 lines in 2 files')).toBeVisible();
  await expect(found.locator('mark')).toHaveText(['total', 'total']);
  await page.keyboard.press('Alt+c');
  await expect(found.getByRole('button', { name: 'Match case' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Alt+w');
  await expect(found.getByRole('button', { name: 'Whole word' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Alt+r');
  await expect(found.getByRole('button', { name: 'Regular expression' })).toHaveAttribute('aria-pressed', 'true');
  await expect(found.getByText('2 lines in 2 files')).toBeVisible();
  await page.screenshot({ path: 'out/playwright/files-search.png' });
  await page.keyboard.press('Alt+r');
  await page.keyboard.type('s');
  await page.keyboard.press('Enter');
  await expect(found.getByText('0 lines in 0 files')).toBeVisible();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(found.getByText('2 lines in 2 files')).toBeVisible();
  await found.getByRole('textbox', { name: 'Replace with' }).fill('sum');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await expect(page.getByText('Replaced 2 places in 2 texts. Nothing is saved yet.')).toBeVisible();
  // The search uses the current texts, saved or not.
  await expect(found.getByText('0 lines in 0 files')).toBeVisible();
  await found.getByRole('textbox', { name: 'Find in files' }).fill('sum');
  await page.keyboard.press('Enter');
  await expect(found.getByText('2 lines in 2 files')).toBeVisible();
  expect(await readFile(path.join(src, 'shop.lisp'), 'utf8')).toContain('(total cart)');
  await expect(page.getByRole('tab', { name: /shop\.lisp/ })).toContainText('not saved');
});

test('An unsaved text and the other text that its file got are compared line by line, in the bar and when it is saved', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(desktop, 'both.lisp', '(one)\n(two)\n(three)\n');
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('; mine\n');
  await writeFile(file, '(one)\n(two)\n(three of theirs)\n');
  await page.getByRole('button', { name: 'Compare…' }).click();
  const lines = page.getByRole('group', { name: 'Difference between the file on disk and your text' });
  await expect(lines).toContainText('added: ; mine');
  await expect(lines).toContainText('removed: (three of theirs)');
  await page.screenshot({ path: 'out/playwright/files-both-changed.png' });
  await page.getByRole('button', { name: 'Keep mine' }).last().click();
  await expect(page.getByRole('button', { name: 'Compare…' })).toBeHidden();
  await page.keyboard.press('Control+s');
  await expect(lines).toContainText('removed: (three of theirs)');
  expect(await readFile(file, 'utf8')).toBe('(one)\n(two)\n(three of theirs)\n');
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await expect.poll(() => readFile(file, 'utf8')).toBe('; mine\n(one)\n(two)\n(three)\n');
});

test('A file of 50 MB and a line of 2 MB are opened with limited features, which is said, and can be typed in [B12]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const line = `(list ${'1 '.repeat(1_000_000)})\n`;
  const wide = await opened(desktop, 'wide.lisp', line);
  await expect(page.getByText('wide.lisp is large. Colours, completion and marks are off')).toBeVisible();
  await typeAndSave(desktop, ';;');
  await expect.poll(async () => (await readFile(wide, 'utf8')).slice(0, 8)).toBe(';;(list ');
  // The status bar permanently shows which features are off. A key command that finds no form explains why.
  const limited = desktop.region('Status bar').getByRole('note', { name: /^limited features\. / });
  await expect(limited).toHaveAccessibleName(/large text is not parsed as Lisp.* Off: colours, completion/);
  await page.keyboard.press('Alt+Enter');
  await expect(page.getByText('wide.lisp is too large to parse, and no form begins in the')).toBeVisible();
  const long = await opened(desktop, 'long.lisp', '(defun a () 1)\n'.repeat(3_500_000));
  await expect(page.getByText('long.lisp is large. Colours, completion and marks are off')).toBeVisible();
  await typeAndSave(desktop, ';;');
  await expect.poll(async () => (await readFile(long, 'utf8')).slice(0, 9)).toBe(';;(defun ');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Alt+Enter');
  await expect(desktop.region('REPL').getByRole('button', { name: 'Inspect A', exact: true })).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The code has 52,500,001 characters, but at most 4,000,000')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Load the File' }).last()).toBeVisible();
  await page.screenshot({ path: 'out/playwright/large-file.png' });
});

test('Files and folders that were open lately come back by a key, also after a restart', async ({ launch }) => {
  const desktop = await launch();
  const { page, home, project } = desktop;
  await opened(desktop, 'first.lisp', '; first\n');
  await opened(desktop, 'second.lisp', '; second\n');
  const shown = page.getByRole('tablist', { name: 'Open files' }).getByRole('tab');
  // A key that opens a file while the palette is open moves the focus to the file. The palette closes, because Escape could no longer reach
  // it.
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await page.keyboard.press('Control+Shift+p');
  await expect(palette).toBeVisible();
  await desktop.openFile(path.join(project, 'first.lisp'));
  await expect(shown.and(page.getByRole('tab', { selected: true }))).toContainText('first.lisp');
  await expect(palette).toBeHidden();
  await desktop.openFile(path.join(project, 'second.lisp'));
  await expect(shown.and(page.getByRole('tab', { selected: true }))).toContainText('second.lisp');
  await page.keyboard.press('Control+w');
  await page.keyboard.press('Control+w');
  await expect(shown).toHaveCount(0);
  await page.keyboard.press('Control+Shift+T');
  await expect(shown.and(page.getByRole('tab', { selected: true }))).toContainText('first.lisp');
  await page.keyboard.press('Control+Shift+T');
  await expect(shown.and(page.getByRole('tab', { selected: true }))).toContainText('second.lisp');
  await page.keyboard.press('Control+w');
  await page.keyboard.press('Control+w');
  await expect(shown).toHaveCount(0);
  await desktop.close();

  const again = await launch({ home, project });
  await again.page.getByRole('button', { name: 'Open recent…' }).click();
  const found = again.page.getByRole('dialog', { name: 'Command palette' }).getByRole('option');
  await expect(found.first()).toContainText('first.lisp');
  await again.page.keyboard.type('second');
  await again.page.keyboard.press('Enter');
  await expect(again.page.getByRole('tab', { selected: true, name: /second\.lisp/ })).toBeVisible();
  await expect(again.region('Editor')).toContainText('; second');

  const inner = path.join(project, 'inner');
  await mkdir(inner);
  await again.page.evaluate((folder) => window.workbench.call('project.open', { path: folder }), inner);
  await expect(again.page.getByRole('button', { name: 'Project: inner' })).toBeVisible();
  await again.page.keyboard.press('Control+r');
  await expect(found.first()).toHaveText(new RegExp(`^${path.basename(project)}`));
  await again.page.keyboard.press('Enter');
  await expect(again.page.getByRole('button', { name: `Project: ${path.basename(project)}` })).toBeVisible();
});

test('In a folder that is too large to be watched every file is found by its name, and a text follows its file, also through a symbolic link', async ({
  launch,
}) => {
  const project = await mkdtemp(path.join(tmpdir(), 'large-project-'));
  try {
    await mkdir(path.join(project, 'many'));
    for (let index = 0; index < 20_100; index += 1) writeFileSync(path.join(project, 'many', `f${index}.txt`), '');
    await writeFile(path.join(project, 'target.lisp'), '(defun first-text () 1)\n');
    await symlink(path.join(project, 'target.lisp'), path.join(project, 'link.lisp'));
    const desktop = await launch({ project });
    await desktop.openFile(path.join(project, 'link.lisp'));
    const editor = desktop.region('Editor');
    await expect(editor).toContainText('first-text');
    await writeFile(path.join(project, 'target.lisp'), '(defun second-text () 2)\n');
    await expect(editor).toContainText('second-text');
    await desktop.page.keyboard.press('Control+p');
    await expect(desktop.page.getByText('20,041 more files match: type more of the name.')).toBeVisible();
    await desktop.page.keyboard.type('f20099');
    await expect(desktop.page.getByRole('option', { name: /f20099\.txt many/ })).toBeVisible();
    await desktop.page.screenshot({ path: 'out/playwright/files-many.png' });
    await desktop.close();
  } finally {
    await rm(project, { recursive: true, force: true });
  }
});
