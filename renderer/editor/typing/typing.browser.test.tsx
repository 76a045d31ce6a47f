/// <reference types="@vitest/browser-playwright" />
/** Typing Lisp in the editor. Whichever keys a person uses, the text contains exactly the typed characters. */
import { beforeEach, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import { openText, shownText } from '../../text.fixture.ts';
import { random, randomChunks, randomForm } from '../../sexp/reading/random-forms.fixture.ts';
import { openWholeWindow, press, type } from '../../window.fixture.tsx';

beforeEach(async () => {
  await openWholeWindow();
});

async function paste(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  await press('Control+v');
}

it('Closers that were put in are typed over after line breaks, in functions, strings and comments [issue 36.4]', async () => {
  await openText('¦');
  await type('(defun foo (a b)\n(when a\n(print b)\n(print a)))\n\n');
  await type('(let ((x (car y))\n(z 1))\n(f 1))\n\n');
  await type('(defmethod area ((s square))\n(* 2 2))\n\n');
  await type('(list "a ) b" #\\) #\\( ; a comment :)\n"say \\"hi\\"")');
  await expect
    .poll(shownText)
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

it('Closers are typed over after undo, paste and with several carets [issue 36.4]', async () => {
  await openText('¦\n\n');
  await press('Shift+Alt+ArrowDown');
  await type('(list (car x) ');
  await press('Escape');
  await press('Control+End');
  await type('(a (b');
  await press('Enter');
  await press('Control+z');
  await type(' c) d)');
  await press('Enter');
  await type('(e ');
  await paste('(f (g)');
  await type('))');
  // A paste and its indentation are undone in one step.
  await press('Enter');
  const before = '(list (car x) )\n(list (car x) )\n(a (b c) d)\n(e (f (g)))\n';
  await expect.poll(shownText).toBe(before);
  await paste('(when x\n(y))');
  await expect.poll(shownText).toContain('(when x\n  (y))');
  await press('Control+z');
  await expect.poll(shownText).toBe(before);
  await press('Backspace');
  await press('Enter');
  // Typing over a selection replaces it, even in an incomplete form.
  await paste('(begun (old one)');
  await press('Shift+ArrowLeft', '(old one)'.length);
  await type('(new "one")');
  await expect.poll(shownText).toBe('(list (car x) )\n(list (car x) )\n(a (b c) d)\n(e (f (g)))\n(begun (new "one")');
});

it('A closer that comes by an input method is typed over, too [issue 36.4]', async () => {
  await openText('¦');
  await type('(foo\n(bar "');
  for (const char of ['é', '"', ')', ')']) {
    await cdp().send('Input.imeSetComposition', { text: char, selectionStart: 1, selectionEnd: 1 });
    await cdp().send('Input.insertText', { text: char });
  }
  await expect.poll(shownText).toBe('(foo\n (bar "é"))');
});

it('Tab indents lines by their form, and comment keys keep the column [issue 36.4]', async () => {
  const nested = '(defun f (x)\n  (let ((y 1))\n    (when x\n          (list x\n                y))))\n';
  const right = '(defun f (x)\n  (let ((y 1))\n    (when x\n      (list x\n            y))))\n';
  await openText(`¦${nested}`);
  for (const key of ['Tab', 'Shift+Tab', 'Tab']) {
    await press('Control+a');
    await press(key);
    await expect.poll(shownText).toBe(right);
  }
  await press('Control+Home');
  await press('ArrowDown', 2);
  await press('Control+/');
  await expect.poll(shownText).toBe(right.replace('    (when x', '    ;; (when x'));
  await press('Control+/');
  await expect.poll(shownText).toBe(right);
  await press('Shift+ArrowDown');
  await press('Shift+End');
  await press('Control+/');
  await expect.poll(shownText).toBe(right.replace('    (when x\n      (list x', '    ;; (when x\n    ;;   (list x'));
});

it('Backspace deletes an empty list as a whole, also after a line break [issue 36.4]', async () => {
  await openText('¦');
  await type('(foo\n(');
  await press('Backspace');
  await type('bar "');
  await press('Backspace');
  await type('1)');
  await expect.poll(shownText).toBe('(foo\n bar 1)');
});

it('What is typed, pasted, taken back and typed anew in random pieces is what the text holds [issue 36.4]', async () => {
  const below = random(20_261_124);
  await openText('¦');
  const sources: string[] = [];
  for (let run = 0; run < 8; run += 1) {
    const source = randomForm(below, 4);
    sources.push(source);
    await press('Control+End');
    for (const { text, by } of randomChunks(below, source)) {
      await (by === 'paste' ? paste(text) : type(text));
      if (below(6) > 0) continue;
      // Undo and redo restore the exact text.
      await press('Control+z');
      await press('Control+Shift+z');
    }
    await press('Control+End');
    await type('\n');
  }
  const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();
  await expect.poll(() => squeezed(shownText())).toBe(squeezed(sources.join('\n')));
});
