import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { startEmacs } from '../main/core/servers/swank/emacs.fixture.ts';
import { faultsInBothThemes } from './axe.ts';
import { expect, test, type Desktop } from './fixture.ts';

/** Opens the dialog of the servers from the status bar. */
async function servers({ page }: Desktop): Promise<Locator> {
  await page.getByRole('region', { name: 'Status bar' }).getByRole('button', { name: 'MCP' }).click();
  return page.getByRole('dialog', { name: 'Servers' });
}

test('The server for AI clients is stopped and started in the window, where the status bar tells its state', async ({
  desktop,
}) => {
  const { page } = desktop;
  const before = await desktop.serverUrl();
  const agent = await desktop.agent();
  const dialog = await servers(desktop);
  const http = dialog.getByRole('listitem', { name: 'HTTP', exact: true });
  await expect(http).toContainText(before);
  await expect(http).toContainText('on, started just now');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await http.getByRole('button', { name: 'Stop HTTP' }).click();
  await expect(http.getByRole('status')).toHaveText('off');
  await expect(page.getByRole('region', { name: 'Status bar' })).toContainText('MCP is off');
  await expect(agent.call('evaluate-lisp', { code: '1' })).rejects.toThrow();
  await http.getByRole('button', { name: 'Start HTTP' }).click();
  await expect(http.getByRole('status')).toHaveText(/^on, started/);
  expect((await desktop.server('http')).state).toBe('on');
  const told = (await desktop.snapshot()).activity.filter((event) => event.kind === 'server-changed');
  expect(told.map(({ change, actor }) => [change, actor.kind])).toEqual([
    ['started', 'workbench'],
    ['stopped', 'person'],
    ['started', 'person'],
  ]);
});

test('SWANK is off until it is asked for, needs a secret that the window makes, and has a banner while Emacs can come [L15, L16, decision 23]', async ({
  launch,
}) => {
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  const cache = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  const desktop = await launch({ env: { HOME: home, XDG_CACHE_HOME: cache } });
  const emacs = startEmacs(home);
  try {
    await desktop.imageReady();
    const { page } = desktop;
    const status = page.getByRole('region', { name: 'Status bar' });
    const banner = page.getByRole('status', { name: 'SWANK is on' });
    expect(await desktop.server('swank')).toMatchObject({ state: 'off', usualPort: 4201 });
    await expect(banner).toBeHidden();

    const dialog = await servers(desktop);
    const swank = dialog.getByRole('listitem', { name: 'SWANK' });
    await expect(swank.getByRole('textbox', { name: 'Port of SWANK' })).toHaveValue('4201');
    await swank.getByRole('textbox', { name: 'Port of SWANK' }).fill('0');
    await swank.getByRole('button', { name: 'Start SWANK' }).click();
    await expect(swank.getByRole('alert')).toContainText('There is no secret');
    await expect(status).toContainText('SWANK failed');
    expect(await faultsInBothThemes(desktop)).toEqual([]);
    await swank.getByRole('button', { name: 'Create the Secret and Start' }).click();
    await expect(swank.getByRole('status')).toHaveText(/^on, started just now · 0 connections$/, { timeout: 120_000 });
    expect((await stat(path.join(home, '.slime-secret'))).mode & 0o777).toBe(0o600);
    expect(await readFile(path.join(home, '.slime-secret'), 'utf8')).toMatch(/^[\w-]{43}\n$/);
    const { port } = await desktop.server('swank');
    await expect(swank).toContainText(`M-x slime-connect RET 127.0.0.1 RET ${port} RET`);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(banner).toContainText(`SWANK listens on 127.0.0.1:${port}.`);
    await expect(status).toContainText(`SWANK ${port}`);

    const file = path.join(desktop.project, 'shop.lisp');
    await emacs.evaluate(`(connect-slime ${port})`);
    await expect(banner).toContainText('1 connection open');
    await emacs.evaluate(
      `(visit ${JSON.stringify(file)} "(in-package :cl-user)\\n\\n(defun total (prices)\\n  (reduce #'+ prices))\\n")`,
    );
    await emacs.evaluate('(go-behind "(reduce")');
    expect(await emacs.evaluate('(compile-defun-there)')).toBe('t');

    const definition = desktop.region('Definitions').getByRole('treeitem', { name: /total/i });
    await expect(definition).toBeVisible();
    await expect(definition).not.toContainText('SWANK');
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.insertText('Make a Checkpoint');
    await page.keyboard.press('Enter');
    const making = page.getByRole('dialog', { name: 'Make a checkpoint' });
    await page.keyboard.press('Enter');
    await expect(making).toContainText('Emacs is connected through SWANK, whose threads no copy can have.');
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Threads' }).click();
    await expect(desktop.region('Threads').getByText('Emacs: control-thread')).toBeVisible();
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Activity' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Emacs (SWANK)' }).first()).toBeVisible();
    expect(await faultsInBothThemes(desktop)).toEqual([]);

    await banner.getByRole('button', { name: 'Stop SWANK' }).click();
    await expect(banner).toBeHidden();
    await expect(status).not.toContainText('SWANK');
    await emacs.evaluate('(await "the end" (lambda () (not (slime-connected-p))))');
    expect(await desktop.server('swank')).toMatchObject({ state: 'off', problem: null });
  } finally {
    await emacs.close();
    await desktop.close();
    await rm(home, { recursive: true, force: true });
  }
});
