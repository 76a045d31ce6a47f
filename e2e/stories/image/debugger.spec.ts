/** Stories about the person's debugger: errors in real code in a real image. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';
import { approve, button, press } from '../../desktop/reviewing.ts';

const LINES = `(defun line-total (line)
  (* (car line) (cdr line)))

(defun total (lines)
  (let ((sum 0))
    (dolist (line lines sum)
      (incf sum (line-total line)))))
`;

const debuggerOf = (desktop: Desktop): Locator => desktop.region('Debugger');
const frame = (desktop: Desktop, name: string): Locator =>
  debuggerOf(desktop).getByRole('listbox', { name: 'Frames' }).getByRole('option').filter({ hasText: name });
const variable = (desktop: Desktop, name: string): Locator =>
  debuggerOf(desktop)
    .getByRole('group', { name: 'Locals' })
    .locator('dl > div')
    .filter({ has: desktop.page.getByText(name, { exact: true }) })
    .locator('dd');

/** Opens a file with this text, and loads it. */
async function loaded(desktop: Desktop, text: string): Promise<string> {
  const file = path.join(desktop.project, 'lines.lisp');
  await writeFile(file, text);
  await desktop.openFile(file);
  await expect(desktop.region('Editor').locator('.view-lines')).toContainText('defun');
  await desktop.repl(`(load "${file}")`);
  await expect(desktop.region('REPL')).toContainText('=>');
  return file;
}

/** Returns the title bar's text about the image. */
const imageWords = (desktop: Desktop): Locator => desktop.page.getByRole('button', { name: /^Image/ });

/** Waits until the debugger has come to the front after an error in the form that was entered in the REPL. */
async function isInFront(desktop: Desktop): Promise<void> {
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
}

/** Moves the focus to the debugger and waits until it has loaded. */
async function goToDebugger(desktop: Desktop): Promise<void> {
  await expect.poll(async () => (await desktop.snapshot()).debuggers.debuggers.length).toBeGreaterThan(0);
  await desktop.page.keyboard.press('Control+Shift+g');
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
}

