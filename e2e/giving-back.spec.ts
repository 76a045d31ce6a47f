/** The keyboard goes back to the text it came from: by Escape out of what a command opened, and when that is hidden. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test, type Desktop } from './fixture.ts';

/** The keys of each command that takes the focus from the text, and the region or dialog that gets it. */
const PANELS = [
  ['Shift+F12', 'References'],
  ['Control+F1', 'Documentation'],
  ['Control+Alt+I', 'Inspector'],
  ['Control+Shift+X', 'Agent'],
  ['Control+Shift+M', 'Problems'],
  ['Control+Shift+F', 'Search'],
  ['Control+Shift+U', 'Output'],
  ['Control+Shift+G', 'Debugger'],
  ['Control+Shift+E', 'Files'],
  ['Control+Shift+D', 'Definitions'],
  ['Control+Shift+Y', 'Systems'],
  ['Control+Shift+J', 'Clients'],
  ['Control+Shift+H', 'Activity'],
] as const;

const DIALOGS = ['Control+Shift+P', 'Control+P', 'Control+T', 'Control+Shift+R', 'Control+,', 'F1'] as const;

const focusedRegion = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('data-region') ?? null);

const editorText = (desktop: Desktop) => desktop.region('Editor').locator('.native-edit-context').first();

async function withText(desktop: Desktop): Promise<void> {
  await desktop.newFile('(defun area (r) (* r r))');
  await desktop.page.keyboard.press('Control+Home');
  for (let step = 0; step < 8; step += 1) await desktop.page.keyboard.press('ArrowRight');
  await expect(editorText(desktop)).toBeFocused();
}

test('Escape in each panel that took the keyboard gives it back to the text of the editor', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await withText(desktop);
  for (const [keys, region] of PANELS) {
    await page.keyboard.press(keys);
    await expect.poll(() => focusedRegion(page), region).toBe(region);
    await page.keyboard.press('Escape');
    await expect(editorText(desktop), `after Escape in ${region}`).toBeFocused();
  }
  // Keys of the editor act at once.
  await page.keyboard.press('Shift+F12');
  await expect.poll(() => focusedRegion(page)).toBe('References');
  await page.keyboard.press('Escape');
  await page.keyboard.press('F2');
  await expect(desktop.region('Editor').getByRole('textbox', { name: /^Rename input/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(editorText(desktop)).toBeFocused();
});

test('Escape in a dialog or in the palette gives the keyboard back to the text of the editor', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await withText(desktop);
  for (const keys of DIALOGS) {
    await page.keyboard.press(keys);
    await expect(page.getByRole('dialog'), keys).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(editorText(desktop), `after Escape from ${keys}`).toBeFocused();
  }
});

test('Escape gives the keyboard back to where it was in a text, through several panels and out of another REPL tab', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await withText(desktop);
  await page.keyboard.press('Shift+F12');
  await expect.poll(() => focusedRegion(page)).toBe('References');
  await page.keyboard.press('Control+Shift+M');
  await expect.poll(() => focusedRegion(page)).toBe('Problems');
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('Control+Shift+E');
  await expect.poll(() => focusedRegion(page)).toBe('Files');
  await page.keyboard.press('Escape');
  await expect(editorText(desktop)).toBeFocused();
  const input = page.getByRole('textbox', { name: 'REPL input' });
  await page.keyboard.press('Control+`');
  await expect(input).toBeFocused();
  await page.keyboard.press('Control+Shift+M');
  await expect(input).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(input).toBeFocused();
  await expect(input).toBeVisible();
});

test('A list that becomes empty leaves the keyboard in its panel', async ({ sharedDesktop: desktop }) => {
  const { page, project } = desktop;
  const file = path.join(project, 'only.lisp');
  await writeFile(file, '(list)\n');
  await withText(desktop);
  await page.keyboard.press('Control+Shift+E');
  await expect(desktop.region('Files')).toContainText('only.lisp');
  await desktop.region('Files').getByRole('tree').focus();
  await rm(file);
  await expect(desktop.region('Files')).toContainText('The folder holds no files.');
  await expect.poll(() => focusedRegion(page)).toBe('Files');
  await page.keyboard.press('Escape');
  await expect(editorText(desktop)).toBeFocused();
});

test('Hiding the panel that has the keyboard gives it back to the text', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  await withText(desktop);
  for (const [show, region, hide] of [
    ['Control+Shift+M', 'Problems', 'Control+J'],
    ['Control+F1', 'Documentation', 'Control+Shift+L'],
    ['Control+Shift+Y', 'Systems', 'Control+B'],
  ] as const) {
    await page.keyboard.press(show);
    await expect.poll(() => focusedRegion(page), region).toBe(region);
    await page.keyboard.press(hide);
    await expect(desktop.region(region)).toBeHidden();
    await expect(editorText(desktop), `after ${region} was hidden`).toBeFocused();
  }
});

test('A dock that is hidden from the REPL stays hidden, and the keyboard is in the editor', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await withText(desktop);
  await page.keyboard.press('Control+`');
  await expect(page.getByRole('textbox', { name: 'REPL input' })).toBeFocused();
  await page.keyboard.press('Control+j');
  await expect(desktop.region('REPL')).toBeHidden();
  await expect(editorText(desktop)).toBeFocused();
});

test('Escape on a button of the REPL leads to its input', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  await withText(desktop);
  await desktop.repl('(list 1 2)');
  await desktop.region('REPL').getByRole('button', { name: 'Inspect (1 2)' }).focus();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'REPL input' })).toBeFocused();
});
