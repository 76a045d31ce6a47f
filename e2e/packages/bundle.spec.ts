import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackExtension, validateManifest } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from '@playwright/test';
import { agentOf } from '../desktop/desktop.ts';
import { packageFile } from './made.ts';

interface Manifest {
  readonly server: { readonly mcp_config: { readonly args: string[]; readonly env: Record<string, string> } };
}

test('The bundle for MCP clients evaluates a form where no SBCL is installed, started as its manifest says', async () => {
  const work = await mkdtemp(path.join(tmpdir(), 'bundle-'));
  const [folder, home] = [path.join(work, 'bundle'), path.join(work, 'home')];
  expect(await unpackExtension({ mcpbPath: packageFile('.mcpb'), outputDir: folder, silent: true })).toBe(true);
  expect(validateManifest(path.join(folder, 'manifest.json'))).toBe(true);
  const { server } = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
  // Replaces the variables as a client does: the folder's variable becomes the bundle's folder, and values that the person did not fill in
  // become empty.
  const filled = (text: string): string => text.replace('${__dirname}', folder).replace(/\$\{user_config\.\w+\}/, '');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: server.mcp_config.args.map(filled),
    env: {
      ...Object.fromEntries(Object.entries(server.mcp_config.env).map(([name, value]) => [name, filled(value)])),
      PATH: '/nowhere',
      HOME: home,
      LISP_WORKBENCH_HOME: home,
    },
    cwd: work,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'desktop', version: '1.0.0' });
  await client.connect(transport);
  const { text } = await agentOf(client).call('evaluate-lisp', {
    code: '(progn (require :sb-md5) (list 6 (package-name :sb-md5)))',
  });
  expect(text).toBe('=> (6 "SB-MD5")');
  await client.close();
  await rm(work, { recursive: true, force: true });
});