test('A bug is fixed from the debugger with the keyboard alone [B8, issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = await loaded(desktop, LINES);
  await page.keyboard.press('Control+Backquote');
  await page.keyboard.insertText("(total '((2 . 3) (4 . nil)))");
  await page.keyboard.press('Enter');
  // The debugger has the focus; the title bar, the tab and the entry in the REPL report the error too.
  await isInFront(desktop);
  await expect(imageWords(desktop)).toContainText('in the debugger · TYPE-ERROR');
  await expect(page.getByRole('tab', { name: 'Debugger 1 open' })).toBeVisible();
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText(/TYPE-ERRORThe value NIL is not of type NUMBER\s*in the debugger/);

  await goToDebugger(desktop);
  await expect(debuggerOf(desktop)).toContainText('is not of type');
  // The selected frame is one of the user's functions, and the form that it is evaluating is marked in the file.
  while ((await frame(desktop, 'LINE-TOTAL').getAttribute('aria-selected')) !== 'true')
    await page.keyboard.press('ArrowDown');
  await expect(desktop.region('Editor').locator('.frame-form').first()).toBeVisible();

  // Once the outer function is compiled for debugging and called again, its frame shows all locals.
  await page.keyboard.press('ArrowDown');
  await expect(frame(desktop, '(TOTAL ((')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('l');
  await expect(debuggerOf(desktop)).toContainText('TOTAL is compiled for debugging');
  await page.keyboard.press('r');
  await expect(debuggerOf(desktop).locator('#frame-d2-1')).toBeVisible();
  while ((await frame(desktop, '(TOTAL ((').getAttribute('aria-selected')) !== 'true')
    await page.keyboard.press('ArrowDown');
  await expect(variable(desktop, 'SUM')).toHaveText('6');
  await expect(variable(desktop, 'LINE')).toHaveText('(4)');

  // An error in code evaluated in the frame opens another debugger level, which leads back to the first.
  await page.keyboard.press('e');
  await page.keyboard.insertText('(list sum (cdr line))');
  await page.keyboard.press('Enter');
  await expect(debuggerOf(desktop).getByRole('log', { name: 'Evaluated in frames' })).toContainText('(6 NIL)');
  await page.keyboard.insertText('(error "deeper ~A" sum)');
  await page.keyboard.press('Enter');
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'deeper 6' })).toBeVisible();
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Debuggers' }).getByRole('option')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await expect(debuggerOf(desktop).getByRole('heading', { name: /is not of type/ })).toBeVisible();
  await expect(debuggerOf(desktop).getByRole('log', { name: 'Evaluated in frames' })).toContainText('; aborted');

  // Goes to the source of the frame, edits it, and compiles the new definition.
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
  while ((await frame(desktop, 'LINE-TOTAL').getAttribute('aria-selected')) !== 'true')
    await page.keyboard.press('ArrowUp');
  await page.keyboard.press('v');
  await expect(desktop.region('Editor').locator('.native-edit-context, textarea').first()).toBeFocused();
  await page.keyboard.press('Shift+End');
  await page.keyboard.insertText('(* (car line) (or (cdr line) 0)))');
  await page.keyboard.press('Alt+Enter');
  await expect(desktop.region('Editor')).toContainText('=> LINE-TOTAL');
  await page.keyboard.press('Control+s');
  await goToDebugger(desktop);
  await page.keyboard.press('r');
  // The dock looks as it did before, and the previously focused text has the focus again.
  await expect(desktop.region('REPL')).toBeVisible();
  await expect(desktop.region('Editor').locator('.native-edit-context').first()).toBeFocused();
  await expect(desktop.region('Debugger')).toHaveCount(0);
  await page.keyboard.press('Control+Backquote');
  const entry = desktop.region('REPL').getByRole('article').filter({ hasText: "(total '((2 . 3)" });
  await expect(entry).toContainText('=> 6');
  expect(await readFile(file, 'utf8')).toContain('(or (cdr line) 0)');
  await expect(imageWords(desktop)).toContainText('idle');
});

test('An error in the form that was just entered has the keys: one digit chooses a restart and leads back to the REPL, unless the person typed since [issue 39.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const input = page.getByRole('textbox', { name: 'REPL input' });
  await input.click();
  await page.keyboard.type('(error "x")');
  await page.keyboard.press('Enter');
  await isInFront(desktop);
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'x', exact: true })).toBeVisible();
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((chosen) => window.workbench.call('settings.change', { theme: chosen }), theme);
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await page.screenshot({ path: `out/playwright/debugger-in-front-${theme}.png` });
  }
  const abort = debuggerOf(desktop).locator('[data-restarts] button').filter({ hasText: 'ABORT' }).first();
  await page.keyboard.press((await abort.locator('kbd').textContent())!.trim());
  await expect(input).toBeFocused();
  await page.keyboard.type('(+ 40 2)');
  await page.keyboard.press('Enter');
  await expect(desktop.region('REPL')).toContainText('=> 42');

  // The error comes after the person has begun the next form, which keeps the focus.
  await page.keyboard.type('(progn (read-line) (error "late"))');
  await page.keyboard.press('Enter');
  await expect(desktop.region('REPL')).toContainText('The program is waiting for a line');
  const { evaluation } = (await desktop.snapshot()).session.suspended[0]!;
  await page.keyboard.type('1');
  await page.evaluate((asked) => window.workbench.call('repl.input', { evaluation: asked, text: 'line' }), evaluation);
  await expect(desktop.region('REPL')).toContainText(/late\s*in the debugger/);
  await expect(input).toBeFocused();
  await expect(debuggerOf(desktop)).toHaveCount(0);
  await expect(page.getByText('Your code is waiting in the debugger.')).toBeVisible();
});

