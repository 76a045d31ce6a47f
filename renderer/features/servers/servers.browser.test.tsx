/**
 * The servers dialog: how each server is started and stopped, what it requires, and how its state is shown in the status bar and in a
 * banner.
 */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { ServerKind, ServerRecord } from '#contract/clients/server.ts';
import { region } from '../../text.fixture.ts';
import { answer, faults, type FakeCore, openWholeWindow, snapshotWith } from '../../window.fixture.tsx';

const dialog = page.getByRole('dialog', { name: 'Servers' });
const status = region('Status bar');
const row = (title: string) => dialog.getByRole('listitem', { name: title, exact: true });
const banner = (title: string) => page.getByRole('status', { name: `${title} is on` });

let core: FakeCore;
let servers: ServerRecord[];

/** Changes a server, and sends the event that the core would send. */
function change(kind: ServerKind, parts: Partial<ServerRecord>): void {
  servers = servers.map((each) => (each.kind === kind ? { ...each, ...parts } : each));
  core.tell('servers-changed', servers);
}

const OFF = {
  state: 'off',
  address: null,
  port: null,
  since: null,
  connections: null,
  problem: null,
  notice: null,
} as const;

function on(kind: ServerKind, address: string, port: number, parts: Partial<ServerRecord> = {}): void {
  change(kind, { state: 'on', address, port, since: Date.now(), problem: null, offers: [], ...parts });
}

function inputs(name: string): unknown[] {
  return core.calls.filter((each) => each.name === name).map(({ input }) => input);
}

beforeEach(async () => {
  servers = snapshotWith().servers.map((each) => ({ ...each, since: each.since === null ? null : Date.now() }));
  core = await openWholeWindow(snapshotWith({ servers }), {
    'servers.stop': ({ kind }) => {
      change(kind, { ...OFF, certificate: null });
      return {};
    },
    'app.copy': () => ({}),
  });
  await status.getByRole('button', { name: /MCP/ }).click();
});

it('The server for AI clients is stopped and started in the window, where the status bar tells its state [issue 36.4]', async () => {
  const http = row('HTTP');
  const { address, usualPort } = servers[0]!;
  answer({
    'servers.start': () => {
      on('http', address!, usualPort);
      return {};
    },
  });
  await expect.element(http).toMatchTextContent(address!);
  await expect.element(http).toMatchTextContent('on, started just now');
  expect(await faults()).toEqual([]);
  await http.getByRole('button', { name: 'Stop HTTP' }).click();
  await expect.element(http.getByRole('status')).toHaveTextContent('off');
  await expect.element(status).toMatchTextContent('MCP is off');
  await http.getByRole('button', { name: 'Start HTTP' }).click();
  await expect.element(http.getByRole('status')).toMatchTextContent(/^on, started/);
  await expect.element(status).toMatchTextContent(`MCP 127.0.0.1:${usualPort}`);
  expect(inputs('servers.stop')).toEqual([{ kind: 'http' }]);
  expect(inputs('servers.start')).toEqual([{ kind: 'http', port: usualPort }]);
});

it('SWANK is off until it is asked for, offers the secret that it needs, and has a banner while Emacs can come [L15, L16, decision 23, issue 36.4]', async () => {
  const swank = row('SWANK');
  answer({
    'servers.start': ({ kind }) => {
      const problem = 'There is no secret: SWANK is not started without one.';
      change(kind, { state: 'failed', problem, offers: [{ id: 'secret', title: 'Create the Secret and Start' }] });
      return {};
    },
    'servers.act': ({ kind }) => {
      const notice = 'In Emacs: M-x slime-connect RET 127.0.0.1 RET 4444 RET';
      on(kind, '127.0.0.1:4444', 4444, { connections: 0, notice });
      return {};
    },
  });
  await expect.element(banner('SWANK')).not.toBeInTheDocument();
  const port = swank.getByRole('textbox', { name: 'Port of SWANK' });
  await expect.element(port).toHaveValue('4005');
  await port.fill('70000');
  await expect.element(swank.getByRole('button', { name: 'Start SWANK' })).toBeDisabled();
  await port.fill('0');
  await swank.getByRole('button', { name: 'Start SWANK' }).click();
  expect(inputs('servers.start')).toEqual([{ kind: 'swank', port: 0 }]);
  await expect.element(swank.getByRole('alert')).toMatchTextContent('There is no secret');
  await expect.element(status).toMatchTextContent('SWANK failed');
  expect(await faults()).toEqual([]);
  await swank.getByRole('button', { name: 'Create the Secret and Start' }).click();
  expect(inputs('servers.act')).toEqual([{ kind: 'swank', offer: 'secret' }]);
  await expect.element(swank.getByRole('status')).toHaveTextContent('on, started just now · 0 connections');
  await expect.element(swank).toMatchTextContent('M-x slime-connect RET 127.0.0.1 RET 4444 RET');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.element(banner('SWANK')).toMatchTextContent('SWANK listens on 127.0.0.1:4444.');
  await expect.element(status).toMatchTextContent('SWANK 4444');
  change('swank', { connections: 1 });
  await expect.element(banner('SWANK')).toMatchTextContent('1 connection open');
  await banner('SWANK').getByRole('button', { name: 'Stop SWANK' }).click();
  await expect.element(banner('SWANK')).not.toBeInTheDocument();
  await expect.element(status).not.toMatchTextContent('SWANK');
});

