import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Socket } from 'node:net';
import type { Locator } from '@playwright/test';
import { startEmacs } from '../../../main/core/servers/swank/emacs.fixture.ts';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { freePort } from '../../desktop/launch.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

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

/** A terminal on a port: what it was told so far, and a way to type. */
async function terminal(port: number): Promise<{ socket: Socket; said: () => string; type: (line: string) => void }> {
  const socket = connect({ port, host: '127.0.0.1' });
  let said = '';
  socket.on('error', () => {}).on('data', (chunk: Buffer) => (said += chunk.toString()));
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return { socket, said: () => said, type: (line) => void socket.write(`${line}\r\n`) };
}

test('Telnet is started in the window with a secret of its own, works in the shared image as a client, and ends with its server or its client [L27, L28, decision 23]', async ({
  desktop,
}) => {
  const { page } = desktop;
  await desktop.imageReady();
  const dialog = await servers(desktop);
  const row = dialog.getByRole('listitem', { name: 'Telnet' });
  await expect(row.getByRole('status')).toHaveText('off');
  await expect(row.getByRole('textbox', { name: 'Port of Telnet' })).toHaveValue('4024');
  await row.getByRole('textbox', { name: 'Port of Telnet' }).fill('0');
  await row.getByRole('button', { name: 'Start Telnet' }).click();
  await expect(row.getByRole('status')).toHaveText(/^on, started/);
  const secret = /this secret, .*: (\S+)$/.exec((await desktop.server('telnet')).notice!)![1]!;
  await expect(row).toContainText(secret);
  expect(await faultsInBothThemes(desktop)).toEqual([]);

  const { port } = await desktop.server('telnet');
  const wrong = await terminal(port!);
  await expect.poll(wrong.said).toMatch(/ecret/);
  wrong.type('guess');
  await expect.poll(wrong.said).toMatch(/wrong|not the secret/i);
  wrong.socket.destroy();

  const right = await terminal(port!);
  await expect.poll(right.said).toMatch(/ecret/);
  right.type(secret);
  await expect.poll(right.said).toContain('* ');
  right.type('(defun from-telnet () :seen)');
  await expect.poll(right.said).toContain('FROM-TELNET');
  await expect.poll(async () => (await desktop.server('telnet')).connections).toBe(1);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await desktop.repl('(from-telnet)');
  await expect(desktop.region('REPL')).toContainText(':SEEN');
  const { activity, clients } = await desktop.snapshot();
  expect(clients).toMatchObject([{ name: 'telnet', connections: 1 }]);
  expect(JSON.stringify(activity)).not.toContain(secret);

  const banner = page.getByRole('status', { name: 'Telnet is on' });
  await expect(banner).toContainText(`127.0.0.1:${port}`);
  await page.evaluate((id) => window.workbench.call('clients.revoke', { id }), clients[0]!.id);
  await expect.poll(() => right.socket.destroyed || right.socket.readableEnded).toBe(true);
  expect(await desktop.server('telnet')).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('revoked'),
  });
  await expect(banner).toHaveCount(0);
});

test('SWANK and telnet start with the window where the environment asks for them, on its ports and with its secrets [L32, L33]', async ({
  launch,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'secrets-'));
  const file = path.join(folder, 'telnet');
  await writeFile(file, 'of a file\n');
  const [swank, telnet] = [await freePort(), await freePort()];
  const desktop = await launch({
    env: {
      START_SWANK: 'true',
      LISPLY_SWANK_PORT: String(swank),
      SWANK_SECRET: 'of the environment',
      LISPLY_START_TELNET: 'on',
      TELNET_PORT: String(telnet),
      TELNET_SECRET_FILE: file,
    },
  });
  await expect.poll(() => desktop.server('telnet')).toMatchObject({ state: 'on', port: telnet });
  await rm(folder, { recursive: true });
  const typed = await terminal(telnet);
  await expect.poll(typed.said).toMatch(/ecret/);
  typed.type('of a file');
  await expect.poll(typed.said).toContain('* ');
  await expect
    .poll(() => desktop.server('swank'), { timeout: 120_000 })
    .toMatchObject({ state: 'on', port: swank, problem: null });
});