test('A restart takes its argument from a field, and the REPL goes on beside the open debugger [B8, issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(list (restart-case (error "which?") (use-value (v) :report "Use another." v)) :end)');
  await isInFront(desktop);
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('in the debugger');
  await desktop.repl('(+ 40 2)');
  await expect(desktop.region('REPL')).toContainText('=> 42');
  await desktop.region('REPL').getByRole('button', { name: 'Show', exact: true }).click();
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await page.keyboard.press('0');
  await expect(page.getByRole('textbox', { name: 'value for restart 0' })).toBeFocused();
  // In a field, letters are inserted as text. In each field of the debugger, Enter starts a new line if the form is incomplete.
  await page.keyboard.type('(* 6');
  await page.keyboard.press('Enter');
  await page.keyboard.type('7)');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('(42 :END)');
  // A restart with several values has one field, which takes the forms of all values.
  await desktop.repl('(restart-case (error "which two?") (pick (a &key (b 2)) (list a b)))');
  await isInFront(desktop);
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'which two?' })).toBeVisible();
  await page.keyboard.press('e');
  await page.keyboard.type('(list 1');
  await page.keyboard.press('Enter');
  await page.keyboard.type('2)');
  await page.keyboard.press('Enter');
  await expect(debuggerOf(desktop).getByRole('log', { name: 'Evaluated in frames' })).toContainText('(1 2)');
  await page.keyboard.press('Escape');
  await page.keyboard.press('0');
  await expect(page.getByRole('textbox', { name: 'values for restart 0' })).toBeFocused();
  await page.keyboard.type('(+ 1 2) :b (+ 3 4)');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('=> (3 7)');
  expect((await desktop.snapshot()).debuggers.debuggers).toEqual([]);
});

test('A breakpoint in the gutter stops code, which is stepped through in its source [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const editor = desktop.region('Editor');
  await loaded(desktop, '(defun inner (n)\n  (+ n 1))\n\n(defun outer (n)\n  (let ((m (* n 2)))\n    (inner m)))\n');
  await editor.locator('.view-lines').click({ position: { x: 30, y: 5 } });
  await page.keyboard.press('Control+End');
  // The head of the definition, which stands for the call.
  for (let line = 0; line < 3; line += 1) await page.keyboard.press('ArrowUp');
  await page.keyboard.press('F9');
  await expect(editor.locator('.breakpoint-mark')).toHaveCount(1);
  // The marked line is visible, so no message is needed.
  await expect(page.getByText('The breakpoint of')).toHaveCount(0);
  await desktop.repl('(list :got (outer 20))');
  await isInFront(desktop);
  await expect(
    debuggerOf(desktop).getByRole('heading', { name: 'Breakpoint: OUTER is called with 20.' }),
  ).toBeVisible();
  await page.keyboard.press('F11');
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'Next: (* N 2)' })).toBeVisible();
  await expect
    .poll(async () => (await editor.locator('.frame-form').allTextContents()).join(''))
    .toBe('(*\u00a0n\u00a02)');
  await page.keyboard.press('F10');
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'Next: (INNER M)' })).toBeVisible();
  await expect(variable(desktop, 'M')).toHaveText('40');
  await page.keyboard.press('F11');
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'Next: (+ N 1)' })).toBeVisible();
  // The path above the text is the frame's definition, not the caret's.
  await expect(editor.locator('[data-part="definition"]')).toHaveText('inner');
  await page.keyboard.press('F5');
  await expect(debuggerOf(desktop)).toHaveCount(0);
  await page.keyboard.press('Control+Shift+g');
  await expect(debuggerOf(desktop).getByRole('list', { name: 'Breakpoints' })).toContainText('OUTER');
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('(:GOT 41)');

  // After a new definition the breakpoint is still set, and a click clears it.
  await desktop.repl('(defun outer (n) (inner n))');
  await expect(desktop.region('REPL')).toContainText('=> OUTER');
  await desktop.repl('(outer 1)');
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'Breakpoint: OUTER is called with 1.' })).toBeVisible();
  await page.keyboard.press('F5');
  await expect(desktop.region('REPL')).toContainText('=> 2');
  await editor.locator('.breakpoint-mark').click();
  await expect(editor.locator('.breakpoint-mark')).toHaveCount(0);
  await desktop.repl('(list :again (outer 2))');
  await expect(desktop.region('REPL')).toContainText('(:AGAIN 3)');
});

