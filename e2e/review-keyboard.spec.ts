/** Review with the keyboard alone. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { expect, test } from './fixture.ts';
import { button, deleting, openReview, ORIGINAL, press, propose, radio } from './reviewing.ts';

test('Hunks and effects are decided with the keyboard alone, and never by Enter [D13, D17]', async ({
  sharedDesktop: desktop,
}) => {
  const file = path.join(desktop.project, 'shop.lisp');
  await writeFile(file, ORIGINAL);
  const agent = await desktop.agent('codex');
  const edit = propose(agent);
  const review = await openReview(desktop);
  const tabTo = async (target: Locator): Promise<void> => {
    await expect(target).toBeVisible();
    for (let steps = 0; steps < 30; steps += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await review.keyboard.press('Tab');
    }
    await expect(target).toBeFocused();
  };
  await tabTo(review.getByRole('checkbox', { name: 'Take defun tax' }));
  await review.keyboard.press('Space');
  await expect(button(review, 'Approve')).toBeEnabled();
  await tabTo(button(review, 'Approve'));
  await review.keyboard.press('Enter');
  expect(await readFile(file, 'utf8')).toBe(ORIGINAL);
  await review.keyboard.press('Space');
  expect((await edit).text).toContain('took 2 of 3 hunks');

  const effect = agent.call('evaluate-lisp', deleting(file));
  const proceed = radio(review, /^Proceed once/);
  await tabTo(proceed);
  await expect(button(review, 'Approve')).toBeEnabled();
  for (const key of ['Enter', 'y', 'a']) await review.keyboard.press(key);
  await stat(file);
  for (let steps = 0; steps < 4; steps += 1) await review.keyboard.press('ArrowDown');
  await expect(radio(review, /^Deny/)).toBeChecked();
  await review.keyboard.press('Tab');
  await review.keyboard.insertText('By the keyboard.');
  await review.keyboard.press('Escape');
  await expect(radio(review, /^Deny/)).toBeFocused();
  await tabTo(button(review, 'Deny'));
  await review.keyboard.press('Space');
  expect((await effect).text).toMatch(/EFFECT-DENIED[^]*By the keyboard\./);
  await stat(file);
});

test('The keys F7, F6 and Tab lead from card to card, to the regions and into the card [D13, D17]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  const calls = ['a', 'b'].map((name) => agent.call('write-file', { path: `${name}.lisp`, content: '1' }));
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(2);
  const review = await openReview(desktop);
  /** Presses a key as the keyboard does: the main process hears it before the page. */
  const key = (view: 'workbench' | 'approval', keyCode: string, modifiers: 'shift'[] = []): Promise<void> =>
    desktop.app.evaluate(
      ({ webContents }, sent) => {
        const contents = webContents.getAllWebContents().find((each) => each.getURL().startsWith(sent.url))!;
        for (const type of ['keyDown', 'keyUp'] as const)
          contents.sendInputEvent({ type, keyCode: sent.keyCode, modifiers: sent.modifiers });
      },
      { url: `app://${view}/`, keyCode, modifiers },
    );
  const card = review.getByRole('article');
  await expect(card).toBeFocused();
  const first = await card.getByRole('heading').innerText();
  await review.keyboard.press('Tab');
  await expect(card.locator(':focus')).toHaveCount(1);
  await key('approval', 'F7');
  await expect(card.getByRole('heading')).not.toHaveText(first);
  await expect(card).toBeFocused();
  await key('approval', 'F7');
  await expect(card.getByRole('heading')).toHaveText(first);

  const region = (): Promise<string | undefined> =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region']);
  const focused = (): Promise<string | null> =>
    desktop.app.evaluate(({ webContents }) => webContents.getFocusedWebContents()?.getURL() ?? null);
  await page.getByRole('textbox', { name: 'REPL input' }).click();
  await key('workbench', 'F6');
  await expect.poll(region).toBe('Documentation');
  await key('workbench', 'F6');
  await expect.poll(region).toBe('Status bar');
  await key('workbench', 'F6');
  await expect.poll(focused).toMatch(/^app:\/\/approval/);
  await key('approval', 'F6');
  await expect.poll(region).toBe('Title bar');
  await key('workbench', 'F6', ['shift']);
  await expect.poll(focused).toMatch(/^app:\/\/approval/);
  await key('approval', 'F6', ['shift']);
  await expect.poll(region).toBe('Status bar');
  for (const _ of calls) {
    await press(review, 'Deny');
    await press(review, 'Deny');
  }
  await Promise.all(calls);
});
