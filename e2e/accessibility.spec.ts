import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test, type Desktop } from './fixture.ts';

/** What axe finds wrong on a page, in a line each. */
async function faultsOf(page: Page): Promise<string[]> {
  // Axe's usual way opens a second page for its report, which our pages refuse.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}

async function inTheme(desktop: Desktop, theme: 'light' | 'dark'): Promise<void> {
  await desktop.page.evaluate((chosen) => window.workbench.call('settings.change', { theme: chosen }), theme);
  await expect
    .poll(() => desktop.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
    .toBe(theme === 'dark');
}

/** Something to see in every panel: a definition, a client, results, an error, activity. */
async function fill(desktop: Desktop): Promise<void> {
  const agent = await desktop.agent('claude-code');
  await agent.call('evaluate-lisp', { code: '(defun by-agent (x) "Doubles." (* 2 x))' });
  await agent.call('evaluate-lisp', { code: '(car 1)' });
  await desktop.newFile('(defun area (r)\n  "Of a circle." (* r r #\\a :key 12))');
  await desktop.page.keyboard.press('Alt+Enter');
  await desktop.repl('(list "text" :key 42)');
  await expect(desktop.region('REPL')).toContainText('42');
}

const VIEWS: readonly (readonly [name: string, keys: string | null])[] = [
  ['Editor and REPL', 'Control+1'],
  ['Definitions', 'Control+Shift+D'],
  ['Systems', 'Control+Shift+Y'],
  ['Clients', 'Control+Shift+J'],
  ['Output', 'Control+Shift+U'],
  ['Activity', 'Control+Shift+H'],
  ['Settings', 'Control+,'],
  ['Palette', 'Control+Shift+P'],
  ['Keys and commands', 'F1'],
];

for (const theme of ['dark', 'light'] as const) {
  test(`D17 the window has no faults that axe finds, ${theme}`, async ({ desktop }) => {
    await fill(desktop);
    await inTheme(desktop, theme);
    const { page } = desktop;
    for (const [name, keys] of VIEWS) {
      if (keys) await page.keyboard.press(keys);
      await page.waitForTimeout(300); // the fade-in: half-drawn colours are no colours
      expect.soft(await faultsOf(page), name).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

  test(`D17 Review has no faults that axe finds, ${theme}`, async ({ desktop }) => {
    await inTheme(desktop, theme);
    const agent = await desktop.agent('claude-code');
    const first = agent.call('write-file', { path: 'a.lisp', content: '(defun a (x)\n  "Text." (list x :k 12))\n' });
    const second = agent.call('write-file', { path: 'b.lisp', content: '(b)\n' });
    await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBe(2);
    await desktop.page.keyboard.press('F7');
    const review = await desktop.review();
    await expect(review.getByRole('button', { name: 'Approve', exact: true })).toBeEnabled();
    expect.soft(await faultsOf(review), 'card').toEqual([]);
    await review.getByRole('button', { name: 'Edit and approve', exact: true }).click();
    await expect(review.getByRole('textbox')).toBeVisible();
    expect.soft(await faultsOf(review), 'editing').toEqual([]);
    await review.getByRole('button', { name: 'Cancel', exact: true }).click();
    await review.getByRole('button', { name: 'Deny', exact: true }).click();
    expect.soft(await faultsOf(review), 'denying').toEqual([]);
    await review.getByRole('button', { name: 'Deny', exact: true }).click();
    await first;
    await expect(review.getByRole('button', { name: 'Approve', exact: true })).toBeEnabled();
    expect.soft(await faultsOf(review), 'decided').toEqual([]);
    await review.getByRole('button', { name: 'Approve', exact: true }).click();
    await second;
  });
}
