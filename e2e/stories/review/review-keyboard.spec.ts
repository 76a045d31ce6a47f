/** Stories about using Review with only the keyboard. */
import { expect, test } from '../../desktop/fixture.ts';
import { button, openReview } from '../../desktop/reviewing.ts';

test('The keys F7, F6 and Tab lead from card to card, to the regions and into the card, and keys decide about it [D13, D17]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const agent = await desktop.agent('codex');
  const calls = ['a', 'b'].map((name) => agent.call('write-file', { path: `${name}.lisp`, content: '1' }));
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(2);
  const review = await openReview(desktop);
  /** Presses a key as a keyboard does: the main process receives it before the page. */
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

  await key('workbench', 'F6');
  await expect.poll(focused).toMatch(/^app:\/\/approval/);
  await expect(card).toBeFocused();
  await expect(button(review, 'Approve')).toBeEnabled();
  await review.keyboard.press('Control+Enter');
  await expect(card.getByRole('heading')).not.toHaveText(first);
  await review.keyboard.press('Control+Shift+Enter');
  await expect(review.getByRole('textbox')).toBeFocused();
  await review.keyboard.insertText('By the keys.');
  await review.keyboard.press('Control+Enter');
  const texts = (await Promise.all(calls)).map(({ text }) => text).toSorted();
  expect(texts).toEqual([
    expect.stringContaining('By the keys.'),
    expect.stringMatching(/^Wrote 1 byte to [ab]\.lisp/),
  ]);
});
