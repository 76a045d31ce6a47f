import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '../../desktop/fixture.ts';

test('A file that the file manager opens is shown, can be saved where it lies, and a second one comes into the same window', async ({
  launch,
}) => {
  const elsewhere = await mkdtemp(path.join(tmpdir(), 'elsewhere-'));
  const [first, second] = ['cart.lisp', 'shop two.asd'].map((name) => path.join(elsewhere, name));
  writeFileSync(first!, '(defun total () 1)\n');
  writeFileSync(second!, '(defsystem "shop")\n');
  const desktop = await launch({ withoutFolder: true, args: [first!] });
  const { page } = desktop;
  const editor = desktop.region('Editor');
  await expect(editor.getByRole('tab', { name: /cart\.lisp/ })).toBeVisible();
  await expect(editor.locator('.view-lines')).toContainText('total');
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('(total)\n');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFileSync(first!, 'utf8')).toBe('(defun total () 1)\n(total)\n');

  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const electron = await desktop.app.evaluate(() => process.execPath);
  const again = spawn(electron, [...root, '.', pathToFileURL(second!).href], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
    env: { ...process.env, LISP_WORKBENCH_HOME: desktop.home },
    stdio: 'ignore',
  });
  await new Promise((resolve) => again.on('exit', resolve));
  await expect(editor.getByRole('tab', { name: /shop two\.asd/ })).toHaveAttribute('aria-selected', 'true');
  await expect(editor.locator('.view-lines')).toContainText('defsystem');
  await rm(elsewhere, { recursive: true });
});
