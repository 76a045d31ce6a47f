import { expect, test } from '../../desktop/fixture.ts';

const LONG = '(loop for row below 60 collect (list :row row :squares (loop for n below 12 collect (* row n))))';

test('A result that its line cannot hold opens below the form by a click, scrolls, folds, and its values open in the inspector', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const editor = desktop.region('Editor');
  await desktop.newFile(`${LONG}\n\n(values 1 2)\n`);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Enter');
  await expect(editor.locator('.inline-value').first()).toContainText('=> ((:ROW 0');
  await editor.locator('.inline-link', { hasText: 'Open' }).click();
  const opened = editor.getByRole('group', { name: /^Result of \(loop for row/ });
  await expect(opened).toContainText('1 value in');
  await expect(opened).toContainText(':ROW 59');
  const text = opened.getByRole('document');
  // The expanded result takes up space between the lines, so that the following text is below it.
  const below = await editor.getByText('(values 1 2)').first().boundingBox();
  const box = (await opened.boundingBox())!;
  expect(below!.y).toBeGreaterThanOrEqual(box.y + box.height - 2);
  expect(await text.evaluate((each) => each.scrollHeight > each.clientHeight)).toBe(true);
  await text.focus();
  await page.keyboard.press('End');
  await expect.poll(() => text.evaluate((each) => each.scrollTop)).toBeGreaterThan(0);
  await opened.getByRole('button', { name: 'Fold result' }).click();
  await expect(text).toHaveCount(0);
  await expect.poll(async () => (await opened.boundingBox())!.height).toBeLessThan(box.height / 2);
  await opened.getByRole('button', { name: 'Unfold result' }).click();
  await text.getByRole('button', { name: /^Inspect/ }).click({ position: { x: 20, y: 8 } });
  await expect(desktop.region('Inspector')).toContainText('A list of type');
  // Typing in the form removes its result, expanded or not.
  await editor
    .locator('.monaco-editor')
    .first()
    .click({ position: { x: 300, y: 12 } });
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('x');
  await expect(opened).toHaveCount(0);
});
