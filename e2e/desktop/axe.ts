/** Accessibility faults of a page that a program can detect. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { Desktop } from './fixture.ts';

/** Returns the faults that axe finds on the current page, one line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  return analyzed(page);
}

/**
 * Returns the faults that axe finds on a page of the desktop: all of them in the current theme, and only the contrast faults in the other
 * theme, because only colours depend on the theme. The desktop stays in the other theme.
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

/** Waits until fades and colour transitions have ended, except for endless animations. */
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

/** Runs axe. If `rules` is not empty, checks only these rules. */
async function analyzed(page: Page, rules: readonly string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(new AxeBuilder({ page })['script']());
  // By default axe's script of half a megabyte would be sent and compiled twice for each analysis.
  const builder = new AxeBuilder({ page, axeSource: 'void 0' });
  // Leaves out the descriptions of passed checks, which are not needed and would be most of the work.
  builder.options({ resultTypes: ['violations'] });
  if (rules.length > 0) builder.withRules([...rules]);
  // By default axe opens a second page for its report, which our pages refuse.
  const { violations } = await builder.setLegacyMode(true).analyze();
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
  // A tooltip is over the page and outside all landmarks, as usual for tooltips.
  return faults.filter((fault) => !fault.startsWith('region at div[data-overlay-container'));
}
