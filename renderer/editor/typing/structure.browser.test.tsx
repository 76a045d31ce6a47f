/** Editing Lisp with the window's keys: form commands, deleting without unbalancing parentheses, and indentation. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { editorRegion, openText, shownText } from '../../text.fixture.ts';
import { openWholeWindow, press, type, type FakeCore } from '../../window.fixture.tsx';

let core: FakeCore;

beforeEach(async () => {
  core = await openWholeWindow();
});

it('Forms are slurped, barfed, raised, wrapped, dragged and joined by keys, each as one step of undo [issue 36.4]', async () => {
  const start = '(when (ok x¦)\n  (print 1))\n(list a b)\n';
  await openText(start);
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
    await press(keys);
    await expect.poll(shownText, { message: keys }).toBe(text);
  }
  for (const [, text] of steps.slice(0, -1).toReversed()) {
    await press('Control+z');
    await expect.poll(shownText).toBe(text);
  }
  await press('Control+z');
  await expect.poll(shownText).toBe(original);
});

it('A command on forms works at several carets at once, and on none that it has nothing to do for [issue 36.4]', async () => {
  await openText('(f (a¦) b)\n(f (c) d)\n(f (e))\n');
  await press('Shift+Alt+ArrowDown');
  await press('Shift+Alt+ArrowDown');
  await press('Control+Shift+)');
  await expect.poll(shownText).toBe('(f (a b))\n(f (c d))\n(f (e))\n');
  await type('!');
  await expect.poll(shownText).toBe('(f (a! b))\n(f (c! d))\n(f (e!))\n');
  await press('Control+z');
  await press('Control+z');
  await expect.poll(shownText).toBe('(f (a) b)\n(f (c) d)\n(f (e))\n');
});

it('Carets go by forms, and a selection grows by them [issue 36.4]', async () => {
  await openText('(f ¦(g "a ( b") #\\( \'(h i))\n');
  await press('Alt+f');
  await press('Alt+f');
  await type('1');
  await press('Alt+d');
  await type('2 ');
  await press('Alt+u');
  await type('3 ');
  await press('Alt+n');
  await type(' 4');
  await expect.poll(shownText).toBe('(f (g "a ( b") #\\(1 3 \'(2 h i)) 4\n');
  await press('Control+Home');
  for (let at = 0; at < 5; at += 1) await press('ArrowRight');
  for (let times = 0; times < 3; times += 1) await press('Shift+Alt+ArrowRight');
  await press('Delete');
  await expect.poll(shownText).toBe("(f  #\\(1 3 '(2 h i)) 4\n");
});

it('Balanced: keys step over a parenthesis that is needed, and a closer too many leaves the list [issue 36.4]', async () => {
  await openText('(f (a "b") c)¦\n');
  for (let times = 0; times < 14; times += 1) await press('Backspace');
  await expect.poll(shownText).toBe('\n');
  await press('Control+z');
  for (let times = 0; times < 20; times += 1) await press('Control+z');
  await expect.poll(shownText).toBe('(f (a "b") c)\n');
  await press('Control+Home');
  for (let at = 0; at < 5; at += 1) await press('ArrowRight');
  await type(')1');
  await expect.poll(shownText).toBe('(f (a "b")1 c)\n');
  await press('Alt+Backspace');
  await press('Alt+Backspace');
  await expect.poll(shownText).toBe('(f (a "b" c)\n');
  await type(')');
  await expect.poll(shownText).toBe('(f (a "b") c)\n');
  // Deleting a word skips the parentheses between the caret and the word.
  await press('End');
  await press('Control+Backspace');
  await expect.poll(shownText).toBe('(f (a "b") )\n');
  await press('Home');
  await press('Control+Delete');
  await expect.poll(shownText).toBe('( (a "b") )\n');
});

it('Whole lines are deleted by the key of VS Code, cut, copied, moved and commented without the closers around them [D1, issue 36.4]', async () => {
  const whole = '(defun f (x)\n  (a x)\n  (b x))\n(c)\n';
  await openText('(defun f (x)\n  (a x)\n  (b¦ x))\n(c)\n');
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
    await press(keys);
    await expect.poll(shownText, { message: keys }).toBe(text);
    await press('Control+z');
    await expect.poll(shownText, { message: `undo of ${keys}` }).toBe(whole);
  }
  expect(await navigator.clipboard.readText()).toBe('  (b x)\n');
  // The caret has not moved; the same key turns the comment back into code.
  await press('Control+/');
  await press('Control+/');
  await expect.poll(shownText).toBe(whole);
  // Deleting a line removes all of it, unless it contains a closing parenthesis of a form that begins on an earlier line. Deleting the
  // first line of a form also removes the form's closing parenthesis.
  await press('ArrowUp');
  await press('Control+Shift+k');
  await expect.poll(shownText).toBe('(defun f (x)\n  (b x))\n(c)\n');
  await press('ArrowUp');
  await press('Control+Shift+k');
  await expect.poll(shownText).toBe('(b x)\n(c)\n');
  await press('Control+z');
  await press('Control+/');
  await expect.poll(shownText).toBe(';; (defun f (x)\n  (b x))\n(c)\n');
  await press('Control+z');
  core.choose({ structuralEditing: 'strict' });
  await press('Control+/');
  await expect.element(editorRegion().getByText(/leave unbalanced parentheses/)).toBeVisible();
  await press('ArrowDown');
  await press('Control+Shift+k');
  await expect.poll(shownText).toBe('(defun f (x))\n(c)\n');
});

it('Strict: closers that close nothing are refused with a note, and so are deletions; off: neither [issue 36.4]', async () => {
  core.choose({ structuralEditing: 'strict' });
  await openText('(f a)¦\n');
  await type(')');
  await expect.element(editorRegion().getByText('There is no open parenthesis to close here.')).toBeVisible();
  await press('Shift+ArrowLeft');
  await press('Shift+ArrowLeft');
  await press('Delete');
  await expect.element(editorRegion().getByText(/leave unbalanced parentheses/)).toBeVisible();
  await expect.poll(shownText).toBe('(f a)\n');
  await press('Home');
  await type('(');
  await expect.poll(shownText).toBe('()(f a)\n');
  // A comment never includes the closing parenthesis after the caret, and undo restores the text.
  await press('End');
  await press('ArrowLeft');
  await type(' ; why');
  await expect.poll(shownText).toBe('()(f a ; why\n     )\n');
  for (let step = 0; step < 3; step += 1) await press('Control+z');
  await expect.poll(shownText).toBe('()(f a)\n');
  core.choose({ structuralEditing: 'off' });
  await press('End');
  await press('Backspace');
  await expect.poll(shownText).toBe('()(f a\n');
});

it('A macro is indented as its body says once the page hears of it, in the package of the text [issue 36.4]', async () => {
  await openText('(in-package :cl-user)\n¦');
  await type('(my-test (a)\n1)\n\n');
  core.tell('indentation-changed', {
    packages: [
      {
        name: 'COMMON-LISP-USER',
        nicknames: ['CL-USER'],
        localNicknames: [],
        uses: ['COMMON-LISP'],
        macros: [{ name: 'my-test', external: false, pattern: [4, '&body'] }],
      },
    ],
    removedPackages: [],
  });
  await press('Control+End');
  await type('(my-test (a)\n1)');
  await expect.poll(shownText).toBe('(in-package :cl-user)\n(my-test (a)\n         1)\n\n(my-test (a)\n  1)');
});

it('A whole text is indented as one step of undo, and a form alone [issue 36.4]', async () => {
  const form = (at: number): string => `(defun f${at} (x)\n(let ((y 1))\n(list x\ny)))\n\n`;
  const right = (at: number): string => `(defun f${at} (x)\n  (let ((y 1))\n    (list x\n          y)))\n\n`;
  const numbers = Array.from({ length: 2400 }, (_, at) => at);
  const flat = numbers.map(form).join('');
  await openText(`¦${flat}`);
  await press('Alt+q');
  await expect.poll(shownText).toBe(right(0) + numbers.slice(1).map(form).join(''));
  await press('Alt+Shift+f');
  await expect.element(page.getByText('7,197 lines were indented.')).toBeVisible();
  await expect.poll(shownText).toBe(numbers.map(right).join(''));
  await press('Control+z');
  await press('Control+z');
  await expect.poll(shownText).toBe(flat);
});

it('Pasted and moved lines are indented where they come to stand; pasted ones only where that is wanted [issue 36.4]', async () => {
  await openText('(progn\n  ¦(a)\n  (when b\n    (c)))\n');
  await navigator.clipboard.writeText('(if x\n(y)\n      (z))\n');
  await press('Home');
  await press('Control+v');
  const pasted = '(progn\n  (if x\n      (y)\n      (z))\n  (a)\n  (when b\n    (c)))\n';
  await expect.poll(shownText).toBe(pasted);
  await press('Alt+ArrowDown');
  const moved = '(progn\n  (if x\n      (y)\n      (z))\n  (when b\n    (a)\n    (c)))\n';
  await expect.poll(shownText).toBe(moved);
  await press('Control+z');
  await expect.poll(shownText).toBe(pasted);
  await press('Control+Shift+Alt+ArrowDown');
  await expect.poll(shownText).toBe(pasted.replace('  (a)\n', '  (a)\n  (a)\n'));
  core.choose({ indentOnPaste: false });
  await navigator.clipboard.writeText('(u\n(v))\n');
  await press('Control+End');
  await press('Control+v');
  await expect.poll(shownText).toBe(`${pasted.replace('  (a)\n', '  (a)\n  (a)\n')}(u\n(v))\n`);
});
