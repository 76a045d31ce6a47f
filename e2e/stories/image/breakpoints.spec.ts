/**
 * Stories about a folder's breakpoints: they remain after the image and the program have ended, and stop in the function for which they are
 * set.
 */
import { writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { faultsOf } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

const CODE = `(in-package :cl-user)

(defun inner (n)
  (+ n 1))

(defun outer (n &key (factor 2))
  (let ((m (* n factor)))
    (inner m)))
`;

const debuggerOf = (desktop: Desktop): Locator => desktop.region('Debugger');
const breakpointsOf = (desktop: Desktop): Locator =>
  debuggerOf(desktop).getByRole('list', { name: 'Breakpoints' }).getByRole('listitem');
const mark = (desktop: Desktop): Locator => desktop.region('Editor').locator('.breakpoint-mark');
const waitingMark = (desktop: Desktop): Locator => desktop.region('Editor').locator('.breakpoint-mark.waiting');
const variable = (desktop: Desktop, name: string): Locator =>
  debuggerOf(desktop)
    .getByRole('group', { name: 'Locals' })
    .locator('dl > div')
    .filter({ has: desktop.page.getByText(name, { exact: true }) })
    .locator('dd');
const selectedFrame = (desktop: Desktop): Locator =>
  debuggerOf(desktop).getByRole('listbox', { name: 'Frames' }).getByRole('option', { selected: true });
const markedForm = async (desktop: Desktop): Promise<string> =>
  (await desktop.region('Editor').locator('.frame-form').allTextContents()).join('').replaceAll('\u00a0', ' ');

/** Opens a file of the project with this text, without loading it. */
async function opened(desktop: Desktop, name: string, text: string): Promise<string> {
  const file = path.join(desktop.project, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  await desktop.openFile(file);
  await expect(desktop.region('Editor').locator('.view-lines')).toContainText('defun');
  return file;
}

async function load(desktop: Desktop, file: string): Promise<void> {
  const done = desktop.region('REPL').getByText('=> T', { exact: true });
  const before = await done.count();
  await desktop.repl(`(load "${file}")`);
  await expect(done).toHaveCount(before + 1);
}

/** Presses F9 on the first line of the last definition of the text, which has this number of lines. The line stands for the call. */
async function breakInLast(desktop: Desktop, lines = 2): Promise<void> {
  const { page } = desktop;
  await desktop
    .region('Editor')
    .locator('.view-lines')
    .click({ position: { x: 30, y: 5 } });
  await page.keyboard.press('Control+End');
  for (let line = 0; line < lines; line += 1) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('F9');
}

/** Waits until the debugger has come to the front with this message, after a form that was entered in the REPL has stopped. */
async function isInFront(desktop: Desktop, message: string | RegExp): Promise<void> {
  await expect(debuggerOf(desktop).getByRole('heading', { name: message })).toBeVisible();
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
}

async function goToDebugger(desktop: Desktop): Promise<void> {
  await desktop.page.keyboard.press('Control+Shift+G');
}

/** Asserts that OUTER has stopped with 20, and that OUTER's own frame and source are shown. Then steps and continues. */
async function stopsInOuter(desktop: Desktop): Promise<void> {
  const { page } = desktop;
  await desktop.repl('(list :got (outer 20))');
  await isInFront(desktop, 'Breakpoint: OUTER is called with 20.');
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await expect(selectedFrame(desktop)).toContainText('(OUTER 20)');
  await expect(selectedFrame(desktop)).toContainText('code.lisp:6');
  await expect(variable(desktop, 'N')).toHaveText('20');
  await expect.poll(() => markedForm(desktop)).toBe('(defun outer (n &key (factor 2))');
  await page.keyboard.press('F11');
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'Next: (* N FACTOR)' })).toBeVisible();
  await expect(selectedFrame(desktop)).toContainText('(OUTER 20 :FACTOR 2)');
  await expect(selectedFrame(desktop)).toContainText('code.lisp:7');
  await expect(variable(desktop, 'N')).toHaveText('20');
  await expect.poll(() => markedForm(desktop)).toBe('(* n factor)');
  await page.keyboard.press('F5');
  await expect(debuggerOf(desktop)).toHaveCount(0);
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL').getByRole('article').last()).toContainText('(:GOT 41)');
}

