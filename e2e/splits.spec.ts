import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { faultsInBothThemes } from './axe.ts';
import { expect, test, type Desktop } from './fixture.ts';

function group(desktop: Desktop, number: number): Locator {
  return desktop.region('Editor').getByRole('group', { name: `Group ${number}` });
}

function tabs(desktop: Desktop, number: number): Locator {
  return group(desktop, number).getByRole('tab');
}

/** Waits until the text of a group has the keyboard. */
async function hasFocus(desktop: Desktop, number: number): Promise<void> {
  await expect
    .poll(() => group(desktop, number).evaluate((each) => each.querySelector('.monaco-editor.focused') !== null))
    .toBe(true);
}

async function threeFiles(desktop: Desktop): Promise<void> {
  for (const name of ['one', 'two', 'three']) {
    const file = path.join(desktop.project, `${name}.lisp`);
    const lines = Array.from({ length: 120 }, (_, index) => `(defun ${name}-${index + 1} (x) (+ x ${index + 1}))`);
    await writeFile(file, `${lines.join('\n')}\n`);
    await desktop.openFile(file);
    await expect(desktop.page.getByRole('tab', { name: `${name}.lisp` })).toHaveAttribute('aria-selected', 'true');
  }
}

test('A text in two groups is one text with two carets: what is typed in one is in the other, and undo is shared', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.newFile('(defun shared () 1)\n(defun other () 2)\n');
  await page.keyboard.press('Control+\\');
  await hasFocus(desktop, 2);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('; typed on the right');
  await expect(group(desktop, 1)).toContainText('typed on the right');
  await expect(desktop.region('Status bar')).toContainText('Ln 1, Col 21');
  await page.keyboard.press('Control+F6');
  await hasFocus(desktop, 1);
  // The caret of the left group stands where it was, a line below now that nothing was put in front of it.
  await expect(desktop.region('Status bar')).toContainText('Ln 3, Col 1');
  await page.keyboard.press('Control+z');
  await expect(group(desktop, 2)).not.toContainText('on the right');
  await page.keyboard.press('Control+F6');
  await hasFocus(desktop, 2);
});

test('Commands act on the group that has the focus: evaluating, path line, outline, problems, jumps and the way back', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await threeFiles(desktop);
  await page.keyboard.press('Control+\\');
  await hasFocus(desktop, 2);
  // A file that is opened goes into the group with the focus.
  await desktop.openFile(path.join(desktop.project, 'one.lisp'));
  await expect(tabs(desktop, 2)).toHaveText([/three\.lisp/, /one\.lisp/]);
  await hasFocus(desktop, 2);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Alt+Enter');
  await expect(group(desktop, 2).locator('.inline-value')).toContainText('ONE-1');
  await expect(group(desktop, 1).locator('.inline-value')).toHaveCount(0);
  await expect(group(desktop, 2).locator('[data-part="definition"]')).toHaveText('one-1');

  await page.keyboard.press('Control+Shift+F6');
  await hasFocus(desktop, 1);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Alt+Enter');
  await expect(group(desktop, 1).locator('.inline-value')).toContainText('THREE-1');
  await expect(group(desktop, 1).locator('[data-part="definition"]')).toHaveText('three-1');
  await expect(group(desktop, 2).locator('[data-part="definition"]')).toHaveText('one-1');

  // A jump, and back again, in the group that it was made in.
  await page.keyboard.press('Control+End');
  await page.keyboard.type('(one-1 5)');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('F12');
  await expect(tabs(desktop, 1).filter({ hasText: 'one.lisp' })).toHaveAttribute('aria-selected', 'true');
  await expect(desktop.region('Status bar')).toContainText('Ln 1, Col 8');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(tabs(desktop, 1).filter({ hasText: 'three.lisp' })).toHaveAttribute('aria-selected', 'true');
  await expect(tabs(desktop, 2).filter({ hasText: 'one.lisp' })).toHaveAttribute('aria-selected', 'true');

  // A problem that is gone to is shown there, too.
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('(car');
  await expect(group(desktop, 1).locator('.squiggly-error')).toHaveCount(1);
  await page.keyboard.press('Control+F6');
  await hasFocus(desktop, 2);
  await page.keyboard.press('F8');
  await expect(tabs(desktop, 2).filter({ hasText: 'three.lisp' })).toHaveAttribute('aria-selected', 'true');
  await expect(desktop.region('Status bar')).toContainText('Ln 122');
});

