import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Locator } from '@playwright/test';
import { faultsInBothThemes } from '../../desktop/axe.ts';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

/** Opens the wizard by the palette. */
async function wizard({ page }: Desktop): Promise<Locator> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Connect an AI client');
  await page.keyboard.press('Enter');
  return page.getByRole('dialog', { name: 'Connect an AI client' });
}

/** Opens the wizard for `program` and has it make the token. */
async function connected(desktop: Desktop, program: string): Promise<Locator> {
  const dialog = await wizard(desktop);
  await dialog.getByText(program, { exact: true }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText(/^lwb_[A-Za-z0-9_-]{43}$/)).toBeVisible();
  return dialog;
}

test('The wizard is worked by keyboard: a program, a name, its token, which works [D14]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const dialog = await wizard(desktop);
  await expect(dialog.getByRole('textbox', { name: 'Client name' })).toBeFocused();
  await expect(dialog.getByRole('group', { name: /^Install the plugin/ })).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await expect(dialog.getByRole('button', { name: /^Copy Install the plugin/ })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
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
  const url = await desktop.serverUrl();
  const response = await fetch(new URL('/lisply/ping-lisp', url), { headers: { authorization: `Bearer ${token}` } });
  expect(await response.text()).toBe('pong');
});

/** The server as the plugin says to start it. */
interface PluginServer {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

test('The lines that install the plugin come first, and are copied without a token [D14]', async ({
  sharedDesktop: desktop,
}) => {
  const { page, app } = desktop;
  const dialog = await wizard(desktop);
  const lines = dialog.getByRole('group', { name: /^Install the plugin: run th/ });
  for (const [program, first, second] of [
    ['Codex', 'codex plugin marketplace add ', 'codex plugin add lisp-workbench@lisp-workbench'],
    ['Copilot CLI', 'copilot plugin marketplace add ', 'copilot plugin install lisp-workbench@lisp-workbench'],
    ['Gemini CLI', 'gemini extensions install ', null],
    ['Qwen Code', 'qwen extensions install ', null],
    ['Claude Code', 'claude plugin marketplace add ', 'claude plugin install lisp-workbench@lisp-workbench'],
  ] as const) {
    await dialog.getByRole('radiogroup', { name: 'Client program' }).getByText(program, { exact: true }).click();
    await expect(lines).toContainText(first);
    await expect(lines).toHaveText(second === null ? /plugin(:lisp-workbench)?$/ : new RegExp(`\\n${second}$`));
  }
  const [atLines, atName] = await Promise.all(
    [lines, dialog.getByRole('textbox', { name: 'Client name' })].map((each) => each.boundingBox()),
  );
  expect(atLines!.y).toBeLessThan(atName!.y);
  await dialog.getByRole('button', { name: /^Copy Install the plugin/ }).click();
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).toBe(await lines.textContent());
  expect(copied).not.toContain('lwb_');
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  await dialog.getByText('Cursor', { exact: true }).click();
  await expect(lines).toHaveCount(0);
  await page.keyboard.press('Escape');
});

test('A program that the plugin starts is let in under its own name, without a token [D14]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  const dialog = await wizard(desktop);
  const lines = dialog.getByRole('group', { name: /^Install the plugin/ });
  const folder = path.join(desktop.home, 'state', 'plugin');
  await expect(lines).toContainText(`claude plugin marketplace add ${folder}`);
  await page.keyboard.press('Escape');
  const { mcpServers } = JSON.parse(await readFile(path.join(folder, '.mcp.json'), 'utf8')) as {
    mcpServers: Record<string, PluginServer>;
  };
  const { command, args, env } = mcpServers['lisp-workbench']!;
  const client = new Client({ name: 'claude-code', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: { ...getDefaultEnvironment(), ...env } }));
  try {
    const answer = client.callTool({ name: 'evaluate-lisp', arguments: { code: '(+ 1 2 3)' } });
    await page.keyboard.press('Control+Shift+J');
    const waiting = desktop.region('Clients').getByRole('listitem', { name: 'Claude Code wants to join' });
    await expect(waiting.getByRole('textbox', { name: 'Let it in as' })).toHaveValue('Claude Code');
    await waiting.getByRole('button', { name: 'Admit' }).click();
    expect(await answer).toMatchObject({ content: [{ type: 'text', text: '=> 6' }] });
    await expect(desktop.region('Clients').getByRole('listitem', { name: 'Claude Code', exact: true })).toBeVisible();
  } finally {
    await client.close();
  }
});

test('A plugin that cannot be written is one sentence, and the configuration file is still offered [D14]', async ({
  desktop,
}) => {
  await writeFile(path.join(desktop.home, 'state', 'plugin'), 'not a folder');
  const dialog = await wizard(desktop);
  await expect(dialog.getByRole('alert')).toContainText('The plugin cannot be written into');
  await expect(dialog.getByRole('button', { name: 'Continue' })).toBeEnabled();
});

