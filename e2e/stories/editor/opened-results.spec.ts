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
  // The text has the room between the lines: what follows is below it.
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
  // Typing in the form takes its result away, open or not.
  await editor
    .locator('.monaco-editor')
    .first()
    .click({ position: { x: 300, y: 12 } });
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('x');
  await expect(opened).toHaveCount(0);
});

test('Open Result goes by keys alone: into the text, to what was printed, and back by Escape', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const editor = desktop.region('Editor');
  await desktop.newFile('(progn (format t "~{line ~D~%~}" (list 1 2 3)) (values 1 (list 2 3)))\n');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+Enter');
  await expect(editor.locator('.inline-value')).toContainText('=> 1, (2 3)');
  await page.keyboard.press('Control+Alt+Enter');
  const opened = editor.getByRole('group', { name: /^Result of/ });
  await expect(opened).toContainText('2 values in');
  await expect(opened.getByRole('document')).toBeFocused();
  // What was printed is asked for once the result is open.
  await expect(opened.getByRole('button', { name: /^Output/ })).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(opened.getByRole('button', { name: /^Output/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opened).toHaveCount(0);
  // The first Escape closes what is open, the second clears the line.
  await expect(editor.locator('.inline-value')).toHaveCount(1);
  await expect(editor.locator('.monaco-editor.focused')).toHaveCount(1);
  await page.keyboard.press('Control+Alt+Enter');
  await opened.getByRole('button', { name: /^Output/ }).press('Enter');
  await expect(editor.getByRole('tab', { selected: true })).toContainText('Output of');
  await expect(editor).toContainText('line 3');
  await page.keyboard.press('Control+w');
  await page.keyboard.press('Escape');
  await expect(editor.locator('.inline-value')).toHaveCount(0);
});

test('An error opens with its whole message and its backtrace', async ({ sharedDesktop: desktop }) => {
  const { page } = desktop;
  const editor = desktop.region('Editor');
  await page.evaluate(() => window.workbench.call('settings.change', { onError: 'report' }));
  await desktop.newFile('(defun deep (x) (error "No ~A,~%and no other ~A." x x))\n(deep "thing")\n');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Alt+Enter');
  await expect(editor.locator('.inline-value')).toContainText('DEEP');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Alt+Enter');
  await expect(editor.locator('.inline-failed')).toContainText('No thing, and no other thing.');
  await editor.locator('.inline-failed').click();
  const opened = editor.getByRole('group', { name: 'Result of (deep "thing")' });
  await expect(opened).toContainText('failed after');
  await expect(opened.getByRole('list', { name: 'Backtrace' })).toContainText('DEEP');
});
