import { X509Certificate } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import type { Locator } from '@playwright/test';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

/** Opens the dialog of the servers, and finds HTTPS in it. */
async function https({ page }: Desktop): Promise<Locator> {
  await page.getByRole('region', { name: 'Status bar' }).getByRole('button', { name: 'MCP' }).click();
  return page.getByRole('dialog', { name: 'Servers' }).getByRole('listitem', { name: 'HTTPS', exact: true });
}

/** Asks for a route of Lisply, trusting the certificate in this file alone. */
async function ask(
  address: string,
  file: string,
  token: string,
): Promise<{ text: string; fingerprint: string; protocol: string | null }> {
  const ca = await readFile(file, 'utf8');
  const url = new URL('/lisply/ping-lisp', address);
  return new Promise((resolve, reject) => {
    const options = { ca, agent: false, headers: { authorization: `Bearer ${token}` } };
    const sent = get(url, options, (response) => {
      const socket = response.socket as TLSSocket;
      const { fingerprint256: fingerprint } = socket.getPeerCertificate();
      const protocol = socket.getProtocol();
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ text, fingerprint, protocol }));
    });
    sent.on('error', reject);
  });
}

test('HTTPS is off until it is asked for, then shows address and fingerprint, and a banner until it is stopped [L25, decision 23]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const row = await https(desktop);
  await expect(row.getByRole('status')).toHaveText('off');
  await row.getByRole('button', { name: 'Start HTTPS' }).click();
  await expect(row.getByRole('status')).toHaveText(/^on, started/);
  const { address, certificate } = await desktop.server('https');
  await expect(row).toContainText(address!);
  await expect(row.getByRole('group', { name: 'SHA-256 fingerprint' })).toHaveText(certificate!.fingerprint);
  await expect(row).toContainText(certificate!.file);
  const answer = await ask(address!, certificate!.file, (await desktop.mint('secure')).token);
  expect(answer).toEqual({ text: 'pong', fingerprint: certificate!.fingerprint, protocol: 'TLSv1.3' });
  expect((await stat(path.join(path.dirname(certificate!.file), 'https-key.pem'))).mode & 0o777).toBe(0o600);
  await row.getByRole('button', { name: 'Copy fingerprint' }).click();
  await expect(row.getByRole('button', { name: 'Copied fingerprint' })).toBeVisible();
  expect(await desktop.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(certificate!.fingerprint);
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await page.getByRole('dialog', { name: 'Servers' }).getByRole('button', { name: 'Close' }).click();
  const banner = page.getByRole('status', { name: 'HTTPS is on' });
  await expect(banner).toContainText(address!);
  await banner.getByRole('button', { name: 'Stop HTTPS' }).click();
  await expect(banner).toHaveCount(0);
  expect((await desktop.server('http')).state).toBe('on');
  await expect(ask(address!, certificate!.file, 'x')).rejects.toThrow(/ECONNREFUSED/);
});

test('HTTPS that starts with the program has the same certificate at the next start [L25]', async ({ launch }) => {
  const first = await launch();
  await first.page.keyboard.press('Control+,');
  const settings = first.page.getByRole('dialog', { name: 'Settings' });
  await settings.getByLabel('Find a setting').fill('https');
  await settings.getByRole('radiogroup', { name: 'Start HTTPS with the program' }).getByText('On').click();
  await expect.poll(async () => (await first.server('https')).state).toBe('on');
  const { certificate } = await first.server('https');
  await first.close();
  const second = await launch({ home: first.home, project: first.project });
  await expect.poll(async () => (await second.server('https')).state).toBe('on');
  expect((await second.server('https')).certificate).toEqual(certificate);
});

test('HTTPS with a certificate that does not fit its key says so, and starts once it was mended [L25, L31]', async ({
  launch,
}) => {
  const files = await launch(); // makes a certificate that can be given to another start
  await files.page.evaluate(() => window.workbench.call('servers.start', { kind: 'https', port: 0 }));
  await expect.poll(async () => (await files.server('https')).state).toBe('on');
  const { file } = (await files.server('https')).certificate!;
  const [certificate, key] = [path.join(files.project, 'c.pem'), path.join(files.project, 'k.pem')];
  await writeFile(certificate, await readFile(file));
  await writeFile(key, 'no key');
  const desktop = await launch({
    env: { START_HTTP: 'no', START_HTTPS: 'yes', LISPLY_HTTPS_CERT_FILE: certificate, HTTPS_KEY_FILE: key },
  });
  await expect.poll(async () => (await desktop.server('https')).state).toBe('failed');
  expect((await desktop.server('http')).state).toBe('off');
  const row = desktop.page.getByRole('listitem', { name: 'HTTPS', exact: true });
  await desktop.page.getByRole('region', { name: 'Status bar' }).getByRole('button', { name: 'HTTPS failed' }).click();
  await expect(row.getByRole('alert')).toContainText('k.pem holds no private key as PEM');
  await writeFile(key, await readFile(path.join(path.dirname(file), 'https-key.pem')));
  await row.getByRole('button', { name: 'Start HTTPS' }).click();
  await expect(row.getByRole('status')).toHaveText(/^on, started/);
  await expect(row).toContainText('uses the given certificate');
  expect((await desktop.server('https')).certificate!.fingerprint).toBe(
    new X509Certificate(await readFile(file)).fingerprint256,
  );
});
