/**
 * Stories about approving the person's own code while an agent's change is not accepted: the setting, the card, and the messages of the
 * window.
 */
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '../../desktop/fixture.ts';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { approve, deny, openReview, radio } from '../../desktop/reviewing.ts';

test('The person’s own code waits while what an agent evaluated is not accepted [issue 34.3]', async ({ desktop }) => {
  const { page } = desktop;
  const kept = path.join(desktop.project, 'kept.txt');
  await writeFile(kept, 'text');
  const form = `(delete-file "${kept}")`;
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: `(defvar *form* '${form})` });

  await page.getByRole('button', { name: 'Protection: guard on', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Protection of/ });
  await expect(dialog).toContainText('collaborate mode');
  await expect(dialog.getByRole('list', { name: 'Evaluations that you have not accepted' })).toContainText('*form*');
  await dialog.getByRole('radio', { name: 'On' }).click({ force: true });
  await expect(page.getByRole('button', { name: /asks you too/, includeHidden: true })).toBeVisible();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.keyboard.press('Escape');

  await desktop.repl('(eval *form*)');
  const review = await openReview(desktop);
  await expect(review.getByRole('heading', { name: /^Delete kept.txt/ })).toBeVisible();
  await expect(review.getByText('Agents evaluated', { exact: true })).toBeVisible();
  await review.getByRole('button', { name: 'Review…', exact: true }).click();
  await expect(dialog).toContainText('*form*');
  await page.keyboard.press('Escape');
  await deny(review, 'Not now');
  await stat(kept);

  await desktop.repl('(eval *form*)');
  await openReview(desktop);
  await radio(review, /^Until an agent changes something/).click();
  await approve(review);
  await expect.poll(() => stat(kept).catch(() => null)).toBeNull();
  await expect(page.getByRole('button', { name: /asks you after agents/ })).toBeVisible();
  await writeFile(kept, 'again');
  await desktop.repl('(eval *form*)');
  await expect.poll(() => stat(kept).catch(() => null)).toBeNull();
});

test('What agents evaluated is accepted in the dialog, and the setting holds after a restart [issue 34.3]', async ({
  launch,
}) => {
  const first = await launch();
  await first.imageReady();
  await first.page.evaluate(() => window.workbench.call('settings.change', { asksPerson: true }));
  const agent = await first.agent('codex');
  await agent.call('evaluate-lisp', { code: '(defvar *left* 1)' });
  await first.page.getByRole('button', { name: /^Protection: guard on, asks you too/ }).click();
  const dialog = first.page.getByRole('dialog', { name: /^Protection of/ });
  await dialog.getByRole('button', { name: 'Accept These' }).click();
  await expect(dialog).toContainText('not evaluated anything since you accepted');
  await first.page.keyboard.press('Escape');
  await expect(first.page.getByRole('button', { name: /asks you after agents/ })).toBeVisible();
  const { home, project } = first;
  await first.close();
  const second = await launch({ home, project });
  await second.imageReady();
  await expect(second.page.getByRole('button', { name: /asks you after agents/ })).toBeVisible();
});
