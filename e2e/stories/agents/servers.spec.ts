import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { connect, createServer, type Socket } from 'node:net';
import type { Locator } from '@playwright/test';
import { startEmacs } from '../../../main/core/servers/swank/emacs.fixture.ts';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { freePort } from '../../desktop/launch.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

/** Opens the Servers dialog from the status bar. */
async function servers({ page }: Desktop): Promise<Locator> {
  await page.getByRole('region', { name: 'Status bar' }).getByRole('button', { name: 'MCP' }).click();
  return page.getByRole('dialog', { name: 'Servers' });
}

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
    await expect(swank.getByRole('alert')).toContainText('secret file does not exist');
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
    await expect(making).toContainText(
      'Emacs is connected through SWANK, whose threads cannot be part of a checkpoint.',
    );
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

/** Connects a terminal to a port. Returns functions for its output so far and for typing. */
async function terminal(port: number): Promise<{ socket: Socket; said: () => string; type: (line: string) => void }> {
  const socket = connect({ port, host: '127.0.0.1' });
  let said = '';
  socket.on('error', () => {}).on('data', (chunk: Buffer) => (said += chunk.toString()));
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return { socket, said: () => said, type: (line) => void socket.write(`${line}\r\n`) };
}

test('Servers start with the window as settings and the environment ask for them, on its ports, with its secrets and certificates [L25, L31, L32, L33]', async ({
  launch,
}) => {
  // HTTPS is turned on by a setting. The generated certificate is the same at the next start.
  const first = await launch();
  await first.page.keyboard.press('Control+,');
  const settings = first.page.getByRole('dialog', { name: 'Settings' });
  await settings.getByLabel('Find a setting').fill('https');
  await settings.getByRole('radiogroup', { name: 'Start HTTPS with the program' }).getByText('On').click();
  await expect.poll(async () => (await first.server('https')).state).toBe('on');
  const { certificate: made } = await first.server('https');
  await first.close();

  // If a port is in use, the message names the program that uses it, and the server uses the next free port.
  const taken = await freePort();
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(taken, '127.0.0.1', resolve));
  try {
    const second = await launch({ home: first.home, project: first.project, env: { HTTP_PORT: String(taken) } });
    await expect.poll(async () => (await second.server('https')).state).toBe('on');
    expect((await second.server('https')).certificate).toEqual(made);
    await expect
      .poll(async () => (await second.server('http')).notice)
      .toMatch(new RegExp(`Port ${taken} is taken by .*\\(pid ${process.pid}\\)`));
    expect((await second.server('http')).port).toBeGreaterThan(taken);
    await second.close();
  } finally {
    blocker.close();
  }

  // HTTPS is turned on by environment variables. A certificate that does not match its key is reported, and HTTPS starts once the
  // certificate is fixed.
  const [certificate, key, secret] = ['c.pem', 'k.pem', 'telnet'].map((name) => path.join(first.project, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(certificate, await readFile(made!.file));
  await writeFile(key, 'no key');
  await writeFile(secret, 'of a file\n');
  const [swank, telnet] = [await freePort(), await freePort()];
  const desktop = await launch({
    env: {
      START_HTTP: 'no',
      START_HTTPS: 'yes',
      LISPLY_HTTPS_CERT_FILE: certificate,
      HTTPS_KEY_FILE: key,
      START_SWANK: 'true',
      LISPLY_SWANK_PORT: String(swank),
      SWANK_SECRET: 'of the environment',
      LISPLY_START_TELNET: 'on',
      TELNET_PORT: String(telnet),
      TELNET_SECRET_FILE: secret,
    },
  });
  await expect.poll(() => desktop.server('telnet')).toMatchObject({ state: 'on', port: telnet });
  const typed = await terminal(telnet);
  await expect.poll(typed.said).toMatch(/ecret/);
  typed.type('of a file');
  await expect.poll(typed.said).toContain('* ');
  await expect.poll(async () => (await desktop.server('https')).state).toBe('failed');
  expect((await desktop.server('http')).state).toBe('off');
  const row = desktop.page.getByRole('listitem', { name: 'HTTPS', exact: true });
  await desktop.page.getByRole('region', { name: 'Status bar' }).getByRole('button', { name: 'HTTPS failed' }).click();
  await expect(row.getByRole('alert')).toContainText('k.pem does not contain a private key in PEM format');
  await writeFile(key, await readFile(path.join(path.dirname(made!.file), 'https-key.pem')));
  await row.getByRole('button', { name: 'Start HTTPS' }).click();
  await expect(row.getByRole('status')).toHaveText(/^on, started/);
  expect((await desktop.server('https')).certificate!.fingerprint).toBe(made!.fingerprint);

  // Telnet stops when its client is revoked. If no secret is given, Telnet generates one, which the record does not contain.
  const { clients } = await desktop.snapshot();
  expect(clients).toMatchObject([{ name: 'telnet', connections: 1 }]);
  await desktop.page.evaluate((id) => window.workbench.call('clients.revoke', { id }), clients[0]!.id);
  await expect.poll(() => typed.socket.destroyed || typed.socket.readableEnded).toBe(true);
  await expect
    .poll(() => desktop.server('telnet'))
    .toMatchObject({ state: 'failed', problem: expect.stringContaining('revoked') });
  await expect
    .poll(() => desktop.server('swank'), { timeout: 120_000 })
    .toMatchObject({ state: 'on', port: swank, problem: null });
});
