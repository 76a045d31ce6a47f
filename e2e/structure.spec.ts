/** Editing Lisp by its forms, guarded deleting, and indentation by commands and by what the image knows. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '../main/contract/settings.ts';
import { type Desktop, expect, test } from './fixture.ts';

/** A file of the project, open, with the caret where the text has `¦`. */
async function opened(desktop: Desktop, drawn: string): Promise<string> {
  const file = path.join(desktop.project, 'formed.lisp');
  const text = drawn.replace('¦', '');
  await writeFile(file, text);
  await desktop.openFile(file);
  await expect(desktop.page.getByRole('tab', { name: /formed\.lisp/ })).toBeVisible();
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await desktop.page.keyboard.press('Control+Home');
  const before = drawn.slice(0, Math.max(0, drawn.indexOf('¦'))).split('\n');
  for (let line = 1; line < before.length; line += 1) await desktop.page.keyboard.press('ArrowDown');
  for (let at = 0; at < before.at(-1)!.length; at += 1) await desktop.page.keyboard.press('ArrowRight');
  return file;
}

async function saved(desktop: Desktop, file: string): Promise<string> {
  await desktop.page.keyboard.press('Control+s');
  await expect(desktop.page.getByRole('tab', { name: /formed\.lisp/ })).not.toHaveAttribute('aria-label', /not saved/);
  return readFile(file, 'utf8');
}

/** Changes settings, and waits until the window has heard of that. */
async function choose(desktop: Desktop, part: Partial<Settings>): Promise<void> {
  await desktop.page.evaluate(async (given) => {
    const heard = Promise.withResolvers<void>();
    const stop = window.workbench.on('settings-changed', () => heard.resolve());
    await window.workbench.call('settings.change', given);
    await heard.promise;
    stop();
  }, part);
}

test('Forms are slurped, barfed, raised, wrapped, dragged and joined by keys, each as one step of undo', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const start = '(when (ok x¦)\n  (print 1))\n(list a b)\n';
  const file = await opened(desktop, start);
  const original = start.replace('¦', '');
  const steps: [keys: string, text: string][] = [
    ['Control+Shift+)', '(when (ok x\n          (print 1)))\n(list a b)\n'],
    ['Alt+Shift+)', original],
    ['Alt+Shift+(', '(when (ok (x))\n  (print 1))\n(list a b)\n'],
    ['Alt+r', '(when (ok x)\n  (print 1))\n(list a b)\n'],
    ['Alt+s', '(when ok x\n  (print 1))\n(list a b)\n'],
    ['Alt+t', '(when x ok\n  (print 1))\n(list a b)\n'],
    ['Alt+Shift+N', '(when x (print 1)\n      ok)\n(list a b)\n'],
  ];
  for (const [keys, text] of steps) {
    await page.keyboard.press(keys);
    await expect.poll(() => saved(desktop, file), keys).toBe(text);
  }
  for (const [, text] of steps.slice(0, -1).toReversed()) {
    await page.keyboard.press('Control+z');
    await expect.poll(() => saved(desktop, file)).toBe(text);
  }
  await page.keyboard.press('Control+z');
  await expect.poll(() => saved(desktop, file)).toBe(original);
});

test('A command on forms works at several carets at once, and on none that it has nothing to do for', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(desktop, '(f (a¦) b)\n(f (c) d)\n(f (e))\n');
  await page.keyboard.press('Shift+Alt+ArrowDown');
  await page.keyboard.press('Shift+Alt+ArrowDown');
  await page.keyboard.press('Control+Shift+)');
  await expect.poll(() => saved(desktop, file)).toBe('(f (a b))\n(f (c d))\n(f (e))\n');
  await page.keyboard.type('!');
  await expect.poll(() => saved(desktop, file)).toBe('(f (a! b))\n(f (c! d))\n(f (e!))\n');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => saved(desktop, file)).toBe('(f (a) b)\n(f (c) d)\n(f (e))\n');
});

