/** The keymaps: chords of a SLIME user, what is shown of them, and that the keys of VS Code are what they were. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '../main/contract/settings.ts';
import { type Desktop, expect, test } from './fixture.ts';

/** A file of the project, open, with the caret where the text has `¦`, and SLIME's keys from then on. */
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

async function choose(desktop: Desktop, keymap: Settings['keymap']): Promise<void> {
  await desktop.page.evaluate((given) => window.workbench.call('settings.change', { keymap: given }), keymap);
  // The keys that are drawn everywhere are those of the keymap.
  const shown = desktop.page.getByRole('button', { name: 'Command field' }).locator('kbd').first();
  await expect(shown).toHaveAttribute('data-text', keymap === 'slime' ? 'Alt' : 'Ctrl');
}

/** Presses keys in Emacs's notation, one stroke after the other. */
async function emacs(desktop: Desktop, ...sequences: string[]): Promise<void> {
  const names: Record<string, string> = { SPC: 'Space', RET: 'Enter', DEL: 'Backspace', '<right>': 'ArrowRight' };
  for (const stroke of sequences.flatMap((each) => each.split(' '))) {
    const [, held, name] = /^((?:[CM]-)*)(.+)$/.exec(stroke)!;
    const modifiers = held!.replaceAll('C-', 'Control+').replaceAll('M-', 'Alt+');
    const shifted = /^[A-Z?_<>%(~]$/.test(name!) ? 'Shift+' : '';
    await desktop.page.keyboard.press(`${modifiers}${shifted}${names[name!] ?? name!}`);
  }
}

async function saved(desktop: Desktop, file: string): Promise<string> {
  await emacs(desktop, 'C-x C-s');
  await expect(desktop.page.getByRole('tab', { name: /keys\.lisp/ })).not.toHaveAttribute('aria-label', /not saved/);
  return readFile(file, 'utf8');
}

const keysLine = (desktop: Desktop) => desktop.page.getByRole('status', { name: 'Keys' });

test('A SLIME user evaluates, compiles, jumps there and back, and saves by chords, and no line is lost [B19]', async ({
  desktop,
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
});

test('What is killed is yanked, joined where it was killed in a row, and earlier kills take its place', async ({
  desktop,
}) => {
  const file = await opened(desktop, 'one\ntwo\nthree¦\n');
  await emacs(desktop, 'M-<', 'C-k', 'C-k', 'C-k', 'C-k', 'C-y', 'C-y');
  await expect.poll(() => saved(desktop, file)).toBe('one\ntwo\none\ntwo\nthree\n');
  await emacs(desktop, 'M-d', 'C-y', 'C-SPC', 'M-y');
  await expect(keysLine(desktop)).toContainText('Only right after something was put in');
  await emacs(desktop, 'C-k', 'C-y', 'C-y', 'M-y');
  await expect.poll(() => saved(desktop, file)).toBe('one\ntwo\none\ntwo\nthree\nthree');
});

test('Ctrl+K keeps the parentheses of a form, and the region goes from the mark to the caret', async ({ desktop }) => {
  const { page } = desktop;
  const file = await opened(desktop, '(list ¦(a b) c)\n(second)\n');
  await emacs(desktop, 'C-k');
  await expect.poll(() => saved(desktop, file)).toBe('(list )\n(second)\n');
  await emacs(desktop, 'C-y');
  await expect.poll(() => saved(desktop, file)).toBe('(list (a b) c)\n(second)\n');
  await emacs(desktop, 'M-<', 'C-SPC', 'C-n', 'C-w');
  await expect.poll(() => saved(desktop, file)).toBe('(second)\n');
  await emacs(desktop, 'M->', 'C-y', 'M-y');
  await expect.poll(() => saved(desktop, file)).toBe('(second)\n(a b) c');
  // A region is not typed over: what is typed goes in at the caret.
  await emacs(desktop, 'M-<', 'C-SPC', 'C-M-f');
  await page.keyboard.type('!');
  await expect.poll(() => saved(desktop, file)).toBe('(second)!\n(a b) c');
  await emacs(desktop, 'C-/');
  await expect.poll(() => saved(desktop, file)).toBe('(second)\n(a b) c');
});

test('A chord that is begun is shown, an unknown one says so, and neither changes anything [B19]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const text = '(list 1)\n';
  const file = await opened(desktop, '(list¦ 1)\n');
  await emacs(desktop, 'C-x');
  await expect(keysLine(desktop)).toHaveText('Ctrl+X was pressed, waiting for the next key…');
  await emacs(desktop, 'q');
  await expect(keysLine(desktop)).toHaveText('Ctrl+X Q means nothing here.');
  await emacs(desktop, 'C-c', 'C-d');
  await expect(keysLine(desktop)).toHaveText('Ctrl+C Ctrl+D was pressed, waiting for the next key…');
  await page.keyboard.press('Escape');
  await expect(keysLine(desktop)).toHaveText('');
  await emacs(desktop, 'C-x');
  await emacs(desktop, 'C-g');
  await expect(keysLine(desktop)).toHaveText('');
  await emacs(desktop, 'C-c RET');
  await expect(keysLine(desktop)).toHaveText('Ctrl+C Enter, Expand a Macro Once: not there yet.');
  await emacs(desktop, 'C-z');
  await expect.poll(() => saved(desktop, file)).toBe(text);
  await page.keyboard.type('!');
  await expect.poll(() => saved(desktop, file)).toBe('(list! 1)\n');
  // Everywhere in the window, and in dialogs and the palette.
  await emacs(desktop, 'M-x');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await page.keyboard.type('>theme: l');
  await emacs(desktop, 'C-x', 'C-g', 'C-g');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeHidden();
  await emacs(desktop, 'C-x b');
  await expect(page.getByRole('option', { name: /keys\.lisp/ })).toBeVisible();
  await emacs(desktop, 'C-m');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeHidden();
});

test('Ctrl+S searches as one types, again for the next match, Enter stays there and Ctrl+G goes back', async ({
  desktop,
}) => {
  const { page } = desktop;
  await opened(desktop, '¦(one)\n(two one)\n(one three)\n');
  await emacs(desktop, 'C-s');
  await page.keyboard.type('one');
  await emacs(desktop, 'C-s');
  await emacs(desktop, 'RET');
  await expect(page.getByText('Ln 2, Col 9')).toBeVisible();
  await emacs(desktop, 'C-s', 'C-s', 'C-s');
  await emacs(desktop, 'C-g');
  await expect(page.getByText('Ln 2, Col 9')).toBeVisible();
  await emacs(desktop, 'M->', 'C-r');
  await page.keyboard.type('one');
  await emacs(desktop, 'RET');
  await expect(page.getByText('Ln 3, Col 2')).toBeVisible();
});

test('The REPL has Emacs’s keys, its history with Alt+P, and Ctrl+C Ctrl+C interrupts', async ({ desktop }) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  const input = page.getByRole('textbox', { name: 'REPL input' });
  await desktop.repl('(+ 20 22)');
  await expect(repl).toContainText('42');
  await choose(desktop, 'slime');
  await input.click();
  await emacs(desktop, 'M-p');
  await expect(input).toHaveValue('(+ 20 22)');
  await emacs(desktop, 'C-a', 'C-f', 'C-f', 'C-k');
  await expect(input).toHaveValue('(+');
  await emacs(desktop, 'C-a', 'C-y', 'C-e', 'C-b', 'C-d');
  await expect(input).toHaveValue(' 20 22)(');
  await emacs(desktop, 'C-x h', 'C-w');
  await expect(input).toHaveValue('');
  await page.keyboard.type('(loop)');
  await emacs(desktop, 'RET');
  await expect(repl).toContainText('You are evaluating');
  await emacs(desktop, 'C-c C-c');
  await expect(repl).toContainText('Interrupted');
  await emacs(desktop, 'C-c M-o');
  await expect(repl).not.toContainText('Interrupted');
});
