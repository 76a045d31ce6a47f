import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator } from '@playwright/test';
import { expect, test, type Desktop } from './fixture.ts';

/** Opens the wizard by the palette. */
async function wizard({ page }: Desktop): Promise<Locator> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Connect an AI client');
  await page.keyboard.press('Enter');
  return page.getByRole('dialog', { name: 'Connect an AI client' });
}

/** With the token made. */
async function connected(desktop: Desktop, program: string): Promise<Locator> {
  const dialog = await wizard(desktop);
  await dialog.getByText(program, { exact: true }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText(/^lwb_[A-Za-z0-9_-]{43}$/)).toBeVisible();
  return dialog;
}

test('D14 the wizard is worked by keyboard: a program, a name, its token, and the token works', async ({ desktop }) => {
  const { page } = desktop;
  const dialog = await wizard(desktop);
  await expect(dialog.getByRole('textbox', { name: 'Client name' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(dialog.getByRole('radio', { name: 'Claude Code' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: 'Cursor' })).toBeChecked();
  const name = dialog.getByRole('textbox', { name: 'Client name' });
  await expect(name).toHaveValue('cursor');
  await name.fill('a/b');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Use 1 to 40 letters');
  await name.fill('my cursor');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('shown as');
  await expect(dialog).toContainText('.cursor/mcp.json');
  const token = (await dialog.getByText(/^lwb_[A-Za-z0-9_-]{43}$/).textContent())!;
  const { url } = (await desktop.snapshot()).server;
  const response = await fetch(new URL('/lisply/ping-lisp', url!), { headers: { authorization: `Bearer ${token}` } });
  expect(await response.text()).toBe('pong');
});

test('D14 each program has its configuration, and HTTP where it can', async ({ desktop }) => {
  const dialog = await connected(desktop, 'Claude Code');
  await expect(dialog).toContainText('.mcp.json');
  await expect(dialog).toContainText('claude mcp add lisp-workbench -- ');
  await dialog.getByText('HTTP', { exact: true }).click();
  await expect(dialog).toContainText('"type": "http"');
  for (const [program, text] of [
    ['Codex', '[mcp_servers.lisp-workbench]'],
    ['VS Code', '"servers"'],
    ['Zed', '"context_servers"'],
    ['Gemini CLI', '.gemini/settings.json'],
    ['Goose', 'extensions:'],
    ['Windsurf', 'mcp_config.json'],
    ['Cline', 'cline_mcp_settings.json'],
    ['Lisply', 'POST /lisply/lisp-eval'],
  ] as const) {
    await dialog.getByText(program, { exact: true }).click();
    await expect(dialog).toContainText(text);
  }
  await dialog.getByText('Claude Desktop', { exact: true }).click();
  await expect(dialog.getByText('HTTP', { exact: true })).toHaveCount(0);
});

test('D14 a configuration is written once its change was looked at, and what was there is kept', async ({
  desktop,
}) => {
  const file = path.join(desktop.project, '.mcp.json');
  await writeFile(file, '{\n  "mcpServers": {\n    "theirs": { "command": "x" }\n  }\n}\n');
  const dialog = await connected(desktop, 'Claude Code');
  await dialog.getByRole('button', { name: /^Write into .*\.mcp\.json…$/ }).click();
  await expect(dialog.getByLabel(/^Change of /)).toContainText('+     "lisp-workbench": {');
  expect(await readFile(file, 'utf8')).not.toContain('lisp-workbench');
  await dialog.getByRole('button', { name: 'Write it' }).click();
  await expect(dialog).toContainText('Written. The file as it was is kept as');
  const written = JSON.parse(await readFile(file, 'utf8')) as { mcpServers: Record<string, { env: object }> };
  expect(Object.keys(written.mcpServers)).toEqual(['theirs', 'lisp-workbench']);
  expect((await readdir(desktop.project)).filter((name) => name.endsWith('.backup'))).toHaveLength(1);
  await dialog.getByRole('button', { name: /^Write into / }).click();
  await expect(dialog).toContainText('holds just that already');
});

test('D14 Codex and Goose have their own files written too', async ({ desktop }) => {
  const dialog = await connected(desktop, 'Codex');
  for (const program of ['Codex', 'Goose']) {
    await dialog.getByText(program, { exact: true }).click();
    await expect(dialog.getByRole('button', { name: /^Write into .*config\.(toml|yaml)…$/ })).toBeVisible();
  }
});

test('D14 a file that cannot be read is left alone', async ({ desktop }) => {
  const file = path.join(desktop.project, '.mcp.json');
  await writeFile(file, '{ "mcpServers": ');
  const dialog = await connected(desktop, 'Claude Code');
  await dialog.getByRole('button', { name: /^Write into / }).click();
  await expect(dialog.getByRole('alert')).toContainText('is left alone');
  expect(await readFile(file, 'utf8')).toBe('{ "mcpServers": ');
});

test('D14 the test of the connection connects by the client’s own path, in both ways', async ({ desktop }) => {
  const dialog = await connected(desktop, 'Claude Code');
  const steps = dialog.getByRole('list', { name: 'Test of the connection' });
  for (const way of ['Command', 'HTTP']) {
    await dialog.getByText(way, { exact: true }).click();
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect(steps.getByRole('img', { name: 'worked' })).toHaveCount(3, { timeout: 30_000 });
    await expect(steps).toContainText('=> 6');
  }
  await expect
    .poll(async () => (await desktop.snapshot()).activity.filter((event) => event.kind === 'call-started').length)
    .toBe(2);
});

test('D14 what fails is told with one thing to try', async ({ desktop }) => {
  const dialog = await connected(desktop, 'Cursor');
  const { id } = (await desktop.snapshot()).clients[0]!;
  await desktop.page.evaluate((client) => window.workbench.call('clients.revoke', { id: client }), id);
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByRole('alert').first()).toContainText(/not valid any more|revoked/);
});

test('D14 decision 22 the mode, the image and the tools are chosen there', async ({ desktop }) => {
  const dialog = await connected(desktop, 'Goose');
  await dialog
    .getByRole('radio', { name: /^Observe/ })
    .locator('xpath=ancestor::label')
    .click();
  await expect.poll(async () => (await desktop.snapshot()).clients[0]!.mode).toBe('observe');
  await dialog.getByText('Its own image', { exact: true }).click();
  await expect.poll(async () => (await desktop.snapshot()).clients[0]!.ownImage).toBe(true);
  await dialog.getByText('All', { exact: true }).click();
  await expect.poll(async () => (await desktop.snapshot()).clients[0]!.profile).toBe('all');
});

test('D14 a known name is warned of', async ({ desktop }) => {
  await desktop.mint('codex');
  const dialog = await wizard(desktop);
  await dialog.getByText('Codex', { exact: true }).click();
  await expect(dialog.getByRole('status')).toContainText('codex is known already');
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the wizard is accessible, ${colorScheme}`, async ({ launch }) => {
    const desktop = await launch({ colorScheme });
    await desktop.imageReady();
    const dialog = await connected(desktop, 'Claude Code');
    await dialog.getByRole('button', { name: /^Write into / }).click();
    await expect(dialog.getByRole('button', { name: 'Write it' })).toBeVisible();
    const { violations } = await new AxeBuilder({ page: desktop.page })
      .include('[role=dialog]')
      .setLegacyMode()
      .analyze();
    expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))).toEqual([]);
  });
