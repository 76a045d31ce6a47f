/** Stories in which a person follows the tour in the first hour, from a first start with nothing open to their own passing test. */
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { openDist, simpleProject } from '../../../main/core/libraries/dist.fixture.ts';
import type { Locator } from '@playwright/test';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

test('A newcomer goes from the first start through every step of the tour to a green test of their own [issue 12.2]', async ({
  launch,
}) => {
  const dist = await openDist({ alexandria: simpleProject('alexandria') }, { bare: true });
  const env = { HOME: dist.home, LISP_WORKBENCH_DISTS: dist.address, LISP_WORKBENCH_QUICKLISP_CLIENT: dist.client };
  const desktop = await launch({ withoutFolder: true, env });
  const { page, app } = desktop;
  const place = await realpath(desktop.project);
  const editor = desktop.region('Editor');
  const tour = desktop.region('Tour');
  await desktop.imageReady();
  await expect(editor).toContainText('Everything is ready.');
  await editor.getByRole('button', { name: 'Show the checks' }).click();
  await expect(editor.getByRole('listitem').filter({ hasText: 'Lisp: ready' })).toContainText('SBCL');
  await expect(editor.getByRole('listitem').filter({ hasText: 'Port' })).toContainText('MCP listens on 127.0.0.1:');
  expect(await faultsInBothThemes(desktop)).toEqual([]);

  await app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
  }, place);
  await editor.getByRole('button', { name: 'Start the tour…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start the tour' });
  await dialog.getByRole('button', { name: 'Choose…' }).click();
  await expect(dialog.getByRole('textbox', { name: 'In folder' })).toHaveValue(place);
  await dialog.getByRole('textbox', { name: 'In folder' }).press('Enter');
  await expect(tour).toContainText('Evaluate a form');
  await expect(page.getByText('lisp-tour/tests: Loaded')).toBeVisible();

  // Evaluates a form.
  await caretAt(desktop, 5, 'End');
  await page.keyboard.press('Control+Enter');
  await expect(editor).toContainText('=> 15');
  await expect(tour).toContainText('Done');
  await page.setViewportSize({ width: 900, height: 600 });
  await expect(tour.getByRole('button', { name: 'Next step' })).toBeInViewport();
  await page.setViewportSize({ width: 1600, height: 1000 });
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.keyboard.press('Control+;');
  await page.keyboard.press('n');

  // Inspects the value.
  await expect(tour).toContainText('Inspect a value');
  await caretAt(desktop, 7, 'End');
  await page.keyboard.press('Control+i');
  await expect(desktop.region('Inspector')).toContainText('apples');
  await goOn(tour);

  // Completes a name.
  await expect(tour).toContainText('Complete a name');
  await editor.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('(average-p');
  await expect(page.locator('.suggest-widget.visible .monaco-list-row.focused')).toContainText('average-price');
  await page.keyboard.press('Tab');
  await page.keyboard.type(' *basket*)');
  await goOn(tour);

  // Goes to a definition and back.
  await expect(tour).toContainText('Go to a definition, and back');
  await caretAt(desktop, 9, 'Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F12');
  await expect(page.getByRole('tab', { name: 'basket.lisp', selected: true })).toBeVisible();
  await expect(tour).not.toContainText('Done');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page.getByRole('tab', { name: 'try.lisp', selected: true })).toBeVisible();
  await goOn(tour);

  // Causes an error, looks at it in the debugger, and leaves the debugger.
  await expect(tour).toContainText('Meet an error');
  await caretAt(desktop, 9, 'End');
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await desktop.snapshot()).session.state).toBe('debugging');
  await page.keyboard.press('Control+Shift+g');
  await expect(desktop.region('Debugger')).toContainText('DIVISION-BY-ZERO');
  await page.keyboard.press('Shift+F5');
  await goOn(tour);

  // The test fails until the bug in the function is fixed. The tour offers to fix it.
  await expect(tour).toContainText('Fix the function');
  await page.keyboard.press('Control+;');
  await page.keyboard.press('a');
  await expect(page.getByText(/3 tests: 2 passed, 1/)).toBeVisible();
  await tour.getByRole('button', { name: 'Do it for me' }).click();
  await expect(editor).toContainText('(if (null basket)');
  await goOn(tour);
  await expect
    .poll(() => readFile(path.join(place, 'lisp-tour', 'src', 'basket.lisp'), 'utf8'))
    .toContain('(if (null basket)');

  // It passes.
  await expect(tour).toContainText('See the test pass');
  await page.keyboard.press('Control+;');
  await page.keyboard.press('a');
  await expect(page.getByText('3 tests: 3 passed.')).toBeVisible();
  await goOn(tour);

  // Writes a test.
  await expect(tour).toContainText('Write a test of your own');
  await desktop.openFile(path.join(place, 'lisp-tour', 'tests', 'basket.lisp'));
  await expect(page.getByRole('tab', { name: 'basket.lisp', selected: true })).toBeVisible();
  await caretAt(desktop, 2, 'End');
  await page.keyboard.insertText('\n(deftest dear-tea (basket-total (last *basket*)) 8)\n');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Control+;');
  await page.keyboard.press('c');
  await expect(page.getByText('1 test: 1 passed.')).toBeVisible();
  await expect(tour).toContainText('Done');

  // After a restart the tour is at the same step.
  await page.keyboard.press('Control+`');
  await desktop.close();
  const again = await launch({ home: desktop.home, withoutFolder: true, env });
  const tourAgain = again.region('Tour');
  await expect(tourAgain).toContainText('Write a test of your own');
  await expect(tourAgain).toContainText('Done');
  await tourAgain.getByRole('button', { name: 'Open lisp-tour again' }).click();
  await expect(tourAgain.getByRole('button', { name: 'Open lisp-tour again' })).toHaveCount(0);
  expect((await again.snapshot()).project?.trusted).toBe(true);
  await tourAgain.getByRole('button', { name: 'Next step' }).click();
  await expect(tourAgain).toContainText('Load a library');
  await again.page.getByRole('button', { name: 'Libraries', exact: true }).click();
  const libraries = again.region('Libraries');
  await libraries.getByRole('button', { name: 'Set Up Quicklisp' }).click();
  await libraries.getByRole('option', { name: 'alexandria' }).click();
  await libraries.getByRole('button', { name: 'Load alexandria' }).click();
  await expect(tourAgain).toContainText('Done');
  await tourAgain.getByRole('button', { name: 'Next step' }).click();
  await expect(tourAgain).toContainText('Let an agent ask');
  await tourAgain.getByRole('button', { name: 'Do it for me' }).click();
  await expect(again.page.getByRole('dialog', { name: /Connect/ })).toBeVisible();
  await again.page.keyboard.press('Escape');
  await expect(tourAgain).toContainText('Done');
  await tourAgain.getByRole('button', { name: 'End the tour' }).click();
  await expect(tourAgain).toHaveCount(0);
  await dist.close();
});

