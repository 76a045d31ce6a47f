import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { faultsInBothThemes } from './axe.ts';
import { expect, test, type Desktop } from './fixture.ts';

async function choose(desktop: Desktop, command: string): Promise<void> {
  await desktop.page.keyboard.press('Control+Shift+P');
  await desktop.page.keyboard.insertText(command);
  await expect(desktop.page.getByRole('option', { name: command }).first()).toBeVisible();
  await desktop.page.keyboard.press('Enter');
}

const notice = (desktop: Desktop, text: string | RegExp) => desktop.page.getByRole('status').filter({ hasText: text });

test('An image is saved under a name and goes on another day; one that cannot be opened says why', async ({
  launch,
}) => {
  const first = await launch();
  await first.imageReady();
  await first.repl('(defvar *count* (list 41 42))');
  await expect(first.region('REPL')).toContainText('*COUNT*');
  await choose(first, 'Open Saved Image…');
  const none = first.page.getByRole('dialog', { name: 'Open a saved image' });
  await expect(none).toContainText('No image is saved yet.');
  await none.getByRole('button', { name: 'Save Image…' }).click();
  const saving = first.page.getByRole('dialog', { name: 'Save the image' });
  await first.page.keyboard.insertText('../out');
  await first.page.keyboard.press('Enter');
  await expect(saving).toContainText('A name has letters, digits, blanks, dots and dashes.');
  await saving.getByRole('textbox', { name: 'Name' }).fill('with counts');
  await first.page.keyboard.press('Enter');
  await expect(notice(first, 'The image is saved as “with counts”.')).toBeVisible();
  await first.close();

  const desktop = await launch({ home: first.home, project: first.project });
  await desktop.imageReady();
  await desktop.repl('(defun only-here () 1)');
  await expect(desktop.region('REPL')).toContainText('ONLY-HERE');
  await choose(desktop, 'Open Saved Image…');
  const dialog = desktop.page.getByRole('dialog', { name: 'Open a saved image' });
  await expect(dialog.getByRole('row', { name: 'with counts' })).toBeFocused();
  await expect(dialog).toContainText(/just now|min ago/);
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await desktop.page.keyboard.press('Enter');
  const asked = desktop.page.getByRole('alertdialog', { name: 'Open “with counts”?' });
  await expect(asked).toContainText('loses 1 definition that no file has');
  await asked.getByRole('button', { name: 'Open' }).click();
  await expect(notice(desktop, 'The saved image “with counts” runs.')).toBeVisible();
  await desktop.repl("(list *count* (fboundp 'only-here))");
  await expect(desktop.region('REPL')).toContainText('((41 42) NIL)');
  await choose(desktop, 'Open Saved Image…');
  await dialog.getByRole('button', { name: 'Remove with counts' }).click();
  await expect(dialog).toContainText('No image is saved yet.');
});

test('An image is saved as an executable that runs by itself, and a file that is there is not replaced unasked', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defvar *who* "Ada") (defun main () (format t "Hello ~A~%" *who*))');
  await expect(desktop.region('REPL')).toContainText('MAIN');
  await choose(desktop, 'Save Image as Executable…');
  const dialog = page.getByRole('dialog', { name: 'Save as executable' });
  const file = path.join(desktop.project, 'hello');
  await dialog.getByRole('textbox', { name: 'File' }).fill(file);
  await dialog.getByRole('textbox', { name: 'Function (optional)' }).fill('mein');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('There is no function mein.');
  await dialog.getByRole('textbox', { name: 'Function (optional)' }).fill('main');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(notice(desktop, /The program .*hello is saved: [\d.]+ MB\./)).toBeVisible();
  expect((await promisify(execFile)(file)).stdout).toBe('Hello Ada\n');
  const before = statSync(file).mtimeMs;
  await choose(desktop, 'Save Image as Executable…');
  await dialog.getByRole('textbox', { name: 'File' }).fill(file);
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('There is such a file.');
  expect(statSync(file).mtimeMs).toBe(before);
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect(notice(desktop, /The program .*hello is saved/)).toBeVisible();
  expect((await promisify(execFile)(file, ['--noinform', '--eval', '(main)', '--quit'])).stdout).toBe('Hello Ada\n');
});
