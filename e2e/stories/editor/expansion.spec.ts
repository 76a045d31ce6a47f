/** Macros expanded in the editor, step by step. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

async function opened(desktop: Desktop, text: string): Promise<void> {
  const file = path.join(desktop.project, 'macros.lisp');
  await writeFile(file, text);
  await desktop.openFile(file);
  await expect(desktop.page.getByRole('tab', { name: /macros\.lisp/, selected: true })).toBeVisible();
  await desktop.page.keyboard.press('Control+1');
}

async function goTo({ page }: Desktop, place: string): Promise<void> {
  await page.keyboard.press('Control+g');
  await page.keyboard.type(place);
  await page.keyboard.press('Enter');
}

test('A macro is expanded as a text of its own, further forms in their place, and each step is taken back', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defmacro twice (form) `(progn ,form ,form))');
  await expect(desktop.region('REPL')).toContainText('TWICE');
  // The form at the caret of the REPL is expanded, too.
  await page.getByRole('textbox', { name: 'REPL input' }).click();
  await page.keyboard.type('(twice (setf *x* 1');
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Alt+m');
  await expect(desktop.region('Editor').locator('.view-lines')).toContainText(
    /\(progn\s\(setf\s\*x\*\s1\)\s\(setf\s\*x\*\s1\)\)/,
  );
  await page.keyboard.press('Control+w');
  await page.getByRole('textbox', { name: 'REPL input' }).fill('');
  await opened(desktop, '(in-package #:cl-user)\n\n(defun f (x)\n  (twice (when x (twice (print x)))))\n');
  await goTo(desktop, '4:5');
  await page.keyboard.press('Control+Alt+m');
  await expect(page.getByRole('tab', { name: /expansion of twice/, selected: true })).toBeVisible();
  const editor = desktop.region('Editor');
  const bar = editor.getByRole('group', { name: 'Expansion' });
  await expect(bar).toContainText('Expansion in CL-USER');
  const text = (): Promise<string> =>
    editor
      .locator('.view-lines')
      .first()
      .innerText()
      .then((shown) => shown.replaceAll(/\s+/g, ' ').trim());
  await expect.poll(text).toBe('(progn (when x (twice (print x))) (when x (twice (print x))))');
  await page.screenshot({ path: 'out/playwright/expansion.png' });

  // The first of the two, in its place, then the form within it.
  await goTo(desktop, '1:8');
  await page.keyboard.press('Control+Alt+m');
  await expect.poll(text).toBe('(progn (if x (twice (print x))) (when x (twice (print x))))');
  await bar.getByRole('button', { name: 'Expand all in it' }).click();
  await expect.poll(text).toBe('(progn (if x (progn (print x) (print x))) (when x (twice (print x))))');
  await expect(bar).toContainText('3 steps');
  await page.keyboard.press('Control+Alt+Backspace');
  await bar.getByRole('button', { name: 'Take back' }).click();
  await expect.poll(text).toBe('(progn (when x (twice (print x))) (when x (twice (print x))))');

  // Closed, it leads back to the form, of which an inner one is expanded by itself.
  await page.keyboard.press('Control+w');
  // The text that is shown then has the keyboard.
  await expect(editor.locator('.monaco-editor.focused')).toHaveCount(1);
  await expect(page.getByRole('tab', { name: /macros\.lisp/, selected: true })).toBeVisible();
  await goTo(desktop, '4:11');
  await page.keyboard.press('Control+Alt+Shift+M');
  await expect(page.getByRole('tab', { name: /expansion of when/, selected: true })).toBeVisible();
  await expect.poll(text).toBe('(if x (progn (print x) (print x)))');
});

test('A form that is no macro call, and a macro that fails, say so', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  await desktop.repl('(defmacro bad (x) (error "No ~S here." x))');
  await expect(desktop.region('REPL')).toContainText('BAD');
  await opened(desktop, '(list 1 2)\n(bad 7)\n');
  await goTo(desktop, '1:3');
  await page.keyboard.press('Control+Alt+m');
  await expect(page.getByText('This form is not a macro call.')).toBeVisible();
  await goTo(desktop, '2:3');
  await page.keyboard.press('Control+Alt+m');
  await expect(page.getByText(/No 7 here/).first()).toBeVisible();
  await expect(page.getByRole('tab', { name: /expansion/ })).toHaveCount(0);
});
