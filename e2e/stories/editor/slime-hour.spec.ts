/**
 * The first hour of a person who comes from SLIME. The person writes a program of two files that uses a library, and finds and fixes a bug
 * in the program, all with SLIME's keys.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { emacs } from '../../desktop/emacs-keys.ts';
import { expect, test } from '../../desktop/fixture.ts';

const SYSTEM = `(defsystem "words" :depends-on ("cl-ppcre") :components ((:file "words")))\n`;

const WORDS = `(defpackage :words
  (:use :cl)
  (:export #:count-words))
(in-package :words)

(defmacro with-lower ((name text) &body body)
  "Run BODY with NAME bound to TEXT in small letters."
  \`(let ((,name (string-downcase ,text)))
     ,@body))

(defun split-words (text)
  "The words of TEXT."
  (cl-ppcre:split "\\s+" text))

(defun count-words (text)
  "A table of the words of TEXT with their numbers."
  (with-lower (lower text)
    (let ((counts (make-hash-table :test 'equal)))
      (dolist (word (split-words lower) counts)
        (inc (gethash word counts 0))))))
`.replace(String.raw`"\s+"`, String.raw`"\\s+"`);

test('A SLIME user loads a program, meets its bug in the debugger, mends it there and looks around, all by SLIME’s keys [issue 12]', async ({
  desktop,
}) => {
  const { page, project } = desktop;
  const file = path.join(project, 'words.lisp');
  await writeFile(path.join(project, 'words.asd'), SYSTEM);
  await writeFile(file, WORDS);
  const editor = desktop.region('Editor');
  const repl = desktop.region('REPL');

  const stopped = desktop.region('Debugger');
  const goToDebugger = async (): Promise<void> => {
    await emacs(desktop, 'M-x');
    await page.keyboard.type('>debugger: focus');
    await emacs(desktop, 'RET');
    await expect(stopped.locator(':focus')).toHaveCount(1);
  };

  // Chooses the keymap in the palette, still with the keys of VS Code.
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('>keymap slime');
  await page.keyboard.press('Enter');
  const shown = page.getByRole('button', { name: 'Command field' }).locator('kbd').first();
  await expect(shown).toHaveAttribute('data-text', 'Alt');
  await desktop.app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, file);
  await emacs(desktop, 'C-x C-f');
  await expect(page.getByRole('tab', { name: /words\.lisp/ })).toBeVisible();

  // Loads the system from the REPL. One key leads to the compiler's messages.
  await emacs(desktop, 'C-c C-z');
  await page.keyboard.type(',load-system words');
  await emacs(desktop, 'RET');
  await expect(repl).toContainText('=> T');
  // Presses the key again, because a problem from before the library was loaded may still be listed.
  await expect(async () => {
    await emacs(desktop, 'C-x `');
    await expect(desktop.region('Status bar')).toContainText('Ln 20, Col 10', { timeout: 2_000 });
  }).toPass();
  await expect(editor.getByRole('textbox')).toBeFocused();

  // A call triggers the bug. The debugger comes to the front, and its keys work.
  await emacs(desktop, 'C-c C-z');
  await page.keyboard.type('(gethash "a" (words:count-words "A b a"))');
  await emacs(desktop, 'RET');
  await expect(stopped.getByRole('heading', { name: 'The function WORDS::INC is undefined.' })).toBeVisible();
  await expect(stopped.getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await emacs(desktop, 'v');
  await expect(editor.getByRole('textbox')).toBeFocused();

  // Fixes and compiles the function, and chooses the restart that repeats the call.
  await emacs(desktop, 'M-<', 'C-s');
  await page.keyboard.type('(inc ');
  await emacs(desktop, 'RET', 'M-b', 'M-d');
  await page.keyboard.type('incf');
  await emacs(desktop, 'C-c C-c');
  await expect(editor).toContainText('compiled');
  await goToDebugger();
  await emacs(desktop, '4');
  await expect(stopped.getByText('The function WORDS::INC is undefined.')).toBeHidden();
  await emacs(desktop, 'C-c C-z');
  await expect(repl).toContainText('=> 2, T');

  // Explores: goes to a function of the library and back, and shows an expansion, callers, a trace, a value, and the documentation of a
  // name.
  await editor.getByRole('textbox').focus();
  await emacs(desktop, 'M-<', 'C-s');
  await page.keyboard.type('ppcre:spl');
  await emacs(desktop, 'RET', 'M-.');
  await expect(page.getByRole('tab', { name: /api\.lisp/ })).toBeVisible();
  await emacs(desktop, 'M-,');
  await expect(page.getByRole('tab', { name: /words\.lisp/, selected: true })).toBeVisible();
  await emacs(desktop, 'M-<', 'C-s');
  await page.keyboard.type('(with-lower (low');
  await emacs(desktop, 'RET', 'C-a', 'C-f', 'C-f', 'C-f', 'C-c RET');
  await expect(editor).toContainText('(STRING-DOWNCASE TEXT)', { ignoreCase: true });
  await emacs(desktop, 'C-x k');
  await expect(page.getByRole('tab', { name: /words\.lisp/, selected: true })).toBeVisible();
  await expect(editor.getByRole('textbox')).toBeFocused();
  await emacs(desktop, 'M-<', 'C-s');
  await page.keyboard.type('defun split-w');
  await emacs(desktop, 'RET', 'C-c C-w c');
  await expect(desktop.region('References')).toContainText(/count-words/i);
  await editor.getByRole('textbox').focus();
  await emacs(desktop, 'C-c C-t');
  await emacs(desktop, 'C-c C-z', 'M-p', 'RET');
  await expect(repl).toContainText('WORDS::SPLIT-WORDS returned');
  await page.keyboard.type('(words:count-words "x y")');
  await emacs(desktop, 'RET');
  await emacs(desktop, 'C-c I', 'RET');
  await expect(desktop.region('Inspector')).toContainText('HASH-TABLE');
  await editor.getByRole('textbox').focus();
  await emacs(desktop, 'C-c I');
  await page.keyboard.type('(list :two (split-words "x y"))');
  await emacs(desktop, 'RET');
  await expect(desktop.region('Inspector')).toContainText('(:TWO ("x" "y"))');
  await editor.getByRole('textbox').focus();
  await emacs(desktop, 'C-c C-d d');
  await expect(desktop.region('Documentation')).toContainText('The words of TEXT.');
  await emacs(desktop, 'C-x C-s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(WORDS.replace('(inc ', '(incf '));
});
