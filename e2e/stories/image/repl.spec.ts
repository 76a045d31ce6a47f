/** The REPL over a day: output without end, history, commands and the transcript. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { random, randomForm } from '../../../renderer/sexp/reading/random-forms.fixture.ts';
import { expect, test } from '../../desktop/fixture.ts';

const input = { name: 'REPL input' } as const;

test('Of a hundred megabytes that are printed the end is seen, and all of it is opened and searched [D5]', async ({
  sharedDesktop: desktop,
}) => {
  test.setTimeout(300_000); // a guard for busy machines
  const { page } = desktop;
  const repl = desktop.region('REPL');
  await desktop.repl(`(dotimes (i 10000000) (format t "~9,'0D~%" i))`);
  await expect(repl).toContainText('=> NIL', { timeout: 240_000 });
  await expect(repl).toContainText('009999999');
  await expect(repl).toContainText('000000000');
  await expect(repl).toContainText(/99,9\d\d,\d{3} characters between/);
  await repl.getByRole('button', { name: 'Open whole' }).click();
  const editor = desktop.region('Editor');
  const bar = editor.getByRole('group', { name: 'Whole output' });
  await expect(bar).toContainText('100,000,000 characters, 10,000,001 lines');
  await expect(editor.locator('.view-lines')).toContainText('009999999');
  const find = bar.getByRole('searchbox', { name: 'Find in the whole output' });
  await find.fill('004321000');
  await page.keyboard.press('Shift+Enter');
  await expect(bar).toContainText('Line 4,321,001', { timeout: 120_000 });
  await expect(editor.locator('.view-lines')).toContainText('004321000');
  await expect(editor.locator('.line-numbers', { hasText: '4321001' })).toBeVisible();
  await bar.getByRole('button', { name: 'First part' }).click();
  await expect(editor.locator('.view-lines')).toContainText('000000003');
  // The person goes on meanwhile and after.
  await desktop.repl('(+ 20 22)');
  await expect(repl.getByRole('button', { name: 'Inspect 42' })).toBeVisible();
  // What leaves the transcript leaves the disk.
  await page.keyboard.press('Control+l');
  await expect(repl).toContainText('Type a form below');
  const left = await page.evaluate(() => window.workbench.call('output.part', { evaluation: 'x', part: 0 }));
  expect(left).toEqual({ problem: null, printed: null });
});

test('Printing that has no end is stopped while the evaluation goes on, and the evaluation is interrupted by another command [D5]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  // The clean-up form prints for certain after the printing was stopped, however early the interruption comes.
  await desktop.repl('(unwind-protect (loop (print :forever)) (print :at-last))');
  await repl.getByRole('button', { name: 'Stop printing' }).click();
  await expect(repl.getByRole('status').filter({ hasText: 'Output muted; still running.' })).toBeVisible();
  await expect(repl.getByRole('button', { name: 'Interrupt evaluation' })).toBeVisible();
  await expect(repl).toContainText('You are evaluating');
  await page.keyboard.press('Control+.');
  await expect(repl).toContainText('Interrupted');
  await expect(repl).toContainText(/[\d,]+ characters after that were printed and not stored/);
});

test('A huge value is opened whole [D5]', async ({ sharedDesktop: desktop }) => {
  const repl = desktop.region('REPL');
  await desktop.repl('(make-string 300000 :initial-element #\\x)');
  await repl.getByRole('button', { name: /Open whole, 300,002 characters/ }).click();
  await expect(desktop.page.getByRole('tab', { name: /Value of/ })).toBeVisible();
  await expect(desktop.region('Editor').locator('.view-lines')).toContainText('xxxx');
});

test('The history is searched backwards, also after the window was closed and opened again [D5]', async ({
  launch,
}) => {
  const first = await launch();
  await first.imageReady();
  await first.repl('(defun square (x) (* x x))');
  await expect(first.region('REPL').getByRole('button', { name: 'Inspect SQUARE' })).toBeVisible();
  await first.repl('(square 12)');
  await first.repl('(list :something :else)');
  await expect(first.region('REPL').getByRole('button', { name: /SOMETHING/ })).toBeVisible();
  await first.close();
  const { page, ...second } = await launch({ home: first.home, project: first.project });
  void second;
  const box = page.getByRole('textbox', input);
  await box.click();
  await page.keyboard.type('draft');
  await page.keyboard.press('Control+r');
  await page.keyboard.type('SQUARE');
  const search = page.getByRole('group', { name: 'History search' });
  await expect(search).toContainText('(square 12)');
  await page.keyboard.press('Control+r');
  await expect(search).toContainText('(defun square (x) (* x x))');
  await page.keyboard.press('Escape');
  await expect(box).toHaveValue('draft');
  await expect(box).toBeFocused();
  await page.keyboard.press('Control+r');
  await page.keyboard.type('square');
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('(square 12)');
  await expect(box).toBeFocused();
  // Alt+P goes through what begins as typed.
  await box.fill('(de');
  await page.keyboard.press('Alt+p');
  await expect(box).toHaveValue('(defun square (x) (* x x))');
  await page.keyboard.press('Alt+n');
  await expect(box).toHaveValue('(de');
});

test('Commands after a comma, paired brackets, the package and the saved transcript are as a Lisp programmer expects [D5]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  const box = page.getByRole('textbox', input);
  await box.click();
  await page.keyboard.type('(list "a" (+ 1 2))');
  await expect(box).toHaveValue('(list "a" (+ 1 2))');
  await page.keyboard.press('Backspace');
  await expect(box).toHaveValue('(list "a" (+ 1 2)');
  await box.fill('');
  await page.keyboard.type('(list');
  await expect(box).toHaveValue('(list)');
  // The hint about Enter is true at the caret, before the closer and behind it.
  await expect(repl).toContainText('Enter continues, Ctrl+Enter evaluates');
  await page.keyboard.press('End');
  await expect(repl).toContainText('Enter evaluates');
  await expect(repl).not.toContainText('Enter continues');
  await box.fill('');
  await page.keyboard.type('(list');
  await page.keyboard.press('Control+z');
  // What is typed over a selection, all of the text or a part, stands in its place.
  const below = random(20_261_127);
  for (let run = 0; run < 8; run += 1) {
    const forms = Array.from({ length: 3 }, () => randomForm(below, 2).replaceAll('\n', ' '));
    const typed = below(2) === 0 ? `(${randomForm(below, 2).replaceAll('\n', ' ')})` : '"a string"';
    await box.fill(forms.join(' '));
    if (below(2) === 0) {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(typed);
      await expect(box).toHaveValue(typed);
    } else {
      const end = forms[0]!.length + 1 + forms[1]!.length;
      await box.evaluate((area, range) => (area as HTMLTextAreaElement).setSelectionRange(...range), [
        forms[0]!.length + 1,
        end,
      ] as [number, number]);
      await page.keyboard.type(typed);
      await expect(box).toHaveValue([forms[0], typed, forms[2]].join(' '));
    }
  }
  await box.fill('');
  await page.keyboard.type(',in-p');
  await page.keyboard.press('Tab');
  await expect(box).toHaveValue(',in-package ');
  await page.keyboard.type('keyword');
  await page.keyboard.press('Enter');
  await expect(repl).toContainText('(cl:in-package "KEYWORD")');
  await expect(repl).toContainText('KEYWORD>');
  await page.keyboard.type(',in-package cl-user');
  await page.keyboard.press('Enter');
  // The commands that a beginning may mean are listed; one that lacks its argument asks for it, and lists what it may be.
  await page.keyboard.type(',in');
  const offered = repl.getByRole('listbox', { name: 'Completions' });
  await expect(offered.getByRole('option')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await page.keyboard.type('-p');
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue(',in-package ');
  await page.keyboard.type('key');
  await expect(offered.getByRole('option', { name: /^keyword/ })).toBeVisible();
  await box.fill('');
  await page.keyboard.type(',help');
  await page.keyboard.press('Enter');
  await expect(repl).toContainText('Loads an ASDF system');
  // What is evaluated in a text leaves the package of the REPL alone.
  await desktop.newFile('(defpackage :b11 (:use :cl)) (in-package :b11) (defvar *here* 1)');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+Enter');
  await expect(repl.getByRole('button', { name: 'Inspect *HERE*' })).toBeVisible();
  await desktop.repl('(package-name *package*)');
  await expect(repl.getByRole('button', { name: 'Inspect "COMMON-LISP-USER"' })).toBeVisible();
  // The whole transcript is copied, however little of it is drawn, and saved as text and as a file of forms.
  await repl.getByRole('log', { name: 'Transcript' }).click({ position: { x: 4, y: 4 } });
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  const copied = await desktop.app.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).toContain('(cl:in-package "KEYWORD")');
  expect(copied).toContain('=> "COMMON-LISP-USER"');
  const place = path.join(desktop.project, 'saved.lisp');
  await desktop.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, place);
  const log = (await repl.getByRole('log', { name: 'Transcript' }).boundingBox())!;
  await page.mouse.click(log.x + 4, log.y + 4, { button: 'right' });
  // The menu is where the button was pressed.
  const menu = (await page.getByRole('menu').boundingBox())!;
  expect(Math.abs(menu.x - log.x)).toBeLessThan(20);
  expect(log.y + 4 - menu.y - menu.height).toBeLessThan(20);
  expect(menu.y - log.y).toBeLessThan(20);
  await page.getByRole('menuitem', { name: 'Save the Transcript as a Lisp File…' }).click();
  await expect
    .poll(() => readFile(place, 'utf8').catch(() => ''))
    .toContain('(package-name *package*)\n; => "COMMON-LISP-USER"');
});

test('What leaves the transcript is let go of: its values are not held in the image any longer [K6, D5]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const repl = desktop.region('REPL');
  await desktop.repl('(list :short-lived)');
  await repl.getByRole('button', { name: 'Inspect (:SHORT-LIVED)' }).click();
  await expect(desktop.region('Inspector')).toContainText('A list of type');
  const handle = await page.evaluate(async () => {
    const { values } = await window.workbench.call('repl.evaluate', {
      evaluation: 'to-be-forgotten',
      code: '(list :mine)',
      package: null,
      origin: 'repl',
      source: null,
    });
    return values[0]!.handle!;
  });
  const expired = (): Promise<boolean> =>
    page.evaluate(async (of) => {
      const wanted = { handle: of, pane: 'test', view: null, offset: 0, limit: 1, package: null };
      return (await window.workbench.call('inspector.page', wanted)).expired;
    }, handle);
  expect(await expired()).toBe(false);
  await page.evaluate(() => window.workbench.call('output.forget', { evaluations: ['to-be-forgotten'] }));
  await expect.poll(expired).toBe(true);
  // What the inspector shows it holds by itself.
  await page.keyboard.press('Control+`');
  await page.keyboard.press('Control+l');
  await expect(repl).toContainText('Type a form below');
  await desktop.region('Inspector').getByRole('button', { name: 'Refresh', exact: true }).click();
  await expect(desktop.region('Inspector')).toContainText(':SHORT-LIVED');
});

test('Tab completes in the REPL, and the lambda list of the call stands beside it', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.repl('(defun total-price (cart &key (country :de)) (list cart country))');
  await expect(desktop.region('REPL')).toContainText('TOTAL-PRICE');
  const input = page.getByRole('textbox', { name: 'REPL input' });
  await input.click();
  await page.keyboard.type('(total-p');
  await page.keyboard.press('Tab');
  await expect(input).toHaveValue('(total-price)');
  await page.keyboard.type(' 1 :co');
  await expect(desktop.region('REPL')).toContainText('(total-price cart &key (country :de))');
  await page.keyboard.press('Tab');
  const list = page.getByRole('listbox', { name: 'Completions' });
  await expect(list.getByRole('option', { name: /^:country/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(input).toHaveValue('(total-price 1 :country)');
  await page.keyboard.type(' :fr');
  await page.keyboard.press('Control+Enter');
  await expect(desktop.region('REPL')).toContainText('(1 :FR)');
});
