/** Focus rings that are cut off, in the real window. */
import type { Page } from '@playwright/test';
import { cutRings as cutRingsOfPage } from '../renderer/window/rings.fixture.ts';

/** Returns the things on screen whose focus ring would be cut off, a line each. */
export async function cutRings(page: Page): Promise<string[]> {
  await page.keyboard.press('Shift');
  return page.evaluate(cutRingsOfPage);
}