test('Each program has its configuration, and HTTP where it can [D14]', async ({ sharedDesktop: desktop }) => {
  const dialog = await connected(desktop, 'Claude Code');
  await expect(dialog).toContainText('.mcp.json');
  await expect(dialog).toContainText('claude mcp add lisp-workbench -e LISP_WORKBENCH_HOME=');
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
    ['Qwen Code', '.qwen/settings.json'],
    ['opencode', 'opencode/opencode.json'],
    ['Continue', '.continue/config.yaml'],
    ['Kimi Code', '.kimi-code/mcp.json'],
    ['Lisply', 'POST /lisply/lisp-eval'],
  ] as const) {
    await dialog.getByRole('radiogroup', { name: 'Client program' }).getByText(program, { exact: true }).click();
    await expect(dialog).toContainText(text);
  }
  await dialog.getByText('Claude Desktop', { exact: true }).click();
  await expect(dialog.getByText('HTTP', { exact: true })).toHaveCount(0);
});

test('A configuration is written once its change was looked at, and what was there is kept [D14]', async ({
  sharedDesktop: desktop,
}) => {
  const file = path.join(desktop.project, '.mcp.json');
  await writeFile(file, '{\n  "mcpServers": {\n    "theirs": { "command": "x" }\n  }\n}\n');
  const dialog = await connected(desktop, 'Claude Code');
  const copy = dialog.getByRole('button', { name: /^Copy / }).first();
  const copied = (await copy.getAttribute('aria-label'))!.replace('Copy', 'Copied');
  await copy.click();
  await expect(dialog.getByRole('button', { name: copied })).toHaveText('Copied');
  await dialog.getByRole('button', { name: /^Write into .*\.mcp\.json…$/ }).click();
  await expect(dialog.getByLabel(/^Change of /)).toContainText('+     "lisp-workbench": {');
  expect(await readFile(file, 'utf8')).not.toContain('lisp-workbench');
  await dialog.getByRole('button', { name: 'Write it' }).click();
  await expect(dialog).toContainText('Written. The previous file is saved as');
  const written = JSON.parse(await readFile(file, 'utf8')) as { mcpServers: Record<string, object> };
  expect(Object.keys(written.mcpServers)).toEqual(['theirs', 'lisp-workbench']);
  expect(await readFile(file, 'utf8')).not.toContain('lwb_');
  expect((await readdir(desktop.project)).filter((name) => name.endsWith('.backup'))).toHaveLength(1);
  await dialog.getByRole('button', { name: /^Write into / }).click();
  await expect(dialog).toContainText('holds just that already');
});

test('Codex and Goose have their own files written too [D14]', async ({ sharedDesktop: desktop }) => {
  const dialog = await connected(desktop, 'Codex');
  for (const program of ['Codex', 'Goose']) {
    await dialog.getByText(program, { exact: true }).click();
    await expect(dialog.getByRole('button', { name: /^Write into .*config\.(toml|yaml)…$/ })).toBeVisible();
  }
});

test('A configuration file that cannot be read is left alone [D14]', async ({ sharedDesktop: desktop }) => {
  const file = path.join(desktop.project, '.mcp.json');
  await writeFile(file, '{ "mcpServers": ');
  const dialog = await connected(desktop, 'Claude Code');
  await dialog.getByRole('button', { name: /^Write into / }).click();
  await expect(dialog.getByRole('alert')).toContainText('is left alone');
  expect(await readFile(file, 'utf8')).toBe('{ "mcpServers": ');
});

test("The test of the connection connects by the client's own path, in both ways [D14]", async ({ desktop }) => {
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

test('A test of the connection that fails is told with one thing to try [D14]', async ({ sharedDesktop: desktop }) => {
  const dialog = await connected(desktop, 'Cursor');
  const { id } = (await desktop.snapshot()).clients[0]!;
  await desktop.page.evaluate((client) => window.workbench.call('clients.revoke', { id: client }), id);
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByRole('alert').first()).toContainText(/no longer valid|revoked/);
});

test('The mode, the image and the tools are chosen in the wizard [D14, decision 22]', async ({
  sharedDesktop: desktop,
}) => {
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

test('The wizard warns of a known name [D14]', async ({ sharedDesktop: desktop }) => {
  await desktop.mint('codex');
  const dialog = await wizard(desktop);
  await dialog.getByText('Codex', { exact: true }).click();
  await expect(dialog.getByRole('status')).toContainText('codex is known already');
});

test('The wizard has no faults that axe finds, in both themes [D17]', async ({ sharedDesktop: desktop }) => {
  const dialog = await connected(desktop, 'Claude Code');
  await dialog.getByRole('button', { name: /^Write into / }).click();
  await expect(dialog.getByRole('button', { name: 'Write it' })).toBeVisible();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
});
