/** Restarts that ask: the interactive functions of SBCL, of a project and of libraries, answered in the debugger with the keyboard. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { faultsOf } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

const debuggerOf = (desktop: Desktop): Locator => desktop.region('Debugger');
const field = (desktop: Desktop, name: string): Locator => debuggerOf(desktop).getByRole('textbox', { name });

/** Evaluates in the REPL, and takes the restart of that name by its digit once the code waits. */
async function take(desktop: Desktop, code: string, restart: string): Promise<void> {
  await desktop.page.keyboard.press('Control+Backquote');
  await desktop.repl(code);
  const frames = debuggerOf(desktop).getByRole('listbox', { name: 'Frames' });
  await expect.poll(async () => (await desktop.snapshot()).debuggers.debuggers.length).toBe(1);
  await desktop.page.keyboard.press('Control+Shift+g');
  await expect(frames).toBeFocused();
  const button = debuggerOf(desktop).locator('[data-restarts] button').filter({ hasText: restart }).first();
  await desktop.page.keyboard.press((await button.locator('kbd').textContent())!.trim());
}

async function lastValue(desktop: Desktop, text: string | RegExp): Promise<void> {
  await expect.poll(async () => (await desktop.snapshot()).debuggers.debuggers).toEqual([]);
  await desktop.page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL').getByRole('article').last()).toContainText(text);
}

test('An unbound variable asks for a form, which the keyboard gives [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await take(desktop, '(list *no-such-variable*)', 'USE-VALUE');
  const asked = field(desktop, 'Enter a form to be evaluated:');
  await expect(asked).toBeFocused();
  // What is not complete goes on in the next line.
  await page.keyboard.type('(* 6');
  await page.keyboard.press('Enter');
  await expect(asked).toHaveValue('(* 6\n');
  await page.keyboard.type('7)');
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await lastValue(desktop, '=> (42)');
});

test('Cancel goes back to the debugger, and an error in what is answered is a level deeper [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const frames = debuggerOf(desktop).getByRole('listbox', { name: 'Frames' });
  await take(desktop, '(list (no-such-function 1))', 'USE-VALUE');
  const asked = debuggerOf(desktop).getByRole('group', { name: 'Question' }).getByRole('textbox');
  await expect(asked).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(asked).toHaveCount(0);
  await expect(frames).toBeFocused();
  await expect(debuggerOf(desktop)).not.toContainText('ABORT:');
  await page.keyboard.press('Control+Backquote');
  await page.keyboard.press('Control+Shift+g');
  const button = debuggerOf(desktop).locator('[data-restarts] button').filter({ hasText: 'USE-VALUE' }).first();
  await button.click();
  await expect(asked).toBeFocused();
  await page.keyboard.type('(error "not this")');
  await page.keyboard.press('Enter');
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'not this' })).toBeVisible();
  await page.keyboard.press('a');
  await expect(debuggerOf(desktop).getByRole('heading', { name: /NO-SUCH-FUNCTION/ })).toBeVisible();
  await expect(frames).toBeFocused();
  await button.click();
  await expect(asked).toBeFocused();
  await page.keyboard.type("'list");
  await page.keyboard.press('Enter');
  await lastValue(desktop, '((1))');
});

test('Restarts of SBCL ask: for the number in a name conflict, for another file name [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl(
    '(progn (defpackage :left (:use :cl) (:export "BOTH")) (defpackage :right (:use :cl) (:export "BOTH")) (defpackage :user-of-both (:use :cl :left)) nil)',
  );
  await expect(desktop.region('REPL')).toContainText('=> NIL');
  await take(desktop, '(use-package :right :user-of-both)', 'RESOLVE-CONFLICT');
  const asked = debuggerOf(desktop).getByRole('group', { name: 'Question' }).getByRole('textbox');
  await expect(debuggerOf(desktop).getByRole('group', { name: 'Question' })).toContainText('RIGHT:BOTH');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await lastValue(desktop, '=> T');
  // The transcript has the answer after what asked for it.
  await expect(desktop.region('REPL').getByRole('article').last()).toContainText(/2\s*=> T/);

  const file = path.join(desktop.project, 'there.txt');
  await writeFile(file, 'here it is\n');
  await take(desktop, '(with-open-file (s "/nowhere/at/all.txt") (read-line s))', 'USE-VALUE');
  await expect(asked).toBeFocused();
  await page.keyboard.type(`#p"${file}"`);
  await page.keyboard.press('Enter');
  await lastValue(desktop, 'here it is');
});