test('Do it for me does each step of the tour, and the tour notices that it was done [issue 12.2]', async ({
  launch,
}) => {
  const dist = await openDist({ alexandria: simpleProject('alexandria') }, { bare: true });
  const env = { HOME: dist.home, LISP_WORKBENCH_DISTS: dist.address, LISP_WORKBENCH_QUICKLISP_CLIENT: dist.client };
  const desktop = await launch({ withoutFolder: true, env });
  const { page } = desktop;
  const tour = desktop.region('Tour');
  await desktop.imageReady();
  await desktop.region('Editor').getByRole('button', { name: 'Start the tour…' }).click();
  const field = page.getByRole('dialog', { name: 'Start the tour' }).getByRole('textbox', { name: 'In folder' });
  await field.fill(desktop.project);
  await field.press('Enter');
  await expect(page.getByText('lisp-tour/tests: Loaded')).toBeVisible();
  const steps = tour.getByRole('list', { name: 'Steps' }).getByRole('button');
  const count = await steps.count();
  for (let at = 0; at < count; at += 1) {
    await expect(steps.nth(at)).toHaveAttribute('aria-current', 'step');
    await tour.getByRole('button', { name: 'Do it for me' }).click();
    const rest = tour.getByRole('button', { name: 'Do the rest for me' });
    const done = tour.getByText('Done', { exact: true });
    await expect(rest.or(done)).toBeVisible();
    if (await rest.isVisible()) await rest.click();
    await expect(done).toBeVisible();
    if (at === count - 1) await page.keyboard.press('Escape');
    await tour.getByRole('button', { name: at === count - 1 ? 'End the tour' : 'Next step' }).click();
  }
  await expect(tour).toHaveCount(0);
  await dist.close();
});

/** Puts the caret at the start or end of a line of the text, counted from 1. */
async function caretAt(desktop: Desktop, line: number, end: 'Home' | 'End'): Promise<void> {
  const { page } = desktop;
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+Home');
  for (let at = 1; at < line; at += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press(end);
  await expect(desktop.region('Status bar')).toContainText(`Ln ${line},`);
}

async function goOn(tour: Locator): Promise<void> {
  await expect(tour).toContainText('Done');
  await tour.getByRole('button', { name: 'Next step' }).click();
}
