/** Stories about keymaps: the chords of a SLIME user, their display, and the unchanged keys of VS Code. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { choose, emacs, keysLine } from '../../desktop/emacs-keys.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

/** Opens a file of the project, puts the caret at the `¦` in its text, and switches to SLIME's keys. */
async function opened(desktop: Desktop, drawn: string): Promise<string> {
  const file = path.join(desktop.project, 'keys.lisp');
  await writeFile(file, drawn.replace('¦', ''));
  await desktop.openFile(file);
  await expect(desktop.page.getByRole('tab', { name: /keys\.lisp/ })).toBeVisible();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await desktop.page.keyboard.press('Control+Home');
  const before = drawn.slice(0, Math.max(0, drawn.indexOf('¦'))).split('\n');
  for (let line = 1; line < before.length; line += 1) await desktop.page.keyboard.press('ArrowDown');
  for (let at = 0; at < before.at(-1)!.length; at += 1) await desktop.page.keyboard.press('ArrowRight');
  await choose(desktop, 'slime');
  return file;
}

async function saved(desktop: Desktop, file: string): Promise<string> {
  await emacs(desktop, 'C-x C-s');
  await expect(desktop.page.getByRole('tab', { name: /keys\.lisp/ })).not.toHaveAttribute('aria-label', /not saved/);
  return readFile(file, 'utf8');
}

test('A SLIME user evaluates, compiles, jumps there and back, and saves by chords, and no line is lost [B19]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const editor = desktop.region('Editor');
  const text = '(defun twice (x)\n  (* 2 x))\n\n(twice 21)\n';
  const file = await opened(desktop, text.replace('(* 2', '(*¦ 2'));
  await emacs(desktop, 'C-c C-c');
  await expect(desktop.region('Definitions')).toContainText('twice');
  await emacs(desktop, 'M->', 'C-p', 'C-e', 'C-x C-e');
  await expect(editor.locator('.view-lines')).toContainText('42');
  await emacs(desktop, 'C-a', 'C-f', 'M-.');
  await expect(page.getByText('Ln 1, Col 8')).toBeVisible();
  await emacs(desktop, 'M-,');
  await expect(page.getByText('Ln 4, Col 2')).toBeVisible();
  await emacs(desktop, 'C-M-x');
  await emacs(desktop, 'M-?');
  await expect(desktop.region('References')).toBeVisible();
  await editor.locator('.monaco-editor').first().click();
  await expect.poll(() => saved(desktop, file)).toBe(text);
  await emacs(desktop, 'C-c C-k');
  await expect(page.getByText(/Compiled keys\.lisp/)).toBeVisible();
  await emacs(desktop, 'C-c C-z');
  await expect(page.getByRole('textbox', { name: 'REPL input' })).toBeFocused();
  // A key inserts a call of the function into the REPL. Other keys make the REPL use the text's package and folder.
  const input = page.getByRole('textbox', { name: 'REPL input' });
  await editor.locator('.monaco-editor').first().click();
  await emacs(desktop, 'M-<', ...Array.from({ length: 8 }, () => 'C-f'), 'C-c C-y');
  await expect(input).toBeFocused();
  await expect(input).toHaveValue('(twice ');
  await input.fill('');
  await editor.locator('.monaco-editor').first().click();
  await emacs(desktop, 'C-c ~');
  await expect(desktop.region('REPL')).toContainText(`#P"${desktop.project}/"`);
  await emacs(desktop, 'C-c M-p');
  await expect(input).toHaveValue(',in-package ');
  await input.fill('');
  await editor.locator('.monaco-editor').first().click();
  await emacs(desktop, 'M->');
  await page.keyboard.type(';; at the end');
  await emacs(desktop, 'C-x s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(`${text};; at the end`);
  await emacs(desktop, 'C-c C-z');
  await expect(input).toBeFocused();
  // The command `other window` moves the focus to both groups of a split editor, the dock and the columns next to it, but not to a bar.
  await emacs(desktop, 'C-x 3');
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement?.closest('[data-region]')?.getAttribute('data-region') ?? 'none';
      const groups = [...document.querySelectorAll('[data-region="Editor"] .monaco-editor')];
      const group = groups.findIndex((each) => each.contains(document.activeElement));
      return group < 0 ? at : `${at} ${group + 1}`;
    });
  const way = ['Editor 2', 'REPL', 'References', 'Definitions', 'Editor 1', 'Editor 2'];
  await expect.poll(focused).toBe(way[0]);
  for (const next of way.slice(1)) {
    await emacs(desktop, 'C-x o');
    await expect.poll(focused).toBe(next);
  }
});

test('Ctrl+C Ctrl+C interrupts what the REPL evaluates into the debugger, and the keyboard goes back to its input', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  const input = page.getByRole('textbox', { name: 'REPL input' });
  await choose(desktop, 'slime');
  await input.click();
  await page.keyboard.type('(loop)');
  await emacs(desktop, 'RET');
  await expect(repl).toContainText('You are evaluating');
  await emacs(desktop, 'C-c C-c');
  await expect(desktop.region('Debugger').getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await emacs(desktop, 'q');
  await expect(repl).toContainText('Interrupted');
  await expect(input).toBeFocused();
  await input.fill('(row-major-aref x 1)');
  await emacs(desktop, 'C-a', 'C-f', 'C-c C-d d');
  await expect(desktop.region('Documentation')).toContainText('function in CL');
});

