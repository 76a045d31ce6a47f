/** Stories about the window at 200 % zoom: nothing is cut off or covered, and some lines of code stay visible, also in a small window. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from '../../desktop/fixture.ts';

/** The surfaces of the window, each with the key or the command that opens it. */
const SURFACES: readonly (readonly [region: string, way: string])[] = [
  ['Welcome', 'Welcome'],
  ['Files', 'Control+Shift+E'],
  ['Definitions', 'Control+Shift+D'],
  ['Systems', 'Control+Shift+Y'],
  ['Tests', 'Tests: Focus'],
  ['Clients', 'Control+Shift+J'],
  ['Activity', 'Control+Shift+H'],
  ['Browser', 'Control+2'],
  ['REPL', 'Control+Backquote'],
  ['Debugger', 'Control+Shift+G'],
  ['Problems', 'Control+Shift+M'],
  ['Search', 'Control+Shift+F'],
  ['Output', 'Control+Shift+U'],
  ['Threads', 'Threads: Focus'],
  ['Memory', 'Memory: Focus'],
  ['Profiler', 'Profiler: Focus'],
  ['Trace', 'Trace: Focus'],
  ['Coverage', 'Coverage: Focus'],
  ['Documentation', 'Documentation of the Name'],
  ['Inspector', 'Control+Alt+I'],
];

async function goTo({ page }: Desktop, way: string): Promise<void> {
  await page.keyboard.press('Control+1');
  if (way.startsWith('Control+')) return page.keyboard.press(way);
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText(way);
  await page.keyboard.press('Enter');
}

/**
 * Returns the layout faults of the window: bars outside the screen, content that cannot be scrolled into view, and controls that another
 * element covers after scrolling to them.
 */
function faultsOf({ page }: Desktop, region: string): Promise<string[]> {
  return page.evaluate((name) => {
    const shown = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
    const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(shown);
    const nameOf = (element: Element): string =>
      `${element.tagName} ${element.getAttribute('aria-label') ?? (element.textContent || element.className)}`.slice(
        0,
        60,
      );
    const outside = regions
      .filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
      })
      .map((each) => `${each.dataset['region']!} lies outside of the window`);
    const cut = regions
      .filter((each) => {
        const { overflowX, overflowY } = getComputedStyle(each);
        const scrolls = (way: string): boolean => way === 'auto' || way === 'scroll';
        return (
          (each.scrollHeight > each.clientHeight + 1 && !scrolls(overflowY)) ||
          (each.scrollWidth > each.clientWidth + 1 && !scrolls(overflowX))
        );
      })
      .map((each) => `${each.dataset['region']!} has parts that nothing scrolls to`);
    const covered = regions
      .filter((each) => [name, 'Title bar', 'Panels', 'Status bar'].includes(each.dataset['region']!))
      .flatMap((each) => [...each.querySelectorAll('button, input:not([type="radio"]), textarea, [role="tab"]')])
      .filter((each) => shown(each) && !each.matches(':disabled, .monaco-editor *, [inert] *'))
      .filter((each) => {
        each.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const { left, top, width, height } = each.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        // Notices float, and move away from the control with the focus.
        const isBelowNotice = hit?.closest('[role="status"]')?.querySelector('[aria-label="Dismiss notice"]') != null;
        return width > 1 && !each.contains(hit) && hit?.contains(each) !== true && !isBelowNotice;
      })
      .map((each) => `${nameOf(each)} is covered or cut`);
    return [...outside, ...cut, ...covered];
  }, region);
}

test('At 200 % every panel can be reached, read and used, at both sizes of the window [D17, issue 12.2]', async ({
  desktop,
}) => {
  const { app, page } = desktop;
  const file = path.join(desktop.project, 'shop.lisp');
  await writeFile(file, Array.from({ length: 40 }, (_, at) => `(defun item-${at} (x) (list x ${at}))\n`).join(''));
  const agent = await desktop.agent('claude-code');
  await agent.call('evaluate-lisp', { code: '(defun by-agent (x) "Doubles." (* 2 x))' });
  await desktop.openFile(file);
  await desktop.repl('(car 1)');
  await expect(desktop.region('Debugger').getByRole('listbox', { name: 'Frames' })).toBeFocused();
  await page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL')).toContainText('in the debugger');
  await app.evaluate(({ Menu }) => {
    const view = Menu.getApplicationMenu()!.items.find((item) => item.label === 'View')!;
    const larger = view.submenu!.items.find((item) => item.label === 'Zoom In')!;
    for (let steps = 0; steps < 8; steps += 1) larger.click();
  });
  for (const [width, height] of [
    [1600, 1000],
    [900, 600],
  ] as const) {
    await app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]!.setContentSize(size[0], size[1]),
      [width, height] as const,
    );
    await expect.poll(() => page.evaluate(() => Math.round((innerWidth * 2.0736) / 10))).toBe(Math.round(width / 10));
    for (const [region, way] of SURFACES) {
      await goTo(desktop, way);
      const shown = desktop.region(region);
      await expect(shown, `${region} at ${width}`).toBeVisible();
      await expect(
        shown
          .locator(':focus')
          .or(shown.and(page.locator(':focus')))
          .first(),
      ).toBeVisible();
      expect.soft(await faultsOf(desktop, region), `${region} at ${width}`).toEqual([]);
      if (region === 'Definitions') {
        const legend = (await shown.getByRole('group', { name: 'Show only' }).boundingBox())!;
        expect.soft(legend.height, `Legend at ${width}`).toBeLessThan(0.42 * (await shown.boundingBox())!.height);
      }
    }
    // In a narrow window, a panel covers the editor. It disappears when the editor gets the focus, and the panel's key shows it again.
    await page.keyboard.press('Control+1');
    await expect(desktop.region('Inspector')).toBeHidden();
    const lines = await page
      .locator('.monaco-editor')
      .first()
      .evaluate((editor) => {
        const line = editor.querySelector('.view-line')!.getBoundingClientRect().height;
        return editor.getBoundingClientRect().height / line;
      });
    expect.soft(lines, `Lines of code at ${width}`).toBeGreaterThan(3);
    const current = page.getByRole('navigation', { name: 'Panels' }).locator('[aria-current="true"]');
    await expect(current).toHaveCount(width === 900 ? 0 : 1);
    await page.keyboard.press('Control+Shift+L');
    await expect(desktop.region('Inspector')).toBeVisible();
    await page.keyboard.press('Control+Shift+L');
    await expect(desktop.region('Inspector')).toBeHidden();
    for (const keys of ['Control+,', 'Control+Shift+P', 'F1']) {
      await page.keyboard.press(keys);
      const box = (await page.getByRole('dialog').boundingBox())!;
      const size = await page.evaluate(() => [innerWidth, innerHeight] as const);
      expect.soft(box.x >= 0 && box.y >= 0 && box.x + box.width <= size[0], keys).toBe(true);
      expect.soft(box.y + box.height, keys).toBeLessThanOrEqual(size[1]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
  }
  await agent.close();
});
