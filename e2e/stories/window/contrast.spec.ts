/** Stories about the window with high contrast, and zoomed to twice its size. */
import { expect, type Locator } from '@playwright/test';
import { test } from '../../desktop/fixture.ts';

test('Focus and selection show without colour in high contrast, and at 200 % no region lies outside the window [D17]', async ({
  desktop,
}) => {
  const { app, page } = desktop;
  const styleOf = (place: Locator, name: string): Promise<string> =>
    place.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
  const focused = page.locator(':focus-visible');
  await page.keyboard.press('F6');
  await page.keyboard.press('F6');
  const selected = page.locator('[role="tab"][aria-selected="true"]:not(:focus-visible)').first();

  await page.emulateMedia({ forcedColors: 'active' });
  expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
  await expect(focused).toHaveCount(1);
  expect(await styleOf(focused, 'outline-style')).toBe('solid');
  expect(await styleOf(focused, 'outline-width')).toBe('2px');
  expect(await styleOf(selected, 'outline-style')).toBe('solid');
  // The hint in an empty field has the color of text.
  const [hint, text] = await desktop
    .region('Definitions')
    .getByRole('searchbox')
    .evaluate((field) => [getComputedStyle(field, '::placeholder').color, getComputedStyle(field).color]);
  expect(hint).toBe(text);

  const faint = desktop.region('Status bar');
  await page.emulateMedia({ forcedColors: 'none', contrast: 'more' });
  const strong = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--text-1'));
  for (const token of ['--text-2', '--text-3', '--field-edge']) expect(await styleOf(faint, token), token).toBe(strong);
  await page.emulateMedia({ contrast: 'no-preference' });
  await expect.poll(() => styleOf(faint, '--text-3')).not.toBe(strong);

  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setContentSize(1600, 1000));
  await app.evaluate(({ Menu }) => {
    const view = Menu.getApplicationMenu()!.items.find((item) => item.label === 'View')!;
    const larger = view.submenu!.items.find((item) => item.label === 'Zoom In')!;
    for (let steps = 0; steps < 8; steps += 1) larger.click();
  });
  await expect.poll(() => page.evaluate(() => outerWidth / innerWidth)).toBeGreaterThan(1.9);
  const outside = await page.evaluate(() =>
    [...document.querySelectorAll('[data-region]')]
      .filter((each) => each.getClientRects().length > 0)
      .filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
      })
      .map((each) => (each as HTMLElement).dataset['region']),
  );
  expect(outside).toEqual([]);
});