test('Carets go by forms, and a selection grows by them', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  const file = await opened(desktop, '(f ¦(g "a ( b") #\\( \'(h i))\n');
  await page.keyboard.press('Alt+f');
  await page.keyboard.press('Alt+f');
  await page.keyboard.type('1');
  await page.keyboard.press('Alt+d');
  await page.keyboard.type('2 ');
  await page.keyboard.press('Alt+u');
  await page.keyboard.type('3 ');
  await page.keyboard.press('Alt+n');
  await page.keyboard.type(' 4');
  await expect.poll(() => saved(desktop, file)).toBe('(f (g "a ( b") #\\(1 3 \'(2 h i)) 4\n');
  await page.keyboard.press('Control+Home');
  for (let at = 0; at < 5; at += 1) await page.keyboard.press('ArrowRight');
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Shift+Alt+ArrowRight');
  await page.keyboard.press('Delete');
  await expect.poll(() => saved(desktop, file)).toBe("(f  #\\(1 3 '(2 h i)) 4\n");
});

test('Balanced: keys step over a parenthesis that is needed, and a closer too many leaves the list', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(desktop, '(f (a "b") c)¦\n');
  for (let times = 0; times < 14; times += 1) await page.keyboard.press('Backspace');
  await expect.poll(() => saved(desktop, file)).toBe('\n');
  await page.keyboard.press('Control+z');
  for (let times = 0; times < 20; times += 1) await page.keyboard.press('Control+z');
  await expect.poll(() => saved(desktop, file)).toBe('(f (a "b") c)\n');
  await page.keyboard.press('Control+Home');
  for (let at = 0; at < 5; at += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.type(')1');
  await expect.poll(() => saved(desktop, file)).toBe('(f (a "b")1 c)\n');
  await page.keyboard.press('Alt+Backspace');
  await page.keyboard.press('Alt+Backspace');
  await expect.poll(() => saved(desktop, file)).toBe('(f (a "b" c)\n');
  await page.keyboard.type(')');
  await expect.poll(() => saved(desktop, file)).toBe('(f (a "b") c)\n');
  // A word is deleted past the parentheses beside the caret.
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Backspace');
  await expect.poll(() => saved(desktop, file)).toBe('(f (a "b") )\n');
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+Delete');
  await expect.poll(() => saved(desktop, file)).toBe('( (a "b") )\n');
});

test('Whole lines are deleted by the key of VS Code, cut, copied, moved and commented without the closers around them [D1]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const whole = '(defun f (x)\n  (a x)\n  (b x))\n(c)\n';
  const file = await opened(desktop, '(defun f (x)\n  (a x)\n  (b¦ x))\n(c)\n');
  const without = '(defun f (x)\n  (a x))\n(c)\n';
  const steps: [keys: string, text: string][] = [
    ['Control+Shift+k', without],
    ['Control+x', without],
    ['Control+/', '(defun f (x)\n  (a x)\n  ;; (b x)\n  )\n(c)\n'],
    ['Control+Shift+Alt+ArrowDown', '(defun f (x)\n  (a x)\n  (b x)\n  (b x))\n(c)\n'],
    ['Alt+ArrowUp', '(defun f (x)\n  (b x)\n  (a x))\n(c)\n'],
    ['Alt+ArrowDown', '(defun f (x)\n  (a x))\n(c)\n(b x)\n'],
  ];
  for (const [keys, text] of steps) {
    await page.keyboard.press(keys);
    await expect.poll(() => saved(desktop, file), keys).toBe(text);
    await page.keyboard.press('Control+z');
    await expect.poll(() => saved(desktop, file), `undo of ${keys}`).toBe(whole);
  }
  expect(await desktop.app.evaluate(({ clipboard }) => clipboard.readText())).toBe('  (b x)\n');
  // The caret is where it was: what is commented is code again by the same key.
  await page.keyboard.press('Control+/');
  await page.keyboard.press('Control+/');
  await expect.poll(() => saved(desktop, file)).toBe(whole);
  // A line that closes nothing else goes as it is; the first one of a form takes its closer along.
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Control+Shift+k');
  await expect.poll(() => saved(desktop, file)).toBe('(defun f (x)\n  (b x))\n(c)\n');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Control+Shift+k');
  await expect.poll(() => saved(desktop, file)).toBe('(b x)\n(c)\n');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+/');
  await expect.poll(() => saved(desktop, file)).toBe(';; (defun f (x)\n  (b x))\n(c)\n');
  await page.keyboard.press('Control+z');
  await choose(desktop, { structuralEditing: 'strict' });
  await page.keyboard.press('Control+/');
  await expect(desktop.region('Editor').getByText(/leave a form without its parenthesis/)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Shift+k');
  await expect.poll(() => saved(desktop, file)).toBe('(defun f (x))\n(c)\n');
});

