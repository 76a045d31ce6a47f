/** Stories in which a person sets and removes marks that record the values of forms, and reads and replays the recorded values. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { choose } from '../../desktop/emacs-keys.ts';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

const CODE = `(in-package :cl-user)

(defun area (x)
  (let ((side (abs x)))
    (list :area (* side side))))

(defun half (x)
  (floor x 2))
`;

const chips = (desktop: Desktop): Locator => desktop.region('Editor').locator('.inline-chip.inline-value');
const marks = (desktop: Desktop): Locator => desktop.region('Editor').locator('.recorded-form');
const rows = (desktop: Desktop): Locator =>
  desktop.region('Trace').getByRole('tree', { name: 'Recorded values' }).getByRole('treeitem');

async function run(desktop: Desktop, command: string): Promise<void> {
  await desktop.page.keyboard.press('Control+Shift+P');
  await desktop.page.keyboard.insertText(command);
  await desktop.page.keyboard.press('Enter');
}

/** Puts the caret after this form, which must occur only once in the text. */
async function behind(desktop: Desktop, form: string): Promise<void> {
  const { page } = desktop;
  await desktop
    .region('Editor')
    .locator('.view-lines')
    .click({ position: { x: 30, y: 5 } });
  await page.keyboard.press('Control+f');
  await page.keyboard.insertText(form);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
}

async function evaluate(desktop: Desktop, code: string, value: string): Promise<void> {
  await desktop.page.getByRole('tab', { name: 'REPL' }).click();
  await desktop.repl(code);
  await expect(
    desktop
      .region('REPL')
      .getByRole('button', { name: `Inspect ${value}` })
      .last(),
  ).toBeVisible();
}

const text = async (locator: Locator): Promise<string> =>
  (await locator.allTextContents()).join('|').replaceAll('\u00a0', ' ');

test('Values of a form are recorded as code runs, stand beside it, and are replayed, inspected and ended [issue 12.11]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const panel = desktop.region('Trace');
  const file = path.join(desktop.project, 'area.lisp');
  await writeFile(file, CODE);
  await desktop.openFile(file);
  await expect(desktop.region('Editor').locator('.view-lines')).toContainText('defun');

  // A key marks a form: its definition is compiled with the mark, and the text is not changed.
  await behind(desktop, '(* side side)');
  await page.keyboard.press('Control+F9');
  await expect(marks(desktop)).not.toHaveCount(0);
  await expect(desktop.region('Editor').locator('.inline-chip.inline-time')).toHaveText('records');
  await behind(desktop, '(floor x 2)');
  await page.keyboard.press('Control+F9');
  await expect(desktop.region('Editor').locator('.inline-chip.inline-time')).toHaveCount(2);

  // The newest value and the number of values are shown next to the form.
  await evaluate(desktop, '(list (area -3) (area 4) (half 5))', '((:AREA 9) (:AREA 16) 2)');
  await expect.poll(() => text(chips(desktop))).toBe('→ 16|→ 2, 1');
  await expect(desktop.region('Editor').locator('.inline-chip.inline-time').first()).toContainText('×2');

  // An agent's evaluations are recorded with the agent's name.
  const agent = await desktop.agent('claude-code');
  expect((await agent.call('evaluate-lisp', { code: '(area 5)' })).isError).toBe(false);
  await expect.poll(() => text(chips(desktop))).toBe('→ 25|→ 2, 1');
  await agent.close();

  // One list shows all recordings. The arrow keys replay them at their forms, and Enter inspects the value.
  await run(desktop, 'recorded values: focus');
  await expect(rows(desktop)).toHaveCount(4);
  await expect(rows(desktop).first()).toHaveAccessibleName(/^area \(\* side side\) → 9 /);
  await expect(rows(desktop).nth(2)).toHaveAccessibleName(/^half \(floor x 2\) → 2, 1 /);
  await expect(rows(desktop).last().getByRole('img', { name: 'claude-code' })).toBeVisible();
  await expect(panel.getByRole('status')).toHaveText('4 evaluations');
  await rows(desktop).first().click();
  await expect.poll(() => text(chips(desktop))).toBe('→ 9|→ 2, 1');
  await expect(desktop.region('Editor').locator('.recorded-chosen').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => text(chips(desktop))).toBe('→ 16|→ 2, 1');
  await page.keyboard.press('Alt+F9');
  await expect(rows(desktop).nth(2)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Shift+Alt+F9');
  await expect(rows(desktop).nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(desktop.region('Inspector').getByText('16', { exact: true }).first()).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('values.png') });
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('values-other.png') });

  // A click on a value next to its form selects the recording of that value in the list.
  await chips(desktop).last().click();
  await expect(rows(desktop).nth(2)).toHaveAttribute('aria-selected', 'true');

  // Code that is only a part of another form's syntax is not evaluated. Marking it is rejected with a message, and the definition is not
  // changed.
  await behind(desktop, '(side (abs x))');
  await page.keyboard.press('Control+F9');
  await expect(page.getByText(/^\(side \(abs x\)\) is not recorded\. This is part of the syntax/)).toBeVisible();
  await evaluate(desktop, '(list :again (area 6))', '(:AGAIN (:AREA 36))');
  await run(desktop, 'recorded values: focus');
  await expect(rows(desktop)).toHaveCount(5);

  // A mark moves with the text around it, and is shown as stale if its own text has changed.
  await behind(desktop, '(in-package :cl-user)');
  await page.keyboard.insertText('\n\n;; a line more');
  await expect(marks(desktop)).not.toHaveCount(0);
  await behind(desktop, '(* side');
  await page.keyboard.insertText(' 1');
  await expect(desktop.region('Editor').locator('.recorded-stale').first()).toBeVisible();
  await expect(desktop.region('Editor').locator('.inline-chip.inline-time').first()).toContainText('record it again');
  await page.screenshot({ path: test.info().outputPath('stale.png') });
  await page.keyboard.press('Control+z');
  await expect(desktop.region('Editor').locator('.recorded-stale')).toHaveCount(0);

  // Removing a mark compiles its definition without the mark. A definition that is compiled again loses its marks.
  await behind(desktop, '(floor x 2)');
  await page.keyboard.press('Control+F9');
  await expect(page.getByText('Values of (floor x 2) in HALF are no longer recorded.')).toBeVisible();
  await expect(rows(desktop)).toHaveCount(4);
  await behind(desktop, '(* side side)');
  await page.keyboard.press('Alt+Shift+Enter');
  await expect(
    page.getByText('Values of (* side side) in AREA are no longer recorded: AREA was redefined.'),
  ).toBeVisible();
  await expect(marks(desktop)).toHaveCount(0);
  await expect(panel.getByText('No form is recorded.')).toBeVisible();

  // In SLIME's keymap, SLY's keys for recordings do the same.
  await choose(desktop, 'slime');
  for (const key of ['Control+c', 'Control+s', 'Control+s']) await page.keyboard.press(key);
  await expect(marks(desktop)).not.toHaveCount(0);
  for (const key of ['Control+c', 'Control+s', 'Control+k']) await page.keyboard.press(key);
  await expect(
    page.getByText('Values of (* side side) in AREA are no longer recorded.', { exact: true }),
  ).toBeVisible();
  await expect(marks(desktop)).toHaveCount(0);
});
