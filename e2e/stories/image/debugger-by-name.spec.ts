/** A story about the debugger in the code of a system whose file was changed after it was loaded. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

const SPLITTER = `(defpackage :splitter (:use :cl))
(in-package :splitter)

(defun check (text)
  (list text))

(defun parts (text)
  (check text)
  (let ((at (position #\\, text)))
    (if at
        (cons (subseq text 0 at)
              (parts (subseq text (+ at 1))))
        (list text))))
`;

const debuggerOf = (desktop: Desktop): Locator => desktop.region('Debugger');
const frame = (desktop: Desktop, name: string): Locator =>
  debuggerOf(desktop).getByRole('listbox', { name: 'Frames' }).getByRole('option').filter({ hasText: name }).first();
const markedForm = async (desktop: Desktop): Promise<string> =>
  (await desktop.region('Editor').locator('.frame-form').allTextContents()).join('').replaceAll('\u00a0', ' ');

async function goToDebugger(desktop: Desktop): Promise<void> {
  await expect.poll(async () => (await desktop.snapshot()).debuggers.debuggers.length).toBeGreaterThan(0);
  await desktop.page.keyboard.press('Control+Shift+g');
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
}

async function selectFrame(desktop: Desktop, name: string): Promise<void> {
  const wanted = frame(desktop, name);
  await wanted.click();
  await expect(wanted).toHaveAttribute('aria-selected', 'true');
}

async function goToLine(desktop: Desktop, line: number): Promise<void> {
  const { page } = desktop;
  await desktop.region('Editor').locator('.view-lines').first().click();
  await page.keyboard.press('Control+g');
  await page.keyboard.insertText(String(line));
  await page.keyboard.press('Enter');
}

test('Code of a changed file is found, recompiled, stopped on a line and stepped through by name [issue 39.2]', async ({
  sharedDesktop: desktop,
}, info) => {
  const { page, project } = desktop;
  const tabs = desktop.region('Editor').getByRole('tab', { name: /splitter\.lisp/ });
  await mkdir(project, { recursive: true });
  const file = path.join(project, 'splitter.lisp');
  await writeFile(path.join(project, 'splitter.asd'), '(defsystem "splitter" :components ((:file "splitter")))\n');
  await writeFile(file, SPLITTER);
  await desktop.imageReady();
  await desktop.repl('(progn (asdf:load-asd (truename "splitter.asd")) (asdf:load-system "splitter"))');
  await expect(desktop.region('REPL')).toContainText('=> T');
  // A function above is changed in the file, and the image is not told.
  await writeFile(file, SPLITTER.replace('(list text))\n', ';; a new comment\n  (list text text))\n'));

  await desktop.repl('(splitter::parts 42)');
  await goToDebugger(desktop);
  await expect(frame(desktop, 'PARTS 42')).toContainText('splitter.lisp:10');
  // The file is not open, so the panel shows the source, and no tab opens.
  await selectFrame(desktop, 'PARTS 42');
  const source = debuggerOf(desktop).getByRole('group', { name: 'Source' });
  await expect(source.locator('mark')).toHaveText('(position #\\, text)');
  await expect(tabs).toHaveCount(0);
  await page.screenshot({ path: info.outputPath('preview.png') });
  await page.keyboard.press('v');
  await expect(tabs).toHaveCount(1);
  await expect.poll(() => markedForm(desktop)).toBe('(position #\\, text)');

  // The function is recompiled by name, and its restarted frame has all locals.
  await goToDebugger(desktop);
  await selectFrame(desktop, 'PARTS 42');
  await page.keyboard.press('l');
  await expect(debuggerOf(desktop)).toContainText('SPLITTER::PARTS is compiled for debugging');
  await page.keyboard.press('a');
  await expect.poll(async () => (await desktop.snapshot()).debuggers.debuggers.length).toBe(0);

  // F9 on a line within the definition stops there, with F10 for the next form.
  await goToLine(desktop, 12);
  await page.keyboard.press('F9');
  await expect(desktop.region('Editor').locator('.breakpoint-mark')).toHaveCount(1);
  await expect(page.getByText('PARTS stops on line 12.')).toBeVisible();
  await page.keyboard.press('Control+Backquote');
  await desktop.repl('(list :got (splitter::parts "a,b,c"))');
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'line 5 of its definition' })).toBeVisible();
  await goToDebugger(desktop);
  await expect.poll(() => markedForm(desktop)).toContain('(cons (subseq text 0 at)');
  await page.keyboard.press('F10');
  await expect.poll(async () => (await desktop.snapshot()).debuggers.debuggers[0]?.kind).toBe('step');
  await goToDebugger(desktop);
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'Next: (SUBSEQ TEXT 0 AT)' })).toBeVisible();
  await expect.poll(() => markedForm(desktop)).toBe('(subseq text 0 at)');
  await page.screenshot({ path: info.outputPath('stepped.png') });

  // A restarted frame stops at the line again.
  await selectFrame(desktop, 'PARTS "a,b,c"');
  await page.keyboard.press('r');
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'line 5 of its definition' })).toBeVisible();
  await page.keyboard.press('F5');
  // The call within the call stops too.
  await expect(frame(desktop, 'PARTS "b,c"')).toBeVisible();
  await goToLine(desktop, 12);
  await page.keyboard.press('F9');
  await expect(desktop.region('Editor').locator('.breakpoint-mark')).toHaveCount(0);
  await goToDebugger(desktop);
  await page.keyboard.press('F5');
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('(:GOT ("a" "b" "c"))');
});
