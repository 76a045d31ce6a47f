import { expect, test } from './fixture.ts';
for (const theme of ['dark', 'light'] as const)
  for (const [w, h] of [
    [1600, 1000],
    [900, 600],
  ] as const)
    test(`look ${theme} ${w}`, async ({ launch }) => {
      const desktop = await launch({ colorScheme: theme });
      const { page } = desktop;
      await page.evaluate((chosen) => window.workbench.call('settings.change', { theme: chosen }), theme);
      await desktop.app.evaluate(
        ({ BrowserWindow }, [ww, hh]) => BrowserWindow.getAllWindows()[0]!.setContentSize(ww!, hh!),
        [w, h],
      );
      await desktop.imageReady();
      await desktop.repl("(defun total (lines) (reduce #'+ lines))");
      await desktop.repl('(total (list 1 2 3))');
      await page.keyboard.press('Control+Shift+N');
      await expect(desktop.region('REPL')).toContainText('shares all');
      await page.screenshot({ path: `out/look/${theme}-${w}-empty.png` });
      await desktop.repl('(loop)');
      await expect(desktop.region('REPL').getByRole('button', { name: 'Interrupt evaluation' })).toBeVisible();
      await page.keyboard.press('Control+PageUp');
      await desktop.repl('(total (list 4 5 6))');
      await expect(desktop.region('REPL')).toContainText('waits for REPL 2');
      await page.keyboard.press('Control+Shift+P');
      await page.keyboard.insertText('New Image');
      await page.getByRole('option', { name: 'New Image' }).first().click();
      await expect(desktop.region('REPL')).toContainText('an image of its own');
      await page.keyboard.press('Control+PageDown');
      await page.screenshot({ path: `out/look/${theme}-${w}-waits.png` });
      await page.keyboard.press('Control+PageUp');
      await desktop.repl('(defvar *here* (list :a "b" 3.0))');
      await desktop.repl('*here*');
      await expect(desktop.region('REPL').getByRole('button', { name: /Inspect \(:A/ })).toBeVisible();
      const [image] = (await desktop.snapshot()).images;
      process.kill(image!.pid!, 'SIGKILL');
      await expect(desktop.region('REPL')).toContainText('Lost with it');
      await page.getByRole('button', { name: 'Image workbench' }).click();
      await expect(page.getByRole('menuitem', { name: /^image 2/ })).toBeVisible();
      await page.screenshot({ path: `out/look/${theme}-${w}-menu.png` });
      await page.keyboard.press('Escape');
      await page.getByRole('textbox', { name: 'REPL input' }).click();
      await page.keyboard.press('Control+Shift+W');
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await page.screenshot({ path: `out/look/${theme}-${w}-close.png` });
    });
