/** Stories about the start-up page when a requirement is missing: the page reports it, and repairs it on request. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test } from '../../desktop/fixture.ts';

test('The start-up page tells that the chosen SBCL cannot serve, and starts the image with another one; a lost folder and trust are told too [issue 12.2]', async ({
  launch,
}, testInfo) => {
  const broken = testInfo.outputPath('sbcl');
  await writeFile(broken, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const real = (await promisify(execFile)('which', ['sbcl'])).stdout.trim();
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  const gone = path.join(home, 'gone-shop');
  await mkdir(path.join(home, 'config'), { recursive: true });
  await writeFile(
    path.join(home, 'config', 'settings.json'),
    JSON.stringify({ version: 1, sbcl: broken, recentProjects: [gone] }),
  );
  const desktop = await launch({ home, trusted: false });
  const { page, app } = desktop;
  const editor = desktop.region('Editor');
  const check = (title: string) => editor.getByRole('listitem').filter({ hasText: title });
  await expect(check('Lisp: failed')).toContainText(`${broken} cannot be run`);
  await expect(check('Folder: needs attention')).toContainText('is not trusted.');
  await expect(editor.getByRole('region', { name: 'Recent folders' })).toContainText(`no longer exists: ${gone}`);
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.setViewportSize({ width: 900, height: 600 });
  await check('Lisp: failed').getByRole('button', { name: /^Copy/ }).click();
  await expect(page.getByText('Copied. Run it in a terminal, then press Try again.')).toBeVisible();
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('sudo apt-get install sbcl');
  await page.setViewportSize({ width: 1600, height: 1000 });
  // As long as SBCL has not changed, trying again has no effect.
  await check('Lisp: failed').getByRole('button', { name: 'Try again' }).click();
  await expect(check('Lisp: failed')).toContainText(`${broken} cannot be run`);
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, real);
  await check('Lisp: failed').getByRole('button', { name: 'Choose SBCL…' }).press('Enter');
  await desktop.imageReady();
  await expect(check('Lisp: ready')).toContainText(`at ${real}`);
  await check('Folder: needs attention').getByRole('button', { name: 'Trust' }).click();
  await expect(editor).toContainText('Everything is ready.');

  // While a text is open, the start-up page is a separate page, which its command opens.
  await page.keyboard.press('Control+n');
  await expect(editor.locator('.monaco-editor').first()).toBeVisible();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('>Welcome');
  await page.keyboard.press('Enter');
  const welcome = desktop.region('Welcome');
  await expect(welcome).toContainText('Everything is ready.');
  await welcome.getByRole('button', { name: 'Back to the text' }).click();
  await expect(editor.locator('.monaco-editor').first()).toBeVisible();
  await desktop.close();
  await rm(home, { recursive: true, force: true });
});

test('A tour that is begun before an image is running, or in a folder of another home, loads its project once it can [issue 12.2]', async ({
  launch,
}, testInfo) => {
  const program = testInfo.outputPath('sbcl');
  await writeFile(program, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const desktop = await launch({ withoutFolder: true, env: { LISP_WORKBENCH_SBCL: program } });
  const { page } = desktop;
  const editor = desktop.region('Editor');
  const lisp = editor.getByRole('listitem').filter({ hasText: 'Lisp: failed' });
  await expect(lisp).toContainText('cannot be run');
  await editor.getByRole('button', { name: 'Start the tour…' }).click();
  const field = page.getByRole('dialog', { name: 'Start the tour' }).getByRole('textbox', { name: 'In folder' });
  await field.fill(desktop.project);
  await field.press('Enter');
  await expect(page.getByText('lisp-tour/tests will be loaded when an image is running')).toBeVisible();
  await writeFile(program, '#!/bin/sh\nexec sbcl "$@"\n');
  await desktop.region('REPL').getByRole('button', { name: 'Start image' }).click();
  // Another SBCL needs another core, which is built first.
  await expect(page.getByText('lisp-tour/tests: Loaded')).toBeVisible({ timeout: 120_000 });
  await desktop.close();

  // The folder of the tour already exists, and the new home does not trust it.
  const other = await launch({ withoutFolder: true });
  await other.imageReady();
  await other.region('Editor').getByRole('button', { name: 'Start the tour…' }).click();
  const place = other.page.getByRole('dialog', { name: 'Start the tour' }).getByRole('textbox', { name: 'In folder' });
  await place.fill(desktop.project);
  await place.press('Enter');
  await expect(other.page.getByText('lisp-tour/tests will be loaded when you trust the folder')).toBeVisible();
  await other.page.getByRole('button', { name: 'Trust this folder' }).click();
  await expect(other.page.getByText('lisp-tour/tests: Loaded')).toBeVisible({ timeout: 120_000 });
});
