import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '../../desktop/fixture.ts';

test('A definition typed in the editor is evaluated, called in the REPL and seen in the browser [D3, D5, D8]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.newFile('(defun area (r)\n  (* r r))');
  await page.keyboard.press('Alt+Enter');
  await expect(desktop.region('Editor')).toContainText('=> AREA');
  await desktop.repl('(area 12)');
  await expect(desktop.region('REPL')).toContainText('144');
  await page.getByRole('button', { name: 'Definitions', exact: false }).first().click();
  await expect(desktop.region('Definitions').getByRole('treeitem', { name: 'area' })).toBeVisible();
});

test('Ctrl+Enter evaluates the form at the cursor alone [D3]', async ({ sharedDesktop: desktop }) => {
  await desktop.newFile('(list :whole (+ 20 22))');
  await desktop.page.keyboard.press('ArrowLeft');
  await desktop.page.keyboard.press('Control+Enter');
  await expect(desktop.region('Editor')).toContainText('=> 42');
});

test.describe('errors in the window', () => {
  for (const [name, code, expected] of [
    ['an incomplete form', '(+ 1', /END-OF-FILE|end of file/i],
    ['a wrong type', '(car 1)', /TYPE-ERROR/],
    ['a wrong package', '(no-such-package:thing)', /no-such-package/i],
  ] as const) {
    test(`The REPL shows an error where the person looks: ${name} [E7, E39, D5]`, async ({
      sharedDesktop: desktop,
    }) => {
      await desktop.repl(code);
      await expect(desktop.region('REPL')).toContainText(expected);
      await desktop.repl('(+ 40 2)');
      await expect(desktop.region('REPL')).toContainText('42');
    });
  }

  test('Code that is not balanced is told in the REPL with its place and what mends it [D5]', async ({
    sharedDesktop: desktop,
  }) => {
    await desktop.repl('(defun bad (x)\n  (let ((y 1)\n    (print y))\n  x)');
    await expect(desktop.region('REPL')).toContainText('Insert ) at the end of line 2.');
  });

  test('The editor shows an error of type where the person looks [E39, D3]', async ({ sharedDesktop: desktop }) => {
    await desktop.newFile('(car 1)');
    await desktop.page.keyboard.press('Control+Enter');
    await expect(desktop.region('Editor')).toContainText('TYPE-ERROR');
  });
});

test('The person is asked for input while the REPL stays free for others [D5]', async ({ sharedDesktop: desktop }) => {
  await desktop.repl('(progn (princ "Name? ") (prog1 (list :read (read-line)) (princ "Thanks.")))');
  await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('waiting-for-input');
  const agent = await desktop.agent('codex');
  expect((await agent.call('evaluate-lisp', { code: '(+ 1 1)' })).text).toBe('=> 2');
  const input = desktop.region('REPL').getByRole('textbox');
  await input.click();
  await desktop.page.keyboard.insertText('typed by hand');
  await desktop.page.keyboard.press('Enter');
  await expect(desktop.region('REPL')).toContainText('(:READ "typed by hand")');
  // The transcript has the answer where it was given.
  await expect(desktop.region('REPL').getByRole('article').first()).toContainText('Name? typed by hand\nThanks.');
});

test('Code of the editor that reads a line while another panel is shown says so, and leads to where it is typed [D5]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await page.keyboard.press('Control+Shift+M');
  await desktop.newFile('(list :read (read-line))');
  await page.keyboard.press('Control+Enter');
  const notice = page.getByText('Your code waits for a line of input.');
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: /^Show \(/ }).click();
  await expect(notice).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'REPL input' })).toBeFocused();
  await page.keyboard.type('by hand');
  await page.keyboard.press('Enter');
  await expect(desktop.region('Editor')).toContainText('(:READ "by hand")');
  // Where the REPL is in view there is nothing to tell.
  await desktop.repl('(read-line)');
  await expect(desktop.region('REPL')).toContainText('The program reads a line');
  await expect(notice).toBeHidden();
});

test('Unsaved text, REPL history and draft survive a restart [D18]', async ({ launch }) => {
  const first = await launch();
  await first.imageReady();
  await first.newFile('(defun never-saved () 1)');
  await first.repl('(list :remembered)');
  await expect(first.region('REPL')).toContainText('(:REMEMBERED)');
  await first.close();
  const second = await launch({ home: first.home, project: first.project });
  await expect(second.region('Editor')).toContainText('never-saved');
  await second.imageReady();
  await second.page.getByRole('textbox', { name: 'REPL input' }).click();
  await second.page.keyboard.press('ArrowUp');
  await expect(second.page.getByRole('textbox', { name: 'REPL input' })).toHaveValue('(list :remembered)');
});

test('A system is loaded from the list, with its output [D9]', async ({ desktop }) => {
  const { page } = desktop;
  await page.getByRole('button', { name: 'Systems', exact: false }).first().click();
  const systems = desktop.region('Systems');
  await systems.getByRole('searchbox').first().fill('alexandria');
  await systems.getByText('alexandria', { exact: true }).first().click();
  await page.keyboard.press('Enter');
  await expect(systems).toContainText(/loaded/i, { timeout: 60_000 });
  await desktop.repl('(alexandria:iota 3)');
  await expect(desktop.region('REPL')).toContainText('(0 1 2)');
});