test('What a frame reads is asked below it, several values one after the other [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(list (error "stop here"))');
  await page.keyboard.press('Control+Shift+g');
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await page.keyboard.press('e');
  await page.keyboard.insertText('(list (read) (read-line))');
  await page.keyboard.press('Enter');
  await expect(field(desktop, 'The code reads a form')).toBeFocused();
  await page.keyboard.type('(a b)');
  await page.keyboard.press('Enter');
  await expect(field(desktop, 'The code reads a line')).toBeFocused();
  await page.keyboard.type('some words');
  await page.keyboard.press('Enter');
  await expect(debuggerOf(desktop).getByRole('log', { name: 'Evaluated in frames' })).toContainText(
    '((A B) "some words")',
  );
  // The next form of the frame is typed where the one before was.
  await expect(field(desktop, 'Evaluate in frame')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('q');
  await expect(debuggerOf(desktop)).toHaveCount(0);
});

test('A question says whose code asks, shows the end of its output, and loses no answer with the image [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', {
    code: `(defun order () (restart-case (error "which?") (use-one (a)
      :interactive (lambda () (dotimes (i 2000) (format *query-io* "line ~D of many~%" i))
                              (format *query-io* "Your password: ") (list (read-line *query-io*))) a)))`,
  });
  await take(desktop, '(order)', 'USE-ONE');
  const question = debuggerOf(desktop).getByRole('group', { name: 'Question' });
  const asked = question.getByRole('textbox', { name: 'Your password:' });
  await expect(asked).toBeFocused();
  await expect(question).toContainText('Code that codex defined asks. Its output:');
  await expect(question).toContainText(/[\d,]+ characters before this are only in the output/);
  const output = question.getByRole('group', { name: 'Output' });
  expect(await output.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop)).toBeLessThan(2);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.type('long thought about');
  process.kill((await desktop.snapshot()).session.pid!, 'SIGKILL');
  await expect(question).toHaveCount(0);
  await desktop.imageReady();
  await take(
    desktop,
    '(restart-case (error "x") (use-it (a) :interactive (lambda () (list (read-line))) a))',
    'USE-IT',
  );
  await expect(question).toContainText('The restart asks.');
  await expect(question.getByRole('textbox')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(question.getByRole('textbox')).toHaveValue('long thought about');
  await page.keyboard.press('Enter');
  await lastValue(desktop, '=> "long thought about"');
  await agent.close();
});

test('An exhausted stack waits with its frames, again and again [issue 11.3]', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  await desktop.repl('(defun f (n) (1+ (f n)))');
  await expect(desktop.region('REPL')).toContainText('=> F');
  for (let time = 0; time < 3; time += 1) {
    await page.keyboard.press('Control+Backquote');
    await desktop.repl('(f 1)');
    await expect.poll(async () => (await desktop.snapshot()).debuggers.debuggers.length).toBe(1);
    await page.keyboard.press('Control+Shift+g');
    await expect(debuggerOf(desktop).getByRole('heading', { name: /Control stack exhausted/ })).toBeVisible();
    await expect(debuggerOf(desktop).getByRole('option').filter({ hasText: '(F 1)' }).first()).toBeVisible();
    await page.keyboard.press('a');
    await expect(debuggerOf(desktop)).toHaveCount(0);
  }
  await page.keyboard.press('Control+Backquote');
  await desktop.repl('(+ 40 2)');
  await expect(desktop.region('REPL')).toContainText('=> 42');
});

test('An image whose process is stopped says so, and goes on when it is continued [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const state = desktop.page.getByRole('button', { name: /^Image/ });
  const { pid } = (await desktop.snapshot()).session;
  await expect(state).toContainText('idle');
  const threads = desktop.region('Threads');
  await desktop.page.getByRole('tab', { name: 'Threads' }).click();
  await expect(threads.getByRole('treeitem', { name: /of Lisp Workbench and SBCL/ })).toBeVisible();
  process.kill(pid!, 'SIGSTOP');
  try {
    await expect(state).toContainText('stopped, does not answer');
    const alert = desktop.page.getByRole('alert', { name: 'Alerts' });
    await expect(alert).toContainText('It continues when the process gets SIGCONT');
    await expect(alert.getByRole('button', { name: 'Restart' })).toBeVisible();
    await expect(threads.getByRole('status')).toContainText('Its process is stopped by a signal. This was read at');
    await state.click();
    await expect(desktop.page.getByRole('menuitem', { name: /Restart/ })).toBeVisible();
    await desktop.page.keyboard.press('Escape');
  } finally {
    process.kill(pid!, 'SIGCONT');
  }
  await expect(threads.getByRole('status')).toHaveCount(0);
  await desktop.page.getByRole('tab', { name: 'REPL' }).click();
  await expect(state).toContainText('idle');
  await expect(desktop.page.getByRole('alert', { name: 'Alerts' })).toHaveCount(0);
  await desktop.repl('(+ 40 2)');
  await expect(desktop.region('REPL')).toContainText('=> 42');
});
