/** The editor's looks that a program can measure: its menu, its marks, and its room in a small window. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Desktop, expect, test } from './fixture.ts';

async function resize(desktop: Desktop, width: number, height: number): Promise<void> {
  await desktop.app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]!.setContentSize(...size), [
    width,
    height,
  ] as [number, number]);
  await expect.poll(() => desktop.page.evaluate(() => window.innerHeight)).toBe(height);
}

test('The menu of a text tells the keys of its commands, and offers an agent’s change only where there is one', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const editor = desktop.region('Editor');
  await desktop.newFile('(defun area (r) (* r r))\n\n(defun volume (r) (* r r r))\n');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Alt+Enter');
  await expect(editor.locator('.inline-value')).toContainText('AREA');
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: '(defun volume (r) (expt r 3))' });
  await expect(editor.locator('.agent-mark')).toHaveCount(1);
  const menu = page.locator('.monaco-menu');
  const entry = (label: string) => menu.locator('.action-item', { hasText: label });
  await editor.getByText('area', { exact: true }).last().click({ button: 'right' });
  await expect(entry('Evaluate Form')).toContainText('Ctrl+Enter');
  await expect(entry('Evaluate Top-Level Form')).toContainText('Alt+Enter');
  await expect(entry('Set or Clear Breakpoint')).toContainText('F9');
  await expect(entry('Show What an Agent Changed')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await editor.locator('.view-line').getByText('volume', { exact: true }).click({ button: 'right' });
  await expect(entry('Show What an Agent Changed')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await agent.close();
});

test('Marks beside the scrollbar have the colours of the theme, also after it was changed [B23]', async ({
  launch,
}) => {
  const desktop = await launch({ colorScheme: 'dark' });
  await desktop.imageReady();
  const editor = desktop.region('Editor');
  await desktop.newFile('(defun area (r) (* r r))\n');
  await desktop.page.keyboard.press('Alt+Enter');
  await expect(editor.locator('.inline-value')).toContainText('AREA');
  const agent = await desktop.agent('codex');
  await agent.call('evaluate-lisp', { code: '(defun area (r) (expt r 2))' });
  await expect(editor.locator('.agent-mark')).toHaveCount(1);
  /** True when the ruler beside the text has a pixel of about this colour. */
  const hasColour = (wanted: readonly [number, number, number]): Promise<boolean> =>
    editor.locator('canvas.decorationsOverviewRuler').evaluate((canvas, colour) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const { data } = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
      for (let at = 0; at < data.length; at += 4)
        if (data[at + 3]! > 200 && colour.every((part, index) => Math.abs(data[at + index]! - part) < 12)) return true;
      return false;
    }, wanted);
  await expect.poll(() => hasColour([0xc3, 0xa1, 0xf6])).toBe(true);
  await desktop.page.evaluate(() => window.workbench.call('settings.change', { theme: 'light' }));
  await expect.poll(() => hasColour([0x74, 0x3b, 0xbd])).toBe(true);
  expect(await hasColour([0xc3, 0xa1, 0xf6])).toBe(false);
  await agent.close();
});

test('In a low window the dock keeps its share, code keeps the larger part, and no scrollbar covers the last line', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const dock = desktop.region('REPL');
  const long = path.join(desktop.project, 'long.lisp');
  const lines = Array.from({ length: 60 }, (_, index) => `(defun long-${index} () ${'"text" '.repeat(40)})`);
  await writeFile(long, lines.join('\n'));
  await desktop.openFile(long);
  await expect(page.getByRole('tab', { name: 'long.lisp' })).toHaveAttribute('aria-selected', 'true');
  const heights = async (): Promise<{ code: number; dock: number }> => ({
    code: (await desktop.region('Editor').locator('.monaco-editor').first().boundingBox())!.height,
    dock: (await dock.boundingBox())!.height,
  });
  await resize(desktop, 1500, 960);
  const { dock: full } = await heights();
  await resize(desktop, 900, 600);
  await expect.poll(async () => (await heights()).dock).toBeLessThan(full * 0.65);
  const small = await heights();
  expect(small.code).toBeGreaterThan(small.dock);
  await desktop.region('Editor').locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+End');
  const last = desktop.region('Editor').locator('.view-line', { hasText: 'long-59' });
  await expect(last).toBeVisible();
  const bar = desktop.region('Editor').locator('.scrollbar.horizontal').first();
  await expect
    .poll(async () => {
      const [line, cover] = [await last.boundingBox(), await bar.boundingBox()];
      // The line is drawn anew while the text scrolls: it may have no place at the moment.
      return line !== null && cover !== null && line.y + line.height <= cover.y + 0.5;
    })
    .toBe(true);
  // The height that the person gives the dock holds.
  const edge = page.getByRole('separator', { name: 'Height of the dock' });
  await edge.focus();
  for (let count = 0; count < 5; count += 1) await page.keyboard.press('ArrowUp');
  await expect.poll(async () => (await heights()).dock).toBeCloseTo(small.dock + 80, -1);
});