test('Groups are made to the right and below, resized, walked through and closed by keys and from the menus', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await threeFiles(desktop);
  await desktop.region('Editor').getByRole('button', { name: 'Split right' }).click();
  await hasFocus(desktop, 2);
  await page.keyboard.press('Alt+Shift+\\');
  await hasFocus(desktop, 3);
  await expect(desktop.region('Editor').getByRole('group', { name: /^Group/ })).toHaveCount(3);
  const edge = desktop.region('Editor').getByRole('separator', { name: 'Width of the group' });
  const before = await group(desktop, 1).boundingBox();
  await edge.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await group(desktop, 1).boundingBox())!.width).toBeGreaterThan(before!.width + 30);
  // The palette gives the keyboard to the group that it went to.
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Focus Next Group');
  await page.keyboard.press('Enter');
  await hasFocus(desktop, 1);
  await page.keyboard.press('Control+Shift+F6');
  await hasFocus(desktop, 3);
  await page.keyboard.press('Control+Shift+W');
  await hasFocus(desktop, 2);
  // Emacs's keys do the same.
  await page.evaluate(() => window.workbench.call('settings.change', { keymap: 'slime' }));
  const shown = page.getByRole('button', { name: 'Command field' }).locator('kbd').first();
  await expect(shown).toHaveAttribute('data-text', 'Alt');
  await page.keyboard.press('Control+x');
  await page.keyboard.press('2');
  await hasFocus(desktop, 3);
  await page.keyboard.press('Control+x');
  await page.keyboard.press('o');
  await expect(page.getByRole('textbox', { name: 'REPL input' })).toBeFocused();
  await page.keyboard.press('Control+F6');
  await hasFocus(desktop, 1);
  await page.keyboard.press('Control+x');
  await page.keyboard.press('1');
  await expect(desktop.region('Editor').getByRole('group', { name: /^Group/ })).toHaveCount(0);
  await page.keyboard.press('Control+x');
  await page.keyboard.press('3');
  await hasFocus(desktop, 2);
  // The last takes the group with it; the text stays open in the other.
  await page.keyboard.press('Control+x');
  await page.keyboard.press('k');
  await expect(desktop.region('Editor').getByRole('group', { name: /^Group/ })).toHaveCount(0);
  await expect(desktop.region('Editor').locator('.monaco-editor.focused')).toHaveCount(1);
  await expect(desktop.region('Editor').getByRole('tab')).toHaveText([/one\.lisp/, /two\.lisp/, /three\.lisp/]);
});

test('A tab is moved to another group by its key and by dragging it, and shows there what it showed', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await threeFiles(desktop);
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+End');
  const last = desktop.region('Editor').getByText('three-120');
  await expect(last.first()).toBeVisible();
  await page.keyboard.press('Control+Shift+PageDown');
  await hasFocus(desktop, 2);
  await expect(tabs(desktop, 1)).toHaveText([/one\.lisp/, /two\.lisp/]);
  await expect(tabs(desktop, 2)).toHaveText([/three\.lisp/]);
  await expect(group(desktop, 2).getByText('three-120').first()).toBeVisible();
  await expect(desktop.region('Status bar')).toContainText('Ln 121');
  await tabs(desktop, 1).filter({ hasText: 'one.lisp' }).dragTo(tabs(desktop, 2).first());
  await expect(tabs(desktop, 2)).toHaveText([/one\.lisp/, /three\.lisp/]);
  await expect(tabs(desktop, 1)).toHaveText([/two\.lisp/]);
});

test('Groups, their sizes, tabs and carets are there again after a restart [D18]', async ({ launch }) => {
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  const first = await launch({ home });
  await first.imageReady();
  await threeFiles(first);
  await first.region('Editor').locator('.monaco-editor').first().click();
  await first.page.keyboard.press('Control+\\');
  await hasFocus(first, 2);
  await first.page.keyboard.press('Control+g');
  await first.page.keyboard.insertText('77');
  await first.page.keyboard.press('Enter');
  await expect(first.region('Status bar')).toContainText('Ln 77');
  await first.page.keyboard.press('Control+Shift+F6');
  await hasFocus(first, 1);
  await first.page.keyboard.press('Control+PageUp');
  await first.region('Editor').getByRole('separator').focus();
  for (let count = 0; count < 6; count += 1) await first.page.keyboard.press('ArrowRight');
  const widths = async (desktop: Desktop): Promise<number[]> => [
    (await group(desktop, 1).boundingBox())!.width,
    (await group(desktop, 2).boundingBox())!.width,
  ];
  const before = await widths(first);
  await first.close();
  const second = await launch({ home, project: first.project });
  await second.imageReady();
  await expect(tabs(second, 1)).toHaveText([/one\.lisp/, /two\.lisp/, /three\.lisp/]);
  await expect(tabs(second, 1).filter({ hasText: 'two.lisp' })).toHaveAttribute('aria-selected', 'true');
  await expect(tabs(second, 2)).toHaveText([/three\.lisp/]);
  const after = await widths(second);
  expect(Math.abs(after[0]! - before[0]!)).toBeLessThan(2);
  await group(second, 2).getByRole('tab').click();
  await second.page.keyboard.press('Control+1');
  await hasFocus(second, 2);
  await expect(second.region('Status bar')).toContainText('Ln 77');
  await second.close();
  await rm(home, { recursive: true, force: true });
});

test('A split editor and an open result have no faults that axe finds, in both themes [D17]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await desktop.newFile('(loop for n below 100 collect (list n (* n n)))\n');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Enter');
  await expect(desktop.region('Editor').locator('.inline-value').first()).toContainText('=> ((0 0)');
  await page.keyboard.press('Control+\\');
  await hasFocus(desktop, 2);
  await page.keyboard.press('Control+Alt+Enter');
  await expect(group(desktop, 2).getByRole('document')).toContainText('(99 9801)');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
});