test('Strict: closers that close nothing are refused with a note, and so are deletions; off: neither', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await choose(desktop, { structuralEditing: 'strict' });
  const file = await opened(desktop, '(f a)¦\n');
  await page.keyboard.type(')');
  await expect(desktop.region('Editor').getByText('This parenthesis would close nothing.')).toBeVisible();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Delete');
  await expect(desktop.region('Editor').getByText(/leave a form without its parenthesis/)).toBeVisible();
  await expect.poll(() => saved(desktop, file)).toBe('(f a)\n');
  await page.keyboard.press('Home');
  await page.keyboard.type('(');
  await expect.poll(() => saved(desktop, file)).toBe('()(f a)\n');
  // A comment takes no parenthesis along, and is one step of undo.
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(' ; why');
  await expect.poll(() => saved(desktop, file)).toBe('()(f a ; why\n     )\n');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Control+z');
  await expect.poll(() => saved(desktop, file)).toBe('()(f a)\n');
  await choose(desktop, { structuralEditing: 'off' });
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await expect.poll(() => saved(desktop, file)).toBe('()(f a\n');
});

test('A macro is indented as its body says once it is in the image, in the package of the text', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(desktop, '(in-package :cl-user)\n¦');
  await page.keyboard.type('(my-test (a)\n1)\n\n');
  await desktop.repl('(defmacro my-test (names &body body) (list* names body))');
  await expect
    .poll(async () =>
      (await desktop.snapshot()).indentation.some(({ macros }) => macros.some((m) => m.name === 'my-test')),
    )
    .toBe(true);
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('(my-test (a)\n1)');
  await expect
    .poll(() => saved(desktop, file))
    .toBe('(in-package :cl-user)\n(my-test (a)\n         1)\n\n(my-test (a)\n  1)');
});

test('A whole text is indented as one step of undo, and a form alone', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  const form = (at: number): string => `(defun f${at} (x)\n(let ((y 1))\n(list x\ny)))\n\n`;
  const right = (at: number): string => `(defun f${at} (x)\n  (let ((y 1))\n    (list x\n          y)))\n\n`;
  const numbers = Array.from({ length: 2400 }, (_, at) => at);
  const flat = numbers.map(form).join('');
  const file = await opened(desktop, `¦${flat}`);
  await page.keyboard.press('Alt+q');
  await expect.poll(() => saved(desktop, file)).toBe(right(0) + numbers.slice(1).map(form).join(''));
  await page.keyboard.press('Alt+Shift+f');
  await expect(page.getByText('7,197 lines were indented.')).toBeVisible();
  await expect.poll(() => saved(desktop, file)).toBe(numbers.map(right).join(''));
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => saved(desktop, file)).toBe(flat);
});

test('Pasted and moved lines are indented where they come to stand; pasted ones only where that is wanted', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(desktop, '(progn\n  ¦(a)\n  (when b\n    (c)))\n');
  await desktop.app.evaluate(({ clipboard }) => clipboard.writeText('(if x\n(y)\n      (z))\n'));
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+v');
  const pasted = '(progn\n  (if x\n      (y)\n      (z))\n  (a)\n  (when b\n    (c)))\n';
  await expect.poll(() => saved(desktop, file)).toBe(pasted);
  await page.keyboard.press('Alt+ArrowDown');
  const moved = '(progn\n  (if x\n      (y)\n      (z))\n  (when b\n    (a)\n    (c)))\n';
  await expect.poll(() => saved(desktop, file)).toBe(moved);
  await page.keyboard.press('Control+z');
  await expect.poll(() => saved(desktop, file)).toBe(pasted);
  await page.keyboard.press('Control+Shift+Alt+ArrowDown');
  await expect.poll(() => saved(desktop, file)).toBe(pasted.replace('  (a)\n', '  (a)\n  (a)\n'));
  await choose(desktop, { indentOnPaste: false });
  await desktop.app.evaluate(({ clipboard }) => clipboard.writeText('(u\n(v))\n'));
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+v');
  await expect.poll(() => saved(desktop, file)).toBe(`${pasted.replace('  (a)\n', '  (a)\n  (a)\n')}(u\n(v))\n`);
});
