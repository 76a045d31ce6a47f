/**
 * Evaluates a form with the unpacked program in `out/packages`, as an MCP client: `node resources/package/smoke.mjs`. If the value is
 * wrong, prints the answer and exits with code 1.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { inRoot } from '../setup/places.mjs';

const home = mkdtempSync(join(tmpdir(), 'lisp-workbench-smoke-'));
try {
  const { command, args } = started(unpacked());
  // Without a search path, only the package's own SBCL and Node can be found.
  const env = {
    PATH: process.platform === 'win32' ? process.env.SystemRoot : '/usr/bin:/bin',
    LISP_WORKBENCH_HOME: home,
  };
  const transport = new StdioClientTransport({ command, args, env, cwd: home, stderr: 'inherit' });
  const client = new Client({ name: 'smoke', version: '1.0.0' });
  await client.connect(transport);
  const code = '(progn (require :sb-md5) (list (lisp-implementation-type) (+ 1 2 3) (package-name :sb-md5)))';
  const { content } = await client.callTool({ name: 'evaluate-lisp', arguments: { code } });
  await client.close();
  const [{ text }] = content;
  process.stdout.write(`${text}\n`);
  if (text !== '=> ("SBCL" 6 "SB-MD5")') process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/** Returns the folder of the unpacked program. */
function unpacked() {
  const folder = inRoot('out', 'packages');
  const names = readdirSync(folder).filter((name) => /^(linux-|win-|mac)/.test(name) && existsSync(join(folder, name)));
  if (names.length === 0)
    throw new Error('There is no unpacked program in out/packages: run `npm run package -- dir`.');
  return join(folder, names[0]);
}

function started(folder) {
  if (process.platform === 'linux') return { command: join(folder, 'lisp-workbench'), args: ['mcp', '--headless'] };
  const command =
    process.platform === 'darwin'
      ? join(folder, 'Lisp Workbench.app', 'Contents', 'Resources', 'bin', 'lisp-workbench')
      : join(folder, 'resources', 'bin', 'lisp-workbench.cmd');
  // Windows runs command files only through its shell.
  if (process.platform !== 'win32') return { command, args: ['mcp', '--headless'] };
  return { command: 'cmd.exe', args: ['/d', '/c', command, 'mcp', '--headless'] };
}