test('A keymap is chosen in Settings and in the palette, holds at once and after a restart, and the first one is unchanged [B19]', async ({
  launch,
}) => {
  const desktop = await launch();
  await desktop.imageReady();
  const { page } = desktop;
  const file = path.join(desktop.project, 'keys.lisp');
  await writeFile(file, 'one\ntwo\n');
  await desktop.openFile(file);
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+Home');
  // With the keys of VS Code, Ctrl+S saves, Ctrl+X cuts a line, and no key is the first stroke of a chord.
  await page.keyboard.press('Control+x');
  await expect(keysLine(desktop)).toHaveText('');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe('two\n');
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('radio', { name: 'SLIME' }).click({ force: true });
  await expect(settings).toContainText('Emacs with SLIME or SLY');
  await settings.getByRole('button', { name: 'Done' }).click();
  // The system's menu no longer uses Ctrl+W, Ctrl+M and similar keys.
  const closes = (): Promise<boolean> =>
    desktop.app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()!.items.some((menu) => menu.submenu?.items.some(({ role }) => role === 'close')),
    );
  await expect.poll(closes).toBe(process.platform === 'darwin');
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+Home');
  await emacs(desktop, 'C-k', 'C-k');
  await emacs(desktop, 'C-x C-s');
  await expect.poll(() => readFile(file, 'utf8')).toBe('');
  const closed = desktop.app.waitForEvent('close');
  await emacs(desktop, 'C-x C-c').catch(() => {}); // the page closes before the keys are released
  await closed;

  const again = await launch({ home: desktop.home, project: desktop.project });
  await again.imageReady();
  await again.region('Editor').locator('.monaco-editor').first().click();
  // Every key that types a character still does so, because it is not the first stroke of a chord.
  const typed = 'abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 -+*/=<>.,:!?_%&$@~^{}';
  await again.page.keyboard.type(typed);
  await expect
    .poll(async () =>
      (await again.region('Editor').locator('.view-line').first().innerText()).replaceAll('\u00a0', ' '),
    )
    .toBe(typed);
  await expect(again.region('REPL').getByRole('article')).toHaveCount(0);
  for (let undone = 0; undone < 3; undone += 1) await emacs(again, 'C-a', 'C-k');
  await emacs(again, 'C-y', 'C-x');
  await expect(keysLine(again)).toHaveText('Ctrl+X was pressed. Waiting for the next key…');
  await emacs(again, 'C-g', 'M-x');
  await again.page.keyboard.type('choose keymap');
  await again.page.keyboard.press('Enter');
  await expect(again.page.getByRole('option')).toHaveCount(3);
  await again.page.getByRole('option', { name: /Alive/ }).click();
  await expect.poll(async () => (await again.snapshot()).settings.keymap).toBe('alive');
  const shown = again.page.getByRole('button', { name: 'Command field' }).locator('kbd').first();
  await expect(shown).toHaveAttribute('data-text', 'Ctrl');
  await again.region('Editor').locator('.monaco-editor').first().click();
  await again.page.keyboard.press('Control+a');
  await again.page.keyboard.type('(* 6 7)');
  await again.page.keyboard.press('Alt+Shift+E');
  await expect(again.region('Editor').locator('.view-lines')).toContainText('42');
});

test('The native menu shows chords beside the names, and a key that is one stroke as an accelerator that it does not hear', async ({
  desktop,
}) => {
  const { page } = desktop;
  await desktop.app.evaluate(({ Menu }) => {
    const shown = globalThis as {
      menus?: string[];
      popped?: { label: string; accelerator: string; heard: boolean }[];
    };
    Menu.prototype.popup = function popup() {
      shown.menus = this.items.map(({ label }) => label);
      shown.popped = this.items.flatMap(({ submenu }) =>
        (submenu?.items ?? []).map(({ label, accelerator, registerAccelerator }) => ({
          label,
          accelerator: accelerator ?? '',
          heard: registerAccelerator,
        })),
      );
    };
  });
  const entry = async (name: string) => {
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    return desktop.app.evaluate((_electron, wanted) => {
      const { popped } = globalThis as { popped?: { label: string; accelerator: string; heard: boolean }[] };
      return popped?.find(({ label }) => label.startsWith(wanted)) ?? null;
    }, name);
  };
  expect(await entry('Save File')).toEqual({ label: 'Save File', accelerator: 'Ctrl+S', heard: false });
  const menus = await desktop.app.evaluate(() => (globalThis as { menus?: string[] }).menus);
  expect(menus?.slice(0, 3)).toEqual(['File', 'Edit', 'View']);
  expect(menus?.slice(-2)).toEqual(['Window', 'Help']);
  await choose(desktop, 'slime');
  expect(await entry('Save File')).toMatchObject({ label: 'Save File  [Ctrl+X Ctrl+S]', accelerator: '' });
  expect(await entry('Evaluate Top-Level Form')).toMatchObject({ accelerator: 'Control+Alt+X', heard: false });
  expect(await entry('Kill Region')).toBeNull();
});
