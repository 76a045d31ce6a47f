/** The keymaps: chords of a SLIME user, what is shown of them, and that the keys of VS Code are what they were. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { faultsOf } from '../renderer/base/keys/key-sequences.ts';
import { choose, emacs, keysLine } from './emacs-keys.ts';
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
  // A call of the function, the package and the folder are brought from the text into the REPL.
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
  // The other window: both groups of a split editor, the dock and the columns beside it, and no bar.
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

test('What is killed is yanked, joined where it was killed in a row, and earlier kills take its place', async ({
  sharedDesktop: desktop,
}) => {
  const file = await opened(desktop, 'one\ntwo\nthree¦\n');
  await emacs(desktop, 'M-<', 'C-k', 'C-k', 'C-k', 'C-k', 'C-y', 'C-y');
  await expect.poll(() => saved(desktop, file)).toBe('one\ntwo\none\ntwo\nthree\n');
  // Text that another program has copied since is yanked from the clipboard.
  await desktop.app.evaluate(({ clipboard }) => clipboard.writeText('from elsewhere'));
  await desktop.page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await emacs(desktop, 'C-y');
  await expect(desktop.region('Editor').locator('.view-lines')).toContainText('from elsewherethree');
  await emacs(desktop, 'C-/');
  await expect(desktop.region('Editor').locator('.view-lines')).not.toContainText('from elsewhere');
  await emacs(desktop, 'M-d', 'C-y', 'C-SPC', 'M-y');
  await expect(keysLine(desktop)).toContainText('Only right after something was put in');
  await emacs(desktop, 'C-k', 'C-y', 'C-y', 'M-y');
  await expect.poll(() => saved(desktop, file)).toBe('one\ntwo\none\ntwo\nthree\nthree');
});

test('A word is killed without the parentheses and quotes on the way to it', async ({ sharedDesktop: desktop }) => {
  const file = await opened(desktop, '¦(list "some words" (a b))\n');
  await emacs(desktop, 'M-d');
  await expect.poll(() => saved(desktop, file)).toBe('( "some words" (a b))\n');
  await emacs(desktop, 'M-d');
  await expect.poll(() => saved(desktop, file)).toBe('( " words" (a b))\n');
  await emacs(desktop, 'C-e', 'M-DEL');
  await expect.poll(() => saved(desktop, file)).toBe('( " words" (a ))\n');
  await emacs(desktop, 'C-y');
  await expect.poll(() => saved(desktop, file)).toBe('( " words" (a b))\n');
});

test('Ctrl+K keeps the parentheses of a form, and the region goes from the mark to the caret', async ({
  sharedDesktop: desktop,
}) => {
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
  // The next key as an argument: the text up to a character is killed, and a parenthesis is put in without its partner.
  await emacs(desktop, 'M->', 'C-a', 'M-z');
  await expect(keysLine(desktop)).toHaveText('Kill to the character that comes next…');
  await page.keyboard.press(')');
  await expect.poll(() => saved(desktop, file)).toBe('(second)\n c');
  await emacs(desktop, 'M-z', 'C-g', 'M-z');
  await page.keyboard.press('~');
  await expect(keysLine(desktop)).toHaveText('There is no ~ from here on.');
  await emacs(desktop, 'C-q');
  await page.keyboard.press('(');
  await expect.poll(() => saved(desktop, file)).toBe('(second)\n( c');
});

test('A chord that is begun is shown, an unknown one says so, and neither changes anything [B19]', async ({
  sharedDesktop: desktop,
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
  await emacs(desktop, 'C-u C-c C-c');
  await expect(desktop.region('REPL')).toContainText('; compile');
  await expect(desktop.region('REPL')).toContainText('Compiled');
  await emacs(desktop, 'C-c C-o');
  await expect(desktop.region('REPL')).toContainText('Output cleared.');
  await emacs(desktop, 'C-c M-k');
  await expect(page.getByText('Compiled keys.lisp without loading it: 0 definitions.')).toBeVisible();
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
  sharedDesktop: desktop,
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

test('The REPL has Emacs’s keys, its history with Alt+P, and Ctrl+C Ctrl+C interrupts into the debugger', async ({
  sharedDesktop: desktop,
}) => {
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
  await emacs(desktop, 'C-r');
  const search = page.getByRole('textbox', { name: 'Search the history' });
  await expect(search).toBeFocused();
  await page.keyboard.type('2');
  await emacs(desktop, 'C-r', 'C-s', 'C-a', 'C-k');
  await expect(search).toHaveValue('');
  await emacs(desktop, 'C-g');
  await expect(input).toBeFocused();
  await page.keyboard.type('(loop)');
  await emacs(desktop, 'RET');
  await expect(repl).toContainText('You are evaluating');
  await emacs(desktop, 'C-c C-c');
  await expect(desktop.region('Debugger').getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await emacs(desktop, 'q');
  await expect(repl).toContainText('Interrupted');
  await expect(input).toBeFocused();
  await emacs(desktop, 'C-c M-o');
  await expect(repl).not.toContainText('Interrupted');
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
  // The keys of VS Code: Ctrl+S saves, Ctrl+X cuts a line, and nothing waits for another key.
  await page.keyboard.press('Control+x');
  await expect(keysLine(desktop)).toHaveText('');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe('two\n');
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('radio', { name: 'SLIME' }).click({ force: true });
  await expect(settings).toContainText('Emacs with SLIME or SLY');
  await settings.getByRole('button', { name: 'Done' }).click();
  // The system's menu lets go of Ctrl+W, Ctrl+M and the like.
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
  await emacs(desktop, 'C-x C-c').catch(() => {}); // the page is gone before the keys are let go
  await closed;

  const again = await launch({ home: desktop.home, project: desktop.project });
  await again.imageReady();
  await again.region('Editor').locator('.monaco-editor').first().click();
  // Every key that types does so: no chord has lost its first stroke.
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
  await expect(keysLine(again)).toHaveText('Ctrl+X was pressed, waiting for the next key…');
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

test('F1 lists the keys of the chosen keymap, found by name, by Emacs’s notation and by pressing them [B19]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const help = page.getByRole('dialog', { name: 'Keys and commands' });
  const group = (name: string) => help.getByRole('region', { name, exact: true });
  await page.keyboard.press('F1');
  await expect(group('File')).toContainText('Save FileCtrlS');
  await expect(group('Of the editor itself')).toContainText('CtrlC');
  await page.keyboard.press('Escape');
  await choose(desktop, 'slime');
  await page.keyboard.press('F1');
  await expect(group('File')).toContainText('Save FileCtrlXCtrlS');
  await expect(group('Not there yet')).toBeHidden();
  await expect(group('In the debugger, while it has the focus')).toContainText('Restart Frame');
  const field = help.getByRole('searchbox', { name: 'Find a command or its keys' });
  await field.fill('C-x C-e');
  await expect(help.locator('dt')).toContainText(['Evaluate Form']);
  await field.fill('slurp form forward');
  await expect(help.locator('dt')).toContainText(['Slurp Form Forward']);
  await help.getByRole('button', { name: 'Press keys' }).click();
  await emacs(desktop, 'C-x');
  await expect(help.getByRole('status')).toHaveText('Pressed: Ctrl+X');
  await emacs(desktop, 'C-s');
  await expect(help.locator('dt')).toHaveText(['Save File']);
  await emacs(desktop, 'C-c', 'C-x', 'F12');
  await expect(help).toContainText('These keys mean nothing in this keymap.');
  await page.keyboard.press('Escape');
  await expect(help.getByRole('status')).toHaveText('Keymap: SLIME');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
});

test('No keymap has keys that mean two things in one place, or a command whose keys begin others [B19]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  for (const keymap of ['vscode', 'alive', 'slime'] as const) {
    await choose(desktop, keymap);
    await page.keyboard.press('F1');
    const help = page.getByRole('dialog', { name: 'Keys and commands' });
    const commands = help.locator('section:not([aria-label*="focus"]):not([aria-label="Of the editor itself"])');
    const listed = await commands.locator('dd [data-keys]').evaluateAll((all) =>
      all.map((each) => ({
        keys: each.getAttribute('data-keys')!,
        in: each.getAttribute('data-place'),
        command: each.closest('dd')!.previousElementSibling!.textContent,
      })),
    );
    expect(listed.length, keymap).toBeGreaterThan(60);
    expect(faultsOf(listed), keymap).toEqual([]);
    await page.keyboard.press('Escape');
  }
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

test('The mark is exchanged with the caret, gone back to, and motions and forms extend its region', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(desktop, '¦(alpha (beta) gamma)\n(delta)\n');
  await emacs(desktop, 'C-M-d', 'C-SPC', 'M-f', 'C-x C-x');
  await expect(page.getByText('Ln 1, Col 2')).toBeVisible();
  await emacs(desktop, 'M-w', 'M->');
  await emacs(desktop, 'C-y', 'C-u C-SPC', 'C-u C-SPC');
  await emacs(desktop, 'C-x C-s');
  await expect.poll(() => readFile(file, 'utf8')).toBe('(alpha (beta) gamma)\n(delta)\nalpha');
  // Arrows extend the region, too, and a form behind the mark joins it.
  await emacs(desktop, 'M-<', 'C-SPC', '<right>', 'C-w');
  await emacs(desktop, 'C-x C-s');
  await expect.poll(() => readFile(file, 'utf8')).toBe('alpha (beta) gamma)\n(delta)\nalpha');
  await emacs(desktop, 'C-/', 'M-<', 'C-M-SPC', 'C-M-SPC', 'M-w', 'C-M-a', 'C-M-k');
  await emacs(desktop, 'C-x C-s');
  await expect.poll(() => readFile(file, 'utf8')).toBe('\n(delta)\nalpha');
  await emacs(desktop, 'C-y', 'M-y');
  await emacs(desktop, 'C-x C-s');
  await expect.poll(() => readFile(file, 'utf8')).toBe('(alpha (beta) gamma)\n(delta)\n(delta)\nalpha');
  // Words: at the end of the text the one before the caret, then capitals.
  await emacs(desktop, 'M->', 'M-b', 'M-u', 'C-x C-s');
  await expect.poll(() => readFile(file, 'utf8')).toBe('(alpha (beta) gamma)\n(delta)\n(delta)\nALPHA');
});
