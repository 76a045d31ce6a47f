/** Typing Lisp in the editor: what is typed, with every key that a person uses, is what the file holds. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { random, randomChunks, randomForm } from '../renderer/sexp/reading/random-forms.fixture.ts';
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
  sharedDesktop: desktop,
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

test('Closers are typed over after undo, paste and with several carets', async ({ sharedDesktop: desktop }) => {
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
  // A paste and its indentation are one step of undo.
  await page.keyboard.press('Enter');
  const before = '(list (car x) )\n(list (car x) )\n(a (b c) d)\n(e (f (g)))\n';
  await expect.poll(() => saved(desktop, file)).toBe(before);
  await desktop.app.evaluate(({ clipboard }) => clipboard.writeText('(when x\n(y))'));
  await page.keyboard.press('Control+v');
  await expect.poll(() => saved(desktop, file)).toContain('(when x\n  (y))');
  await page.keyboard.press('Control+z');
  await expect.poll(() => saved(desktop, file)).toBe(before);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  // What is typed over a selection stands in its place, also in a form that is not ended.
  await desktop.app.evaluate(({ clipboard }) => clipboard.writeText('(begun (old one)'));
  await page.keyboard.press('Control+v');
  for (let step = 0; step < '(old one)'.length; step += 1) await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.type('(new "one")');
  await expect
    .poll(() => saved(desktop, file))
    .toBe('(list (car x) )\n(list (car x) )\n(a (b c) d)\n(e (f (g)))\n(begun (new "one")');
});

test('A closer that comes by an input method is typed over, too', async ({ sharedDesktop: desktop }) => {
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

test('Tab indents lines by their form, and comment keys keep the column', async ({ sharedDesktop: desktop }) => {
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

test('Backspace deletes an empty list as a whole, also after a line break', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  const file = await opened(desktop);
  await typeLines(desktop, ['(foo', '(']);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('bar "');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('1)');
  await expect.poll(() => saved(desktop, file)).toBe('(foo\n bar 1)');
});

test('What is typed, pasted, taken back and typed anew in random pieces is what the text holds', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const below = random(20_261_124);
  const file = await opened(desktop);
  const sources: string[] = [];
  for (let run = 0; run < 12; run += 1) {
    const source = randomForm(below, 4);
    sources.push(source);
    await page.keyboard.press('Control+End');
    for (const { text, by } of randomChunks(below, source)) {
      if (by === 'paste') {
        await desktop.app.evaluate(({ clipboard }, pasted) => clipboard.writeText(pasted), text);
        await page.keyboard.press('Control+v');
      } else await typeLines(desktop, text.split('\n'));
      if (below(6) > 0) continue;
      // What is taken back comes back whole.
      await page.keyboard.press('Control+z');
      await page.keyboard.press('Control+Shift+z');
    }
    await page.keyboard.press('Control+End');
    await typeLines(desktop, ['', '']);
  }
  const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();
  await expect.poll(async () => squeezed(await saved(desktop, file))).toBe(squeezed(sources.join('\n')));
});

test('A text that is saved again while a slow disk still writes it is not taken for changed by somebody else [D1, D18]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(desktop, '(a)\n');
  await desktop.app.evaluate(() => {
    const fs = process.getBuiltinModule('node:fs');
    const { rename } = fs;
    const slowly: typeof rename = Object.assign(
      (from: Parameters<typeof rename>[0], to: Parameters<typeof rename>[1], done: Parameters<typeof rename>[2]) =>
        rename(from, to, (error) => setTimeout(() => done(error), 300)),
      { __promisify__: rename.__promisify__ },
    );
    fs.rename = slowly;
  });
  for (const char of ['1', '2', '3', '4']) {
    await page.keyboard.type(char);
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Control+s');
  }
  await expect.poll(() => readFile(file, 'utf8')).toBe('1234(a)\n');
  await expect(page.getByRole('tab', { name: /typed\.lisp/ })).not.toHaveAttribute('aria-label', /not saved/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