it('Telnet shows its secret while it is on, and no banner once it has ended by itself [L27, L28, decision 23, issue 36.4]', async () => {
  const telnet = row('Telnet');
  answer({
    'servers.start': () => {
      const notice = 'It asks for this secret, which is made for each start: 8CharsOfIt';
      on('telnet', '127.0.0.1:4444', 4444, { connections: 0, notice });
      return {};
    },
  });
  await expect.element(telnet.getByRole('status')).toHaveTextContent('off');
  await telnet.getByRole('textbox', { name: 'Port of Telnet' }).fill('0');
  await telnet.getByRole('button', { name: 'Start Telnet' }).click();
  await expect.element(telnet.getByRole('status')).toMatchTextContent(/^on, started/);
  await expect.element(telnet).toMatchTextContent('8CharsOfIt');
  expect(await faults()).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.element(banner('Telnet')).toMatchTextContent('127.0.0.1:4444');
  change('telnet', { ...OFF, state: 'failed', problem: 'The client telnet was revoked.' });
  await expect.element(banner('Telnet')).not.toBeInTheDocument();
  await expect.element(status).toMatchTextContent('Telnet failed');
});

it('HTTPS is off until it is asked for, then shows address and fingerprint, and a banner until it is stopped [L25, decision 23, issue 36.4]', async () => {
  const https = row('HTTPS');
  const fingerprint = Array.from({ length: 32 }, (_, at) => (at + 160).toString(16).toUpperCase()).join(':');
  const file = '/home/ada/state/https-certificate.pem';
  const certificate = { fingerprint, file, until: Date.now() + 86_400_000, selfSigned: true };
  answer({
    'servers.start': () => {
      on('https', 'https://127.0.0.1:7398/mcp', 7398, { certificate });
      return {};
    },
  });
  await expect.element(https.getByRole('status')).toHaveTextContent('off');
  await https.getByRole('button', { name: 'Start HTTPS' }).click();
  await expect.element(https.getByRole('status')).toMatchTextContent(/^on, started/);
  await expect.element(https).toMatchTextContent('https://127.0.0.1:7398/mcp');
  await expect.element(https.getByRole('group', { name: 'SHA-256 fingerprint' })).toHaveTextContent(fingerprint);
  await expect.element(https).toMatchTextContent(file);
  await https.getByRole('button', { name: 'Copy fingerprint' }).click();
  await expect.element(https.getByRole('button', { name: 'Copied fingerprint' })).toBeVisible();
  expect(inputs('app.copy')).toEqual([{ text: fingerprint }]);
  expect(await faults()).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.element(banner('HTTPS')).toMatchTextContent('https://127.0.0.1:7398/mcp');
  await banner('HTTPS').getByRole('button', { name: 'Stop HTTPS' }).click();
  await expect.element(banner('HTTPS')).not.toBeInTheDocument();
  expect(inputs('servers.stop')).toEqual([{ kind: 'https' }]);
});

it('A server that failed is shown from the status bar with why, and starts once that was mended [L25, L31, issue 36.4]', async () => {
  const problem = '/home/ada/shop/k.pem does not contain a private key in PEM format.';
  const https = row('HTTPS');
  await dialog.getByRole('button', { name: 'Close' }).click();
  change('http', OFF);
  change('https', { state: 'failed', problem });
  await status.getByRole('button', { name: /HTTPS failed/ }).click();
  await expect.element(https.getByRole('alert')).toHaveTextContent(problem);
  const certificate = { fingerprint: 'AB:CD', file: '/home/ada/shop/c.pem', until: Date.now(), selfSigned: false };
  answer({
    'servers.start': () => {
      on('https', 'https://127.0.0.1:7398/mcp', 7398, { certificate });
      return {};
    },
  });
  await https.getByRole('button', { name: 'Start HTTPS' }).click();
  await expect.element(https.getByRole('status')).toMatchTextContent(/^on, started/);
  await expect.element(https).toMatchTextContent('uses the given certificate');
  await expect.element(https.getByRole('alert')).not.toBeInTheDocument();
});