test('A breakpoint outlasts a restart of the image, waits for its function, and stops in it once it is loaded [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await opened(desktop, 'code.lisp', CODE);
  await load(desktop, file);
  await breakInLast(desktop, 3);
  await expect(mark(desktop)).toHaveCount(1);
  await expect(waitingMark(desktop)).toHaveCount(0);
  await stopsInOuter(desktop);

  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Restart Image');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: 'Restart the image?' }).getByRole('button', { name: 'Restart' }).click();
  await expect(waitingMark(desktop)).toHaveCount(1);
  await goToDebugger(desktop);
  await expect(breakpointsOf(desktop)).toHaveText(/OUTER\s*not defined yet/);
  await desktop.imageReady();
  await page.keyboard.press('Control+Backquote');
  await load(desktop, file);
  await expect(mark(desktop)).toHaveCount(1);
  await expect(waitingMark(desktop)).toHaveCount(0);
  await stopsInOuter(desktop);

  // The breakpoint also works after the image was killed, even if the evaluation that calls the function also loads the definition.
  process.kill((await desktop.snapshot()).session.pid!, 'SIGKILL');
  await expect(waitingMark(desktop)).toHaveCount(1);
  await page.keyboard.press('Control+Backquote');
  await desktop.repl(`(progn (load "${file}") (funcall (intern "OUTER") 7))`);
  await isInFront(desktop, 'Breakpoint: OUTER is called with 7.');
  await page.keyboard.press('F5');
  await expect(desktop.region('REPL').getByRole('article').last()).toContainText('=> 15');
  await mark(desktop).click();
  await expect(mark(desktop)).toHaveCount(0);
  await desktop.repl('(list :free (outer 1))');
  await expect(desktop.region('REPL').getByRole('article').last()).toContainText('(:FREE 3)');
});

test('A breakpoint outlasts the program: its system is loaded in the next run, and it stops there [issue 11.3]', async ({
  launch,
}) => {
  const first = await launch({ projectName: 'shop' });
  await first.imageReady();
  const file = await opened(
    first,
    'code.lisp',
    "(defpackage :shop (:use :cl) (:export #:total))\n(in-package :shop)\n\n(defun total (prices)\n  (reduce #'+ prices))\n",
  );
  await writeFile(path.join(first.project, 'shop.asd'), '(defsystem "shop" :components ((:file "code")))\n');
  // Nothing is loaded yet, so the breakpoint waits for its function.
  await breakInLast(first);
  await expect(waitingMark(first)).toHaveCount(1);
  await first.page.getByRole('textbox', { name: 'REPL input' }).click();
  await goToDebugger(first);
  await expect(breakpointsOf(first)).toHaveText(/SHOP::TOTAL\s*not defined yet/);
  await first.page.getByRole('textbox', { name: 'Break on condition' }).fill('shop::too-dear');
  await first.page.keyboard.press('Enter');
  await expect(breakpointsOf(first).nth(1)).toHaveText(/SHOP::TOO-DEAR\s*not defined yet/);
  await first.page.keyboard.press('Control+Backquote');
  await expect(first.region('REPL')).toBeVisible();
  await first.close();

  const second = await launch({ home: first.home, project: first.project });
  await second.imageReady();
  await expect(second.region('Editor').locator('.view-lines')).toContainText('defun');
  await expect(waitingMark(second)).toHaveCount(1);
  await second.repl('(asdf:load-system "shop")');
  await expect(second.region('REPL').getByRole('article').last()).toContainText('=>');
  await expect(waitingMark(second)).toHaveCount(0);
  await expect(mark(second)).toHaveCount(1);
  await second.repl('(list (shop:total (list 1 2 39)))');
  await isInFront(second, 'Breakpoint: SHOP:TOTAL is called with (1 2 39)');
  await expect(selectedFrame(second)).toContainText('code.lisp:4');
  await expect(variable(second, 'PRICES')).toHaveText('(1 2 39)');
  await expect.poll(() => markedForm(second)).toBe('(defun total (prices)');
  await second.page.keyboard.press('F5');
  await expect(debuggerOf(second)).toHaveCount(0);
  await goToDebugger(second);
  await expect(breakpointsOf(second).first()).toHaveText(/SHOP:TOTAL\s*when called/);
  await expect(debuggerOf(second).getByRole('button', { name: 'Go to SHOP:TOTAL' })).toBeFocused();
  await second.page.keyboard.press('Enter');
  await expect(second.region('Editor').locator('.monaco-editor.focused')).toBeVisible();
  await expect(second.region('Status bar')).toContainText('Ln 4, Col 1');

  // A breakpoint whose function is never defined can be cleared. Another folder has none of these breakpoints.
  await debuggerOf(second).getByRole('button', { name: 'Clear breakpoint SHOP::TOO-DEAR' }).click();
  await expect(breakpointsOf(second)).toHaveCount(1);
  expect(await faultsOf(second.page)).toEqual([]);
  await second.page.keyboard.press('Control+Backquote');
  await expect(second.region('REPL')).toBeVisible();
  await second.close();
  const other = await launch({ home: first.home, projectName: 'other' });
  await other.imageReady();
  expect((await other.snapshot()).breakpoints).toEqual({ functions: [], conditions: [] });
  await other.close();
  expect(file).toContain('shop');
});

