/** Stories about the decorations in the editor, whose positions and colors are measured. */
import { expect, test } from '../../desktop/fixture.ts';

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
  /** True if the ruler next to the text has a pixel with approximately this color. */
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