test('The window without an SBCL opens, says what is missing, and the editor works', async ({ launch }) => {
  const desktop = await launch({ env: { LISP_WORKBENCH_SBCL: '/nonexistent/sbcl' } });
  await expect(desktop.region('REPL')).toContainText('There is no program at /nonexistent/sbcl');
  await expect(desktop.region('REPL')).toContainText('sbcl');
  await expect(desktop.region('REPL')).toContainText('There is no image to evaluate in.');
  await expect(desktop.region('REPL')).not.toContainText('Type a form below');
  await desktop.newFile('(still works)');
  await expect(desktop.region('Editor')).toContainText('(still works)');
});

test('A definition leads to its source [D8]', async ({ sharedDesktop: desktop }) => {
  const file = path.join(desktop.project, 'shapes.lisp');
  await writeFile(file, `;;; Shapes\n\n(defun area (r)\n  (* r r))\n${'\n'.repeat(60)}(defun far-down ()\n  :here)\n`);
  await desktop.openFile(file);
  await expect(desktop.region('Editor')).toContainText('Shapes');
  await desktop.page.keyboard.press('Control+End');
  await desktop.page.keyboard.press('Alt+Enter');
  await expect(desktop.region('Editor')).toContainText('=> FAR-DOWN');
  await desktop.page.keyboard.press('Control+Home');
  await expect(desktop.region('Editor')).not.toContainText('far-down');
  await desktop.region('Definitions').getByRole('treeitem', { name: 'far-down' }).click();
  await expect(desktop.region('Editor')).toContainText('(defun far-down ()');
});

test('A load is cancelled, and listing systems runs nothing of the project [D9, K7]', async ({ launch }) => {
  const desktop = await launch();
  await writeFile(
    path.join(desktop.project, 'slow.asd'),
    '(print :asd-ran) (defsystem "slow" :components ((:file "slow")))',
  );
  await writeFile(
    path.join(desktop.project, 'slow.lisp'),
    '(eval-when (:compile-toplevel :load-toplevel :execute) (format t "~&begun~%") (finish-output) (sleep 600))',
  );
  await desktop.imageReady();
  const { page } = desktop;
  await page.getByRole('button', { name: 'Systems', exact: false }).first().click();
  const systems = desktop.region('Systems');
  await systems.getByRole('searchbox').first().fill('slow');
  await expect(systems.getByText('slow', { exact: true }).first()).toBeVisible();
  expect((await desktop.snapshot()).activity.some((event) => JSON.stringify(event).includes('ASD-RAN'))).toBe(false);
  await systems.getByText('slow', { exact: true }).first().click();
  await page.keyboard.press('Enter');
  await expect(systems).toContainText('begun', { timeout: 30_000 });
  await systems
    .getByRole('button', { name: /cancel/i })
    .first()
    .click();
  await expect(systems).toContainText(/cancelled/i);
  await desktop.repl('(+ 40 2)');
  await expect(desktop.region('REPL')).toContainText('42');
});

test('A file is saved as typed, and a change on disk is not overwritten unasked [D1, D18]', async ({
  sharedDesktop: desktop,
}) => {
  const file = path.join(desktop.project, 'mine.lisp');
  await writeFile(file, '(one)\n');
  await desktop.openFile(file);
  await expect(desktop.region('Editor')).toContainText('(one)');
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await desktop.page.keyboard.press('Control+End');
  await desktop.page.keyboard.insertText('(two λ)\n');
  await desktop.page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe('(one)\n(two λ)\n');
  await desktop.page.keyboard.insertText('(three)\n');
  await writeFile(file, '(changed by somebody else)\n');
  await desktop.page.keyboard.press('Control+s');
  await expect(
    desktop.page
      .getByRole('alertdialog')
      .or(desktop.page.getByRole('dialog'))
      .or(desktop.region('Editor').getByRole('status'))
      .first(),
  ).toBeVisible();
  expect(await readFile(file, 'utf8')).toBe('(changed by somebody else)\n');
});

test('Text typed just before the window is closed by its button is there again [D18]', async ({ launch }) => {
  const first = await launch();
  await first.newFile('(typed-in-the-last-moment)');
  const ended = first.app.waitForEvent('close');
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
  await ended;
  const second = await launch({ home: first.home, project: first.project });
  await expect(second.region('Editor')).toContainText('typed-in-the-last-moment');
});

test('Reader and printer are reset from the menu of the REPL [D5]', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  await desktop.repl('(setf *print-base* 2 *print-radix* t *read-base* 2)');
  await desktop.repl('(+ 101 1)');
  await expect(desktop.region('REPL')).toContainText('#b110');
  await page.getByRole('button', { name: 'REPL menu' }).click();
  await page.getByRole('menuitem', { name: 'Reset Reader and Printer' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Reader and printer are as at first.' })).toBeVisible();
  await desktop.repl('(+ 101 1)');
  await expect(desktop.region('REPL')).toContainText('=> 102');
});
