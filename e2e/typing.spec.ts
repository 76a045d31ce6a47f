/** Typing Lisp in the editor: what is typed, with every key that a person uses, is what the file holds. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from './fixture.ts';

/** A file of the project, open and empty or with a text, the caret at its start. */
async function opened(desktop: Desktop, text = ''): Promise<string> {
  const file = path.join(desktop.project, 'typed.lisp');
  await writeFile(file, text);
  await desktop.openFile(file);
  await expect(desktop.page.getByRole('tab', { name: /typed\.lisp/ })).toBeVisible();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await desktop.page.keyboard.press('Control+Home');
  return file;
}

async function typeLines(desktop: Desktop, lines: readonly string[]): Promise<void> {
  for (const [index, line] of lines.entries()) {
    if (index > 0) await desktop.page.keyboard.press('Enter');
    await desktop.page.keyboard.type(line);
  }
}

async function saved(desktop: Desktop, file: string): Promise<string> {
  await desktop.page.keyboard.press('Control+s');
  await expect(desktop.page.getByRole('tab', { name: /typed\.lisp/ })).not.toHaveAttribute('aria-label', /not saved/);
  return readFile(file, 'utf8');
}

test('Closers that were put in are typed over after line breaks, in functions, strings and comments', async ({
  desktop,
}) => {
  const file = await opened(desktop);
  await typeLines(desktop, ['(defun foo (a b)', '(when a', '(print b)', '(print a)))', '', '']);
  await typeLines(desktop, ['(let ((x (car y))', '(z 1))', '(f 1))', '', '']);
  await typeLines(desktop, ['(defmethod area ((s square))', '(* 2 2))', '', '']);
  await typeLines(desktop, ['(list "a ) b" #\\) #\\( ; a comment :)', '"say \\"hi\\"")']);
  await expect
    .poll(() => saved(desktop, file))
    .toBe(
      [
        '(defun foo (a b)',
        '  (when a',
        '    (print b)',
        '    (print a)))',
        '',
        '(let ((x (car y))',
        '      (z 1))',
        '  (f 1))',
        '',
        '(defmethod area ((s square))',
        '  (* 2 2))',
        '',
        '(list "a ) b" #\\) #\\( ; a comment :)',
        '      "say \\"hi\\"")',
      ].join('\n'),
    );
});

test('Closers are typed over after undo, paste and with several carets', async ({ desktop }) => {
  const { page } = desktop;
  const file = await opened(desktop, '\n\n');
  await page.keyboard.press('Shift+Alt+ArrowDown');
  await page.keyboard.type('(list (car x) ');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('(a (b');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+z');
  await page.keyboard.type(' c) d)');
  await page.keyboard.press('Enter');
  await page.keyboard.type('(e ');
  await desktop.app.evaluate(({ clipboard }) => clipboard.writeText('(f (g)'));
  await page.keyboard.press('Control+v');
  await page.keyboard.type('))');
  await expect.poll(() => saved(desktop, file)).toBe('(list (car x) )\n(list (car x) )\n(a (b c) d)\n(e (f (g)))');
});

test('A closer that comes by an input method is typed over, too', async ({ desktop }) => {
  const { page } = desktop;
  const file = await opened(desktop);
  await typeLines(desktop, ['(foo', '(bar "']);
  const devtools = await page.context().newCDPSession(page);
  for (const char of ['é', '"', ')', ')']) {
    await devtools.send('Input.imeSetComposition', { text: char, selectionStart: 1, selectionEnd: 1 });
    await devtools.send('Input.insertText', { text: char });
  }
  await expect.poll(() => saved(desktop, file)).toBe('(foo\n (bar "é"))');
});

test('Tab indents lines by their form, and comment keys keep the column', async ({ desktop }) => {
  const { page } = desktop;
  const nested = '(defun f (x)\n  (let ((y 1))\n    (when x\n          (list x\n                y))))\n';
  const right = '(defun f (x)\n  (let ((y 1))\n    (when x\n      (list x\n            y))))\n';
  const file = await opened(desktop, nested);
  for (const key of ['Tab', 'Shift+Tab', 'Tab']) {
    await page.keyboard.press('Control+a');
    await page.keyboard.press(key);
    await expect.poll(() => saved(desktop, file)).toBe(right);
  }
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+/');
  await expect.poll(() => saved(desktop, file)).toBe(right.replace('    (when x', '    ;; (when x'));
  await page.keyboard.press('Control+/');
  await expect.poll(() => saved(desktop, file)).toBe(right);
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Control+/');
  await expect
    .poll(() => saved(desktop, file))
    .toBe(right.replace('    (when x\n      (list x', '    ;; (when x\n    ;;   (list x'));
});

test('Backspace deletes an empty list as a whole, also after a line break', async ({ desktop }) => {
  const { page } = desktop;
  const file = await opened(desktop);
  await typeLines(desktop, ['(foo', '(']);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('bar "');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('1)');
  await expect.poll(() => saved(desktop, file)).toBe('(foo\n bar 1)');
});
