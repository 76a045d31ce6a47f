/** Stories about the workbench's plugin, installed as the wizard describes, and the server that it starts. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from '../../desktop/fixture.ts';

/** The command that starts the server, from the plugin's configuration. */
interface PluginServer {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

test('A program that the plugin starts is let in under its own name, without a token [D14]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.insertText('Connect an AI client');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Connect an AI client' });
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
    await expect(waiting.getByRole('textbox', { name: 'Admit as' })).toHaveValue('Claude Code');
    await waiting.getByRole('button', { name: 'Admit' }).click();
    expect(await answer).toMatchObject({ content: [{ type: 'text', text: '=> 6' }] });
    await expect(desktop.region('Clients').getByRole('listitem', { name: 'Claude Code', exact: true })).toBeVisible();
  } finally {
    await client.close();
  }
});
