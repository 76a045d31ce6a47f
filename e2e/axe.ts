/** Faults of a page that a program can find. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds wrong on a page, in a line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  // Axe's usual way opens a second page for its report, which our pages refuse.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
  // A tooltip lies over the page and in no landmark, as tooltips do.
  return faults.filter((fault) => !fault.startsWith('region at div[data-overlay-container'));
}
