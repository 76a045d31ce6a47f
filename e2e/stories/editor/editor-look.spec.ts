/** The editor's looks that a program can measure: its menu and its marks. */
import { expect, test } from '../../desktop/fixture.ts';

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