test('A value is returned from a frame of many, and a frame is looked into to the machine code [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defun failing (n) (declare (optimize (debug 2))) (error "no ~A" n))');
  await expect(desktop.region('REPL')).toContainText('=> FAILING');
  await desktop.repl('(defun down (depth) (if (plusp depth) (values (down (1- depth))) (failing 4)))');
  await expect(desktop.region('REPL')).toContainText('=> DOWN');
  await desktop.repl('(list :got (down 700))');
  await isInFront(desktop);
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'no 4' })).toBeVisible();
  await expect(frame(desktop, '(FAILING 4)').first()).toBeVisible();
  while ((await frame(desktop, '(FAILING 4)').first().getAttribute('aria-selected')) !== 'true')
    await page.keyboard.press('ArrowDown');
  // More outer frames are listed when the person scrolls to the end.
  const stack = debuggerOf(desktop).getByRole('region', { name: 'Stack' });
  await expect(stack.getByText(/^29\d$/)).toBeVisible();
  await expect(stack.getByRole('button', { name: 'More frames' })).toBeVisible();
  await page.keyboard.press('End');
  await expect(stack.getByText(/^7\d\d$/).first()).toBeVisible();
  await expect(stack.getByRole('button', { name: 'More frames' })).toHaveCount(0);
  await expect(frame(desktop, '(DOWN 700)').first()).toBeVisible();
  await page.keyboard.press('Home');
  await expect(debuggerOf(desktop).getByRole('option', { selected: true })).toContainText('(FAILING 4)');
  await page.keyboard.press('>');
  await expect(debuggerOf(desktop).getByRole('option', { selected: true })).toContainText('(EVAL');
  await page.keyboard.press('<');
  await expect(debuggerOf(desktop).getByRole('option', { selected: true })).toContainText('(FAILING 4)');
  await page.keyboard.press('Shift+D');
  await expect(debuggerOf(desktop)).toContainText('disassembly for FAILING');
  await expect(variable(desktop, 'N').getByRole('button', { name: 'Inspect 4' })).toBeVisible();
  await page.keyboard.press('Shift+R');
  await expect(page.getByRole('textbox', { name: 'Return from frame' })).toBeFocused();
  await page.keyboard.insertText('(* 10 n)');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('(:GOT 40)');
});

