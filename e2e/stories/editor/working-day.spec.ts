/** Stories from a Lisp programmer's working day, in which several things happen at once. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

async function opened(desktop: Desktop, name: string, text: string): Promise<string> {
  const file = path.join(desktop.project, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  await desktop.openFile(file);
  await expect(desktop.page.getByRole('tab', { name: new RegExp(path.basename(name)), selected: true })).toBeVisible();
  await inEditor(desktop);
  return file;
}

async function inEditor({ page }: Desktop): Promise<void> {
  await page.keyboard.press('Control+1');
  await expect(page.locator('.monaco-editor.focused')).toHaveCount(1);
}

async function goTo({ page }: Desktop, place: string): Promise<void> {
  await page.keyboard.press('Control+g');
  await page.keyboard.type(place);
  await page.keyboard.press('Enter');
}

test('An unknown library is explored: its functions found by name, their source, lambda lists, users and values [issue 11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const [repl, editor, status] = ['REPL', 'Editor', 'Status bar'].map((name) => desktop.region(name)) as [
    ReturnType<Desktop['region']>,
    ReturnType<Desktop['region']>,
    ReturnType<Desktop['region']>,
  ];
  const mine = await opened(desktop, 'words.lisp', '(defun words (text)\n  )\n');
  await desktop.repl('(asdf:load-system "cl-ppcre")');
  await expect(repl).toContainText('=> T', { timeout: 120_000 });
  await inEditor(desktop);
  await goTo(desktop, '2:3');

  // Completion finds the name by the beginnings of its parts, and the lambda list is shown at the call.
  await page.keyboard.type('(ppcre:all-m-s');
  const chosen = page.locator('.suggest-widget.visible .monaco-list-row.focused');
  await expect(chosen).toContainText('all-matches-as-strings');
  await page.keyboard.press('Tab');
  await page.keyboard.type(' ');
  await expect(page.locator('.parameter-hints-widget.visible')).toContainText('regex target-string &key');
  await page.keyboard.type('"[a-z]+" text');
  await page.keyboard.press('Control+s');
  await expect
    .poll(() => readFile(mine, 'utf8'))
    .toBe('(defun words (text)\n  (ppcre:all-matches-as-strings "[a-z]+" text))\n');

  // Goes from a call through two definitions of the library, and back.
  await goTo(desktop, '2:15');
  await page.keyboard.press('F12');
  await expect(page.getByRole('tab', { name: /api\.lisp/, selected: true })).toBeVisible();
  await expect(editor).toContainText('defun all-matches-as-strings');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('(do-matches-as-strings');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+Alt+m');
  await expect(page.getByRole('tab', { name: /expansion of do-matches-as-strings/, selected: true })).toBeVisible();
  await expect(editor).toContainText('do-matches');
  await page.keyboard.press('Control+w');
  await expect(page.getByRole('tab', { name: /api\.lisp/, selected: true })).toBeVisible();
  await page.keyboard.press('F12');
  await expect(editor).toContainText('defmacro do-matches-as-strings');
  for (const back of ['where the macro is used', 'the function', 'the call'])
    await test.step(back, () => page.keyboard.press('Alt+ArrowLeft'));
  await expect(page.getByRole('tab', { name: /words\.lisp/, selected: true })).toBeVisible();
  await expect(status).toContainText('Ln 2');

  // Shows the callers of the function, in the library and in the person's text.
  await page.keyboard.press('Alt+Enter');
  await expect(editor.locator('.inline-value').first()).toContainText('WORDS');
  await page.keyboard.press('Shift+F12');
  await expect(desktop.region('References').getByRole('treeitem', { name: /words/i }).first()).toBeVisible();

  // The library's objects can be opened part by part.
  await desktop.repl('(ppcre:parse-string "(a|b)+c")');
  await expect(repl).toContainText(':GREEDY-REPETITION');
  await desktop.repl("(setf *parsed* (make-instance 'ppcre::repetition :regex nil :minimum 1 :maximum 2 :greedyp t))");
  await expect(repl).toContainText('#<CL-PPCRE::REPETITION');
  await page.keyboard.press('Control+i');
  const inspector = desktop.region('Inspector');
  await expect(inspector).toContainText('REPETITION');
  await expect(inspector).toContainText(/minimum/i);
});

test('What is typed into a text of 12,000 lines while 100 MB are printed is what is saved, and the end of the output is there [issue 11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const text = Array.from({ length: 4_000 }, (_, index) => `(defun f-${index} (x)\n  (list x ${index})\n  x)\n`).join(
    '',
  );
  const file = await opened(desktop, 'long.lisp', text);
  await desktop.repl(
    '(dotimes (i 1600000) (format t "line ~7,\'0d of a flood that fills sixty-four columns, all ~%" i))',
  );
  await expect(desktop.region('REPL')).toContainText('of a flood');
  await inEditor(desktop);
  await goTo(desktop, '6000:1');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type(
    '(defun typed (items)\n(loop for item in items\nwhen item\ncollect (list item "while it prints")))\n',
  );
  await page.keyboard.press('Control+s');
  const typed =
    '(defun typed (items)\n  (loop for item in items\n        when item\n          collect (list item "while it prints")))\n\n';
  const lines = text.split('\n');
  const wanted = `${lines.slice(0, 6000).join('\n')}\n${typed}${lines.slice(6000).join('\n')}`;
  await expect.poll(() => readFile(file, 'utf8'), { timeout: 120_000 }).toBe(wanted);
  await expect(desktop.region('REPL')).toContainText('line 1599999 of a flood', { timeout: 300_000 });
});

test('However the image is killed, nothing typed is lost, and a fresh image takes up the work [issue 11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  await writeFile(path.join(desktop.project, 'slow.asd'), '(asdf:defsystem "slow" :components ((:file "slow")))\n');
  await writeFile(path.join(desktop.project, 'slow.lisp'), '(eval-when (:compile-toplevel) (sleep 600))\n');
  const half = '(defun half (x)\n  (/ x 2))\n';
  await opened(desktop, 'half.lisp', half);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('; not saved');

  const moments: [name: string, reach: () => Promise<void>][] = [
    ['at rest', async () => {}],
    [
      'while code runs and prints',
      async () => {
        await desktop.repl('(loop (print :running) (sleep 0.01))');
        await expect(repl).toContainText(':RUNNING');
      },
    ],
    [
      'with the debugger open',
      async () => {
        await desktop.repl('(error "held")');
        await expect(desktop.region('Debugger').getByRole('heading', { name: 'held' })).toBeVisible();
        await page.keyboard.press('Control+Backquote');
      },
    ],
    [
      'while a system loads',
      async () => {
        await desktop.repl('(asdf:load-system "slow")');
        await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('evaluating');
      },
    ],
    [
      'with a value in the inspector',
      async () => {
        await desktop.repl('(make-array 100000)');
        await page.keyboard.press('Control+i');
        await expect(desktop.region('Inspector')).toContainText('SIMPLE-VECTOR');
      },
    ],
  ];
  for (const [index, [name, reach]] of moments.entries())
    await test.step(name, async () => {
      await inEditor(desktop);
      await goTo(desktop, '1:1');
      await page.keyboard.press('Alt+Enter');
      await expect(page.locator('.inline-value').first()).toContainText('HALF');
      await reach();
      const { pid } = (await desktop.snapshot()).session;
      process.kill(pid!, 'SIGKILL');
      await expect.poll(async () => (await desktop.snapshot()).session.pid, { timeout: 120_000 }).not.toBe(pid);
      // An image that ends repeatedly is no longer started automatically; the REPL offers a button that starts one.
      const start = repl.getByRole('button', { name: 'Start image' });
      const state = async (): Promise<string> => {
        if (await start.isVisible()) await start.click();
        return (await desktop.snapshot()).session.state;
      };
      await expect.poll(state, { timeout: 120_000 }).toBe('idle');
      await repl.getByRole('button', { name: 'Evaluate my definitions again' }).click();
      await expect(repl).toContainText(/1 definition evaluated again|1 evaluated again/);
      await desktop.repl(`(list :half (half ${2 * (100 + index)}))`);
      await expect(repl).toContainText(`(:HALF ${100 + index})`);
      await expect(desktop.region('Editor')).toContainText('; not saved');
    });
});
