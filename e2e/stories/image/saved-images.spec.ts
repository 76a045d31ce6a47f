import { execFile } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';
import { openReview } from '../../desktop/reviewing.ts';

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
  await expect(saving).toContainText('A name can contain only letters, digits, spaces, dots and dashes.');
  await saving.getByRole('textbox', { name: 'Name' }).fill('with counts');
  await first.page.keyboard.press('Enter');
  await expect(notice(first, 'The image was saved as “with counts”.')).toBeVisible();
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
  await expect(asked).toContainText('loses 1 definition that is not in a file');
  await asked.getByRole('button', { name: 'Open' }).click();
  await expect(notice(desktop, 'The saved image “with counts” is running.')).toBeVisible();
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
  await expect(notice(desktop, /The program .*hello was saved: [\d.]+ MB\./)).toBeVisible();
  expect((await promisify(execFile)(file)).stdout).toBe('Hello Ada\n');
  const before = statSync(file).mtimeMs;
  await choose(desktop, 'Save Image as Executable…');
  await dialog.getByRole('textbox', { name: 'File' }).fill(file);
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('The file already exists.');
  expect(statSync(file).mtimeMs).toBe(before);
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await expect(notice(desktop, /The program .*hello was saved/)).toBeVisible();
  expect((await promisify(execFile)(file, ['--noinform', '--eval', '(main)', '--quit'])).stdout).toBe('Hello Ada\n');
});

test('Both dialogs list the hooks of agents, which ask when the image is opened and are left out of executables', async ({
  launch,
}) => {
  const desktop = await launch();
  const { page } = desktop;
  await desktop.imageReady();
  const agent = await desktop.agent('codex');
  const file = path.join(desktop.project, 'by-hook');
  const code = `(progn (defun on-start () (with-open-file (s "${file}" :direction :output) (write-line "hook" s)))
                       (push 'on-start sb-ext:*init-hooks*)
                       (dolist (name '(a b c d e f)) (setf (symbol-function name) (lambda ())) (push name sb-ext:*exit-hooks*)))`;
  expect((await agent.call('evaluate-lisp', { code })).text).not.toContain('ERROR');
  await choose(desktop, 'Save Image as Executable…');
  const executable = page.getByRole('dialog', { name: 'Save as executable' });
  const row = executable
    .getByRole('list', { name: 'Hooks of agents' })
    .getByRole('listitem')
    .filter({ hasText: 'ON-START' });
  await expect(row).toContainText(/ON-START.*codex, not reviewed: called when it starts/);
  await expect(row.getByRole('radio', { name: 'Leave Out' })).toBeChecked();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  const program = path.join(desktop.project, 'program');
  await executable.getByRole('textbox', { name: 'File' }).fill(program);
  await page.keyboard.press('Enter');
  await expect(notice(desktop, /The program .*program was saved/)).toBeVisible();
  await promisify(execFile)(program, ['--noinform', '--eval', '(terpri)', '--quit']);
  expect(existsSync(file)).toBe(false);
  await choose(desktop, 'Save Image as Executable…');
  await executable.getByRole('textbox', { name: 'File' }).fill(`${program}-2`);
  await row.getByText('Keep').click();
  await executable.getByRole('button', { name: 'Save' }).click();
  await expect(notice(desktop, /The program .*program-2 was saved/)).toBeVisible();
  await promisify(execFile)(`${program}-2`, ['--noinform', '--eval', '(terpri)', '--quit']);
  expect(existsSync(file)).toBe(true);
  rmSync(file);

  await choose(desktop, 'Save Image…');
  const saving = page.getByRole('dialog', { name: 'Save the image' });
  await expect(saving.getByRole('listitem').first()).toContainText(/ON-START.*codex, not reviewed/);
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.keyboard.insertText('hooked');
  await page.keyboard.press('Enter');
  await expect(notice(desktop, 'The image was saved as “hooked”.')).toBeVisible();
  await choose(desktop, 'Open Saved Image…');
  await expect(page.getByRole('row', { name: 'hooked' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Open' }).click();
  await expect(notice(desktop, 'The saved image “hooked” is running.')).toBeVisible();
  const review = await openReview(desktop);
  await expect(review.getByText(/by-hook/).first()).toBeVisible();
  expect(existsSync(file)).toBe(false);
});