test('Arguments of frames, the condition and what a step is called with open in the inspector, by the keyboard and by a click [issue 11.4]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const inspector = desktop.region('Inspector');
  await desktop.repl('(defclass cart () ((lines :initform (list :tea 2))))');
  await expect(desktop.region('REPL')).toContainText('CART');
  await desktop.repl('(defun add-to (cart sku &key quantity) (error "~A ~A ~A" cart sku quantity))');
  await expect(desktop.region('REPL')).toContainText('=> ADD-TO');
  await desktop.repl('(list (add-to (make-instance (quote cart)) "TEA-09" :quantity 3))');
  await isInFront(desktop);
  const call = frame(desktop, '(ADD-TO').first();
  while ((await call.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  const chosen = debuggerOf(desktop).getByRole('status').filter({ hasText: 'Argument' });
  await page.keyboard.press('ArrowRight');
  await expect(chosen).toHaveText(/^Argument 1 of 4: #<CART/);
  await page.keyboard.press('Enter');
  await expect(inspector.getByRole('tree', { name: 'Parts' })).toContainText('(:TEA 2)');
  await expect(inspector.getByRole('navigation')).toContainText(/#<CART|frame/);
  // The frames keep the focus, and the arrow keys continue from the selected frame.
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(chosen).toHaveText('Argument 2 of 4: "TEA-09"');
  await page.keyboard.press('Enter');
  await expect(inspector).toContainText('A string of 6 characters');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(chosen).toHaveCount(0);
  await call.getByText(/^#<CART/).click();
  await expect(inspector.getByRole('tree', { name: 'Parts' })).toContainText('(:TEA 2)');
  await debuggerOf(desktop).getByRole('button', { name: 'Inspect the condition, SIMPLE-ERROR' }).click();
  await expect(inspector.getByRole('tree', { name: 'Parts' })).toContainText('FORMAT-ARGUMENTS');
  await debuggerOf(desktop).getByRole('listbox', { name: 'Frames' }).focus();
  await page.keyboard.press('q');
  await expect(debuggerOf(desktop)).toHaveCount(0);

  await page.keyboard.press('Control+Backquote');
  await desktop.repl('(progn (defvar *v* (vector 1 2 3)) (defun holds (v) (length v)))');
  await expect(desktop.region('REPL')).toContainText('=> HOLDS');
  await desktop.repl('(step (holds *v*))');
  await isInFront(desktop);
  await debuggerOf(desktop)
    .getByRole('heading', { name: 'Next: (HOLDS *V*) with #(1 2 3)' })
    .getByRole('button', { name: 'Inspect #(1 2 3)' })
    .press('Enter');
  await expect(inspector).toContainText('A vector of 3 elements');
});

test('STEP, BREAK and a condition that is broken on stop in the debugger [B8, issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defun doubled (x) (* x 2))');
  await expect(desktop.region('REPL')).toContainText('DOUBLED');
  await desktop.repl('(step (doubled 4))');
  await isInFront(desktop);
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'Next: (DOUBLED 4) with 4' })).toBeVisible();
  await expect(imageWords(desktop)).toContainText('in the debugger · step');
  await page.keyboard.press('s');
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'Next: (* X 2)' })).toBeVisible();
  await page.keyboard.press('c');
  await expect(debuggerOf(desktop)).toHaveCount(0);
  await page.keyboard.press('Control+Shift+g');
  await page.getByRole('textbox', { name: 'Break on condition' }).fill('warning');
  await page.keyboard.press('Enter');
  await expect(debuggerOf(desktop).getByRole('list', { name: 'Breakpoints' })).toContainText('WARNING');
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('=> 8');
  // Spaces and line breaks in names and strings are preserved.
  await desktop.repl(`(progn (warn "careful") (break "here   |a   b|")   '|c   d|)`);
  await isInFront(desktop);
  // The frames contain the messages of both conditions, so the heading is used to check which condition is current.
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'careful' })).toBeVisible();
  await page.keyboard.press('c');
  await expect(debuggerOf(desktop).getByRole('heading', { name: /^here/ })).toBeVisible();
  const drawn = () => debuggerOf(desktop).evaluate((panel: HTMLElement) => panel.innerText);
  await expect.poll(drawn).toContain('here   |a   b|');
  expect(await drawn()).toMatch(/\(EVAL \(PROGN .*"here {3}\|a {3}b\|"/);
  expect(await drawn()).toContain('(break "here   |a   b|") \'|c   d|)');
  // If the previous debugger had the focus, the next debugger gets it.
  await expect.poll(() => debuggerOf(desktop).evaluate((panel) => panel.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('c');
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('=> |c');
});

test('A restart that an agent proposes stands beside the restarts, and is decided in Review alone [D6, issue 11.3]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  const hold = async (): Promise<void> => {
    const { clients } = await desktop.snapshot();
    const { id } = clients.find(({ name }) => name === 'codex')!;
    const change = (mode: 'collaborate' | 'propose'): Promise<unknown> =>
      page.evaluate((input) => window.workbench.call('clients.change', input), { id, mode });
    await change('collaborate');
    await agent.call('evaluate-lisp', {
      code: '(list :got (restart-case (error "No price.") (use-value (v) :report "Use another price." v) (continue () :report "Leave it out." nil)))',
    });
    await agent.call('invoke-restart', { restart: 'RETRY' });
    await change('propose');
  };
  const propose = (): ReturnType<typeof agent.call> =>
    agent.call('invoke-restart', {
      restart: 'USE-VALUE',
      arguments: ['(* 6 7)'],
      description: 'The catalogue says so.',
    });
  const proposal = debuggerOf(desktop).getByRole('group', { name: 'Proposal of codex' });
  const review = await desktop.review();
  const card = review.getByRole('article', { name: /^Take restart 0, USE-VALUE/ });
  await hold();
  await goToDebugger(desktop);
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'No price.' })).toBeVisible();
  await expect(proposal).toHaveCount(0);

  // The button leads to the card and decides nothing; the card leads back.
  const approved = propose();
  await expect(proposal).toContainText(/codex\s*proposes restart 0, USE-VALUE, with\(\* 6 7\)“The catalogue says so.”/);
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await proposal.getByRole('button', { name: 'Approve…' }).press('Enter');
  await expect(card).toBeVisible();
  await expect(card).toContainText('The catalogue says so.');
  await expect(proposal).toBeVisible();
  await page.evaluate(() => window.workbench.call('review.show', { open: false }));
  await page.keyboard.press('Control+Backquote');
  await expect(debuggerOf(desktop)).toBeHidden();
  await page.evaluate(() => window.workbench.call('review.show', { open: true }));
  await button(review, 'Show in the debugger').click();
  await expect(debuggerOf(desktop).getByRole('heading', { name: 'No price.' })).toBeVisible();
  await approve(review);
  expect((await approved).text).toBe('=> (:GOT 42)');
  await expect(debuggerOf(desktop)).toHaveCount(0);

  // The Deny button leads to the field for the reason.
  await hold();
  await goToDebugger(desktop);
  const denied = propose();
  await proposal.getByRole('button', { name: 'Deny…' }).click();
  await review.getByRole('textbox').fill('Ask the shop.');
  await press(review, 'Deny');
  expect((await denied).text).toContain('Ask the shop.');
  await expect(proposal).toHaveCount(0);

  // The person chooses another restart. The request then ends, and its client gets the reason.
  const overtaken = propose();
  await proposal.getByRole('button', { name: 'Choose Another' }).click();
  await expect(debuggerOf(desktop).getByRole('button', { name: /USE-VALUE\s+Use another/ })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect((await overtaken).text).toContain('The debugger closed before a decision');
  await expect(debuggerOf(desktop)).toHaveCount(0);
  expect((await desktop.snapshot()).waitingApprovals).toBe(0);
  await agent.close();
});

