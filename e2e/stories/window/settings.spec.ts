/** Stories about the settings: they can be found, changed and reset, invalid values are rejected, and the settings survive a restart. */
import type { Locator, Page } from '@playwright/test';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

async function openSettings(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+,');
  return page.getByRole('dialog', { name: 'Settings' });
}

const settingsOf = async (desktop: Desktop): Promise<Record<string, unknown>> => (await desktop.snapshot()).settings;

test('Settings are found by other words, refused with a reason, reset, and kept over a restart [D15]', async ({
  launch,
}) => {
  const first = await launch();
  await first.imageReady();
  const { page } = first;
  const dialog = await openSettings(page);
  // A setting is found by a synonym, and Escape shows all settings again.
  await page.keyboard.type('paredit');
  await expect(dialog.getByRole('radiogroup')).toHaveCount(1);
  await expect(dialog.getByRole('group', { name: 'Keys and typing' })).toContainText('Guard parentheses');
  await page.keyboard.type(' nothing');
  await expect(dialog).toContainText('No setting matches “paredit nothing”.');
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveCount(7);
  await expect(dialog.getByRole('button', { name: /^Reset/ })).toHaveCount(0);
  await dialog.getByRole('radiogroup', { name: 'Guard parentheses' }).getByText('Strict').click();
  await dialog.getByRole('radiogroup', { name: 'Indent pasted text' }).getByText('Off').click();
  await expect(dialog).toContainText('changes that unbalance a form are refused');

  // A path that is not a file is rejected with a message below its field. The field keeps the text, and the setting does not change.
  const sbcl = dialog.getByRole('textbox', { name: 'SBCL' });
  await sbcl.fill('/nowhere/sbcl');
  await sbcl.press('Enter');
  await expect(dialog).toContainText('There is no program at /nowhere/sbcl.');
  await expect(sbcl).toHaveValue('/nowhere/sbcl');
  await sbcl.fill('');
  await sbcl.press('Enter');
  await expect(dialog).not.toContainText('There is no program at');
  await dialog.getByRole('textbox', { name: 'Heap' }).fill('704');
  await dialog.getByRole('textbox', { name: 'Heap' }).press('Enter');
  await dialog.getByRole('textbox', { name: 'Font of code' }).fill('DejaVu Sans Mono');
  await dialog.getByRole('textbox', { name: 'Font of code' }).press('Enter');
  await dialog.getByRole('radiogroup', { name: 'Contrast' }).getByText('High').click();
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'more');
  await expect(dialog.getByRole('button', { name: /^Reset/ })).toHaveCount(5);
  await page.screenshot({ path: 'out/playwright/settings.png' });
  expect(await faultsInBothThemes(first)).toEqual([]);
  await dialog.getByRole('button', { name: 'Reset Contrast' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-contrast', 'system');

  // The heap size takes effect at the next start of the image. The dialog offers to restart the image.
  await dialog.getByRole('button', { name: 'Restart Image…' }).click();
  await page.getByRole('button', { name: 'Restart', exact: true }).click();
  await first.imageReady();
  await first.repl('(floor (sb-ext:dynamic-space-size) 1048576)');
  await expect(first.region('REPL')).toContainText('=> 704, 0');
  const kept = await settingsOf(first);
  await first.close();
  const again = await launch({ home: first.home, project: first.project });
  expect(await settingsOf(again)).toEqual(kept);
  expect(kept).toMatchObject({
    structuralEditing: 'strict',
    indentOnPaste: false,
    heapMegabytes: 704,
    codeFont: 'DejaVu Sans Mono',
    contrast: 'system',
    sbcl: '',
  });

  // The editor uses the settings for the font, for wrapping long lines, and for indenting new lines automatically.
  await again.newFile(`(defun f (x)\n  ${'(list x) '.repeat(80)})`);
  const text = again.region('Editor').locator('.monaco-editor .view-lines');
  expect(await text.evaluate((element) => getComputedStyle(element).fontFamily)).toMatch(/^"?DejaVu Sans Mono/);
  const lines = text.locator('.view-line');
  const unwrapped = await lines.count();
  await again.page.keyboard.press('Alt+z');
  await expect.poll(() => lines.count()).toBeGreaterThan(unwrapped);
  await again.page.keyboard.press('Alt+z');
  await expect(lines).toHaveCount(unwrapped);
  const settings = await openSettings(again.page);
  await settings.getByRole('radiogroup', { name: 'Indent new lines' }).getByText('Off').click();
  await expect(settings).toContainText('keeps the column of the previous line');
  await settings.getByRole('button', { name: 'Done' }).click();
  await again.newFile('    (when a');
  await again.page.keyboard.press('Enter');
  await again.page.keyboard.insertText('b');
  await expect(again.region('Status bar')).toContainText('Ln 2, Col 6');
});