test('A condition is set by the keyboard alone, stops the one call of a thousand, and outlasts the program [issue 11.3]', async ({
  launch,
}) => {
  const first = await launch({ projectName: 'pricing' });
  await first.imageReady();
  const file = await opened(first, 'code.lisp', '(in-package :cl-user)\n\n(defun price (n)\n  (* 2 n))\n');
  await load(first, file);
  const { page } = first;
  const condition = (desktop: Desktop): Locator =>
    debuggerOf(desktop).getByRole('textbox', { name: 'Condition of breakpoint PRICE' });
  const conditional = (desktop: Desktop): Locator => desktop.region('Editor').locator('.breakpoint-mark.conditional');

  // Starts to add a conditional breakpoint in the editor, and cancels it: no breakpoint is set.
  await page.keyboard.press('Control+1');
  await expect(first.region('Editor').locator('.monaco-editor.focused')).toBeVisible();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+F9');
  const added = debuggerOf(first).getByRole('textbox', { name: /^Condition of breakpoint .*PRICE$/ });
  await expect(added).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(added).toHaveCount(0);
  await expect(mark(first)).toHaveCount(0);
  await expect(first.region('Editor').locator('.monaco-editor.focused')).toBeVisible();

  // The caret is back in the text. A condition that cannot be parsed is rejected in its field.
  await page.keyboard.press('Shift+F9');
  await expect(added).toBeFocused();
  await page.keyboard.insertText('(= n 500');
  await page.keyboard.press('Enter');
  await expect(debuggerOf(first).getByRole('alert')).toHaveText(
    'The condition cannot be read. The condition is incomplete: a parenthesis or a quote is not closed.',
  );
  await expect(added).toBeFocused();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.insertText(')');
  await expect(debuggerOf(first).getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(added).toHaveCount(0);
  await expect(conditional(first)).toHaveCount(1);
  await expect(breakpointsOf(first)).toHaveText(/PRICE\s*when\s*\(= n 500\)/);
  await expect(first.region('Editor').locator('.monaco-editor.focused')).toBeVisible();

  // The condition can also be edited in the list. Afterwards the focus is back on the row.
  await goToDebugger(first);
  const pencil = debuggerOf(first).getByRole('button', { name: 'Edit condition of breakpoint PRICE' });
  while (!(await pencil.evaluate((button) => button === document.activeElement))) await page.keyboard.press('Tab');
  await page.keyboard.press('F2');
  await expect(condition(first)).toBeFocused();
  await expect(condition(first)).toHaveValue('(= n 500)');
  await page.keyboard.insertText('(= n 700)');
  await page.keyboard.press('Enter');
  await expect(pencil).toBeFocused();
  await expect(breakpointsOf(first)).toHaveText(/PRICE\s*when\s*\(= n 700\)/);
  await stopsOnce(first);
  await page.keyboard.press('Control+Backquote');
  await expect(first.region('REPL')).toBeVisible();
  await first.close();

  const second = await launch({ home: first.home, project: first.project });
  await second.imageReady();
  await expect(conditional(second)).toHaveCount(1);
  await expect(waitingMark(second)).toHaveCount(1);
  await load(second, file);
  await expect(waitingMark(second)).toHaveCount(0);
  await stopsOnce(second);

  // A condition can also be edited while a debugger is open, and an empty condition removes it. The mark has a menu for the mouse, and a
  // hover describes it.
  await conditional(second).hover();
  await expect(second.page.locator('.monaco-hover:visible')).toContainText('(= n 700) is true');
  await conditional(second).click({ button: 'right' });
  await second.page.getByRole('menuitem', { name: 'Edit Condition…' }).click();
  await expect(condition(second)).toBeFocused();
  await second.page.keyboard.press('Control+A');
  await second.page.keyboard.press('Delete');
  await second.page.keyboard.press('Enter');
  await expect(conditional(second)).toHaveCount(0);
  await expect(mark(second)).toHaveCount(1);
  await second.page.keyboard.press('Control+Backquote');
  await second.repl('(list (price 4))');
  await isInFront(second, 'Breakpoint: PRICE is called with 4.');
  await second.page.keyboard.press('F5');
  await expect(second.region('REPL').getByRole('article').last()).toContainText('(8)');
  await second.close();
});

/** Asserts that a loop of a thousand calls stops at the call with 700, and then continues the loop. */
async function stopsOnce(desktop: Desktop): Promise<void> {
  await desktop.page.keyboard.press('Control+Backquote');
  await desktop.repl('(list :sum (loop for i below 1000 sum (price i)))');
  await isInFront(desktop, 'Breakpoint: PRICE is called with 700.');
  await expect(selectedFrame(desktop)).toContainText('(PRICE 700)');
  await expect(variable(desktop, 'N')).toHaveText('700');
  await desktop.page.keyboard.press('F5');
  await expect(debuggerOf(desktop)).toHaveCount(0);
  await desktop.page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL').getByRole('article').last()).toContainText('(:SUM 999000)');
}

test('A breakpoint in a method stops in that method alone, and outlasts the image [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  const file = await opened(
    desktop,
    'methods.lisp',
    `(defun half (n)
  (/ n 2))

(defgeneric price (thing))

(defmethod price ((thing integer))
  (half thing))

(defmethod price ((thing string))
  (length thing))
`,
  );
  await load(desktop, file);
  await breakInLast(desktop);
  await expect(mark(desktop)).toHaveCount(1);
  await expect(waitingMark(desktop)).toHaveCount(0);
  // The other method runs without stopping.
  await desktop.repl('(list :whole (price 20))');
  await expect(repl).toContainText('(:WHOLE 10)');
  await desktop.repl('(list :text (price "abc"))');
  await isInFront(desktop, /is called with "abc"\./);
  await expect(selectedFrame(desktop)).toContainText(/price/i);
  await expect(variable(desktop, 'THING')).toHaveText('"abc"');
  await expect.poll(() => markedForm(desktop)).toContain('(defmethod price ((thing string)');
  await page.keyboard.press('F5');
  await expect(repl).toContainText('(:TEXT 3)');
  await goToDebugger(desktop);
  await expect(breakpointsOf(desktop)).toHaveText(/METHOD PRICE \(STRING\)/i);
  // In the next image the breakpoint waits for its method, and stops there again once the method is loaded.
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Restart Image');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: 'Restart the image?' }).getByRole('button', { name: 'Restart' }).click();
  await expect(waitingMark(desktop)).toHaveCount(1);
  await desktop.imageReady();
  await page.keyboard.press('Control+Backquote');
  await load(desktop, file);
  await expect(waitingMark(desktop)).toHaveCount(0);
  await desktop.repl('(list :again (price "abcd"))');
  await isInFront(desktop, /is called with "abcd"\./);
  await page.keyboard.press('F5');
  await expect(repl).toContainText('(:AGAIN 4)');
});

test('A breakpoint is set on a function that a macro of one’s own defines, once the image has it [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const file = await opened(
    desktop,
    'made.lisp',
    `(defmacro my-defun (name lambda-list &body body)
  \`(defun ,name ,lambda-list ,@body))

(my-defun made (z)
  (list :made z))
`,
  );
  await load(desktop, file);
  await breakInLast(desktop);
  await expect(mark(desktop)).toHaveCount(1);
  await desktop.repl('(made 5)');
  await isInFront(desktop, /is called with 5\./);
  await desktop.page.keyboard.press('F5');
  await expect(desktop.region('REPL')).toContainText('(:MADE 5)');
});