test('A running evaluation is stopped where it is and goes on, and an interrupt ends it [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(let ((n 0)) (print :begun) (finish-output) (loop (incf n) (sleep 0.01)))');
  await expect(desktop.region('REPL')).toContainText(':BEGUN');
  await desktop.region('REPL').getByRole('button', { name: 'Break', exact: true }).click();
  // The person pressed Break, so the debugger is shown.
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await expect(debuggerOf(desktop)).toContainText('The evaluation was interrupted.Interrupted');
  await expect(debuggerOf(desktop)).toContainText('CONTINUE');
  // The frame of EVAL lacks the data that is needed to call it again. The key for calling it again is not offered, and pressing the key
  // shows a message.
  const keys = debuggerOf(desktop).getByRole('note', { name: 'Keys' });
  await expect(keys).not.toContainText('restart frame');
  // There is no code to step through, so a message replaces the step keys.
  await expect(keys).toContainText(
    'Stepping is not possible, because no function on the stack is compiled for debugging.',
  );
  await expect(keys.getByRole('button', { name: 'into' })).toHaveCount(0);
  for (const key of ['r', 'R']) {
    await page.keyboard.press(key);
    await expect(debuggerOf(desktop).getByText('cannot be restarted or returned from')).toBeVisible();
  }
  expect((await desktop.snapshot()).debuggers.debuggers).toHaveLength(1);
  await page.keyboard.press('F5');
  await expect(debuggerOf(desktop)).toContainText('Running…');
  await page.keyboard.press('Control+F5');
  await expect(debuggerOf(desktop).getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await page.keyboard.press('F5');
  await expect(debuggerOf(desktop)).toContainText('Running…');
  await page.keyboard.press('Control+.');
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('Interrupted');
});
