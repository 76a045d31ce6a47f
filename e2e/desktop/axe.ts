/** Faults of a page that a program can find. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { Desktop } from './fixture.ts';

/** Returns the faults that axe finds on a page as it is now, in a line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  return analyzed(page);
}

/**
 * Returns the faults that axe finds on a page of the desktop: all of them in the theme that it has, and those of contrast in the
 * other one, which the desktop is left in. Nothing but colours depends on the theme.
 */
export async function faultsInBothThemes(desktop: Desktop, page: Page = desktop.page): Promise<string[]> {
  await drawn(page);
  const first = await faultsOf(page);
  const theme = await desktop.page.locator('html').getAttribute('data-theme');
  const other = theme === 'dark' ? ('light' as const) : ('dark' as const);
  await desktop.page.evaluate((chosen) => window.workbench.call('settings.change', { theme: chosen }), other);
  await expect(page.locator('html')).toHaveAttribute('data-theme', other);
  await drawn(page);
  const contrast = await analyzed(page, ['color-contrast']);
  return [...first.map((fault) => `${theme}: ${fault}`), ...contrast.map((fault) => `${other}: ${fault}`)];
}

/** Waits until what fades in or changes its colours has done so, but for what goes round without end. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ends = (each: Animation): boolean => each.effect?.getComputedTiming().iterations !== Infinity;
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(ends)
        .map((each) => each.finished),
    );
  });
}

/** By these rules alone, where they are given. */
async function analyzed(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(new AxeBuilder({ page })['script']());
  // By itself axe's script of half a megabyte is sent and compiled twice for each analysis.
  const builder = new AxeBuilder({ page, axeSource: 'void 0' });
  // Descriptions of what passed are most of the work, and nobody reads them.
  builder.options({ resultTypes: ['violations'] });
  if (rules.length > 0) builder.withRules([...rules]);
  // Axe's usual way opens a second page for its report, which our pages refuse.
  const { violations } = await builder.setLegacyMode(true).analyze();
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
  // A tooltip lies over the page and in no landmark, as tooltips do.
  return faults.filter((fault) => !fault.startsWith('region at div[data-overlay-container'));
}
