/** Everything that is needed is on screen and uncovered, in a window of 900 by 600 pixels too. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test, type Desktop } from './fixture.ts';
import { cutRings } from './rings.ts';

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const boxOf = async (locator: Locator): Promise<Rectangle> => (await locator.boundingBox())!;

const overlap = (one: Rectangle, other: Rectangle): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

const within = (inner: Rectangle, outer: Rectangle): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

async function small({ app, page }: Desktop): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setContentSize(900, 600));
  await expect.poll(() => page.evaluate(() => innerHeight)).toBeLessThan(610);
}

async function notice(desktop: Desktop): Promise<Locator> {
  await desktop.page.keyboard.press('Control+1');
  await desktop.page.keyboard.press('Control+Alt+m');
  const told = desktop.page.getByRole('status').filter({ hasText: 'No form is at the caret.' });
  await expect(told).toBeVisible();
  return told;
}

test('A notice covers no part of the window, small or large', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  await desktop.newFile('\n');
  for (const each of ['as it comes up', 'small']) {
    if (each === 'small') await small(desktop);
    const told = await notice(desktop);
    const own = await boxOf(told);
    for (const region of ['Editor', 'REPL', 'Definitions', 'Status bar'])
      expect.soft(overlap(own, await boxOf(desktop.region(region))), `${region}, ${each}`).toBe(false);
    await page.getByRole('textbox', { name: 'REPL input' }).click({ trial: true });
    await told.getByRole('button', { name: 'Dismiss notice' }).click();
    await expect(told).toBeHidden();
  }
});

test('A tooltip leaves the bars free that ask for a decision, of the folder and of a text', async ({ launch }) => {
  const desktop = await launch({ trusted: false });
  const { page } = desktop;
  const told = page.getByRole('tooltip');
  const trust = page.getByRole('status', { name: 'Trust' });
  // A pointer that was not moved since a key was pressed, or since the start, is not looked at.
  await trust.hover();
  await page.getByRole('button', { name: /^Review/ }).hover();
  await expect(told).toBeVisible();
  expect(overlap(await boxOf(told), await boxOf(trust))).toBe(false);

  const file = path.join(desktop.project, 'shop.lisp');
  await writeFile(file, '(defun area (r) r)\n');
  await desktop.openFile(file);
  await expect(desktop.region('Editor')).toContainText('area');
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.type(';; mine');
  await writeFile(file, ';; theirs\n');
  const bar = desktop.region('Editor').getByRole('status').filter({ hasText: 'has other text on disk' });
  await expect(bar).toBeVisible();
  await bar.hover();
  await desktop.region('Editor').getByRole('button', { name: 'Split right' }).hover();
  await expect(told).toContainText('Split');
  expect(overlap(await boxOf(told), await boxOf(bar))).toBe(false);
});

test('In a small window the debugger shows its keys, its frames, its variables and the row to evaluate in', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await small(desktop);
  await desktop.repl('(let ((list (list 1 2))) (length (car list)))');
  await expect(page.getByRole('tab', { name: 'Debugger 1 open' })).toBeVisible();
  await page.keyboard.press('Control+Shift+g');
  const panel = desktop.region('Debugger');
  await expect(panel.getByRole('listbox', { name: 'Frames' })).toBeFocused();
  const dock = await boxOf(panel);
  for (const part of [
    panel.getByRole('note', { name: 'Keys' }),
    panel.getByRole('textbox', { name: 'Evaluate in frame' }),
    panel.getByRole('listbox', { name: 'Frames' }),
    panel.getByRole('group', { name: 'Locals' }),
    panel.getByRole('region', { name: 'Restarts' }).getByRole('button').first(),
  ])
    expect.soft(within(await boxOf(part), dock), String(part)).toBe(true);
  expect((await boxOf(panel.getByRole('listbox', { name: 'Frames' }))).height).toBeGreaterThan(40);
  expect.soft(await cutRings(page)).toEqual([]);
  // The text of the frame has its room above.
  expect((await boxOf(desktop.region('Editor'))).height).toBeGreaterThan(130);
});

test('No focus ring is cut off, in the list of breakpoints and in the other panels', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.newFile('(defun area (r) (* r r))');
  await page.keyboard.press('Alt+Enter');
  await expect(desktop.region('Editor').locator('.inline-value').first()).toContainText('AREA');
  await page.keyboard.press('F9');
  await page.keyboard.press('Control+Shift+g');
  await expect(desktop.region('Debugger').getByRole('button', { name: /^Clear breakpoint/ })).toBeVisible();
  expect.soft(await cutRings(page), 'Breakpoints').toEqual([]);
  for (const keys of [
    'Control+Shift+m',
    'Control+Shift+f',
    'Control+Shift+y',
    'Control+Shift+j',
    'Control+Shift+e',
    'Control+F1',
    'Control+Alt+i',
    'Control+Shift+h',
    'Control+,',
    'F1',
  ]) {
    await page.keyboard.press(keys);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect.soft(await cutRings(page), keys).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('The footer of Definitions says how many of all definitions it counts', async ({ sharedDesktop: desktop }) => {
  await desktop.repl('(dotimes (i 2100) (setf (fdefinition (intern (format nil "F~D" i))) (lambda (x) x)))');
  const foot = desktop.region('Definitions').getByRole('group', { name: 'Show only' });
  await expect(foot).toContainText('2,000 of 2,100 are listed and counted here.');
  await expect(foot.getByRole('button', { name: 'Functions, 2,000' })).toBeVisible();
});

test('A result that is opened at the foot of the editor is scrolled into sight', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  await desktop.newFile(`${'\n'.repeat(60)}(list 1 (make-list 400 :initial-element 'some-symbol))`);
  await page.keyboard.press('Control+Enter');
  await expect(desktop.region('Editor').locator('.inline-value').first()).toBeVisible();
  await page.keyboard.press('Control+Alt+Enter');
  const result = desktop.region('Editor').getByRole('group', { name: /^Result of/ });
  await expect(result).toBeVisible();
  await expect
    .poll(async () => {
      const text = await boxOf(desktop.region('Editor').locator('.monaco-editor').first());
      const box = await boxOf(result);
      return box.y + box.height <= text.y + text.height || box.y <= text.y + 40;
    })
    .toBe(true);
});

test('The line of a frame stays in view where the window leaves the editor less room', async ({
  sharedDesktop: desktop,
}) => {
  const file = path.join(desktop.project, 'deep.lisp');
  const before = Array.from({ length: 25 }, (_, index) => `(defvar *v-${index}* ${index})`).join('\n');
  await writeFile(file, `${before}\n(defun deep (x)\n  (car (+ x 1)))\n`);
  await desktop.openFile(file);
  await expect(desktop.region('Editor')).toContainText('*v-0*');
  await desktop.repl(`(load ${JSON.stringify(file)})`);
  await desktop.repl('(deep 1)');
  await expect(desktop.page.getByRole('tab', { name: 'Debugger 1 open' })).toBeVisible();
  await desktop.page.keyboard.press('Control+Shift+G');
  const editor = desktop.region('Editor');
  await expect(editor.locator('.frame-arrow')).toBeInViewport();
  await small(desktop);
  await expect(editor.locator('.frame-arrow')).toBeInViewport();
  const [arrow, dock] = [await boxOf(editor.locator('.frame-arrow')), await boxOf(desktop.region('Debugger'))];
  expect(overlap(arrow, dock)).toBe(false);
});

test('In a narrow group what is to be done about a file that changed on disk is within the group', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const file = path.join(desktop.project, 'shipping-rates.lisp');
  await writeFile(file, '(defun rate () 1)\n');
  await small(desktop);
  await desktop.openFile(file);
  await expect(desktop.region('Editor')).toContainText('(defun rate () 1)');
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.type(';');
  await writeFile(file, '(defun rate () 2)\n');
  const bar = page.getByRole('status').filter({ hasText: 'has other text on disk' });
  await expect(bar).toHaveCount(1);
  await page.keyboard.press('Control+\\');
  await expect(bar).toHaveCount(2);
  for (const each of await bar.all())
    for (const button of await each.getByRole('button').all())
      expect(within(await boxOf(button), await boxOf(each)), await button.innerText()).toBe(true);
  const [left, right] = [await boxOf(bar.first()), await boxOf(bar.last())];
  expect(overlap(left, right)).toBe(false);
});
