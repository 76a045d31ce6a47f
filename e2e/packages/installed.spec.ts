import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from '@playwright/test';
import { agentOf, type Agent } from '../desktop/desktop.ts';
import { BareDebian, bareSystem, PERSON } from './bare-debian.ts';
import { InstalledDesktop, PROJECT } from './installed-desktop.ts';
import { packageFile, PROGRAM } from './made.ts';

// Each test continues where the previous one ended: the package is installed, used, upgraded and removed.
test.describe.configure({ mode: 'serial' });

const VERSION = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
const OBSOLETE = `${PROGRAM}/resources/of-the-older-version.txt`;

let work: string;
let debian: BareDebian;
let desktop: InstalledDesktop | null = null;

test.beforeAll(async () => {
  test.setTimeout(15 * 60_000);
  work = mkdtempSync(path.join(tmpdir(), 'lisp-workbench-older-'));
  chmodSync(work, 0o755); // every user must be able to enter the system's root
  // Copies the system, so that a second attempt starts in the same state as the first.
  debian = await new BareDebian(bareSystem()).copy(path.join(work, 'root'));
  await debian.run(['apt-get', 'update']);
});

test.afterAll(() => {
  desktop?.kill();
  rmSync(work, { recursive: true, force: true });
});

/** Starts the installed command as the ordinary user, and connects an MCP client to it. */
async function client(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Agent> {
  const [command, ...rest] = debian.asPerson(['lisp-workbench', 'mcp', ...args], env);
  const connected = new Client({ name: 'claude-code', version: '1.0.0' });
  await connected.connect(new StdioClientTransport({ command: command!, args: rest, stderr: 'ignore' }));
  return agentOf(connected);
}

/** Creates an older version of the package, with a file that the current version no longer has. Returns the package's path. */
function olderPackage(): string {
  const tree = path.join(work, 'older');
  execFileSync('dpkg-deb', ['--raw-extract', packageFile('.deb'), tree]);
  const control = path.join(tree, 'DEBIAN', 'control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 0.0.1'));
  writeFileSync(path.join(tree, OBSOLETE), 'older\n');
  const file = path.join(work, 'older.deb');
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, file]);
  rmSync(tree, { recursive: true });
  return file;
}

const install = (file: string): Promise<string> =>
  debian.run(['apt-get', 'install', '--yes', '--quiet', '-o', 'Dpkg::Options::=--force-unsafe-io', file]);

test('A machine that has neither SBCL nor Node installs the package with what Debian has, and its commands work', async () => {
  test.setTimeout(15 * 60_000);
  await install(await debian.put(olderPackage(), 'older.deb'));
  for (const other of ['sbcl', 'node', 'npm'])
    expect(await debian.runAsPerson(['sh', '-c', `command -v ${other} || echo none`])).toBe('none\n');
  expect(await debian.runAsPerson(['lisp-workbench', '--version'])).toBe(`lisp-workbench ${VERSION}\n`);
  const looked = await debian.runAsPerson(['lisp-workbench', 'doctor']);
  expect(looked).not.toContain('✗');
  expect(looked).toContain('SBCL');
});

test('An ordinary user evaluates the first form in the window, whose pages are in the sandbox of the system', async () => {
  await debian.runAsPerson(['mkdir', PROJECT]);
  desktop = await InstalledDesktop.start(debian);
  await desktop.repl('(list (lisp-implementation-type) (+ 1 2 3))');
  await expect(desktop.page.getByRole('region', { name: 'REPL', exact: true })).toContainText('("SBCL" 6)');
  await desktop.repl('(progn (require :sb-md5) (package-name :sb-md5))');
  await expect(desktop.page.getByRole('region', { name: 'REPL', exact: true })).toContainText('=> "SB-MD5"');

  const renderers = desktop.processes().filter(({ command }) => command.includes(' --type=renderer'));
  expect(renderers.length).toBeGreaterThan(0);
  for (const { command, status } of renderers) {
    expect(command).not.toContain('--no-sandbox');
    expect(status).toMatch(/^Seccomp:\t2$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(new RegExp(`^Uid:\t${PERSON.id}\t`, 'm'));
    // The process runs in a separate namespace, which Chromium's sandbox creates.
    expect(status).toMatch(/^NSpid:(\t\d+){2,}$/m);
  }
});

test('A client joins the image of the window by the installed command', async () => {
  const { page } = desktop!;
  await page.getByRole('button', { name: 'Trust this folder' }).click();
  await expect(page.getByRole('status', { name: 'Trust' })).toHaveCount(0);
  const { token } = await page.evaluate(() => window.workbench.call('clients.mint', { name: 'claude-code' }));
  const agent = await client(['--join'], { LISP_WORKBENCH_TOKEN: token });
  expect((await agent.call('evaluate-lisp', { code: '(defun from-client () :joined)' })).text).toBe('=> FROM-CLIENT');
  await desktop!.repl('(from-client)');
  await expect(page.getByRole('region', { name: 'REPL', exact: true })).toContainText(':JOINED');
  await agent.close();
});

test('An image in the sandbox loads a contrib of the SBCL in the package, and cannot write where it must not', async () => {
  const agent = await client(['--headless', '--sandbox', '--effects', 'allow', '--project', PROJECT]);
  const { text } = await agent.call('evaluate-lisp', {
    code: `(progn (require :sb-md5)
      (list (fboundp (find-symbol "MD5SUM-STRING" "SB-MD5"))
        (handler-case (with-open-file (out "${PERSON.home}/outside" :direction :output) (print 1 out)) (error () :refused))))`,
  });
  expect(text).toMatch(/=> \(#<FUNCTION SB-MD5:MD5SUM-STRING> :REFUSED\)/);
  await agent.close();
});

test('A newer version takes the place of an older one, and the person finds all that was there', async () => {
  test.setTimeout(10 * 60_000);
  await desktop!.page.keyboard.press('Control+n');
  await desktop!.page.keyboard.insertText('(defun not-yet-saved () 1)');
  await desktop!.close();
  expect(existsSync(debian.at(OBSOLETE))).toBe(true);
  await install(await debian.put(packageFile('.deb'), 'newer.deb'));
  expect(existsSync(debian.at(OBSOLETE))).toBe(false);
  desktop = await InstalledDesktop.start(debian);
  await expect(desktop.page.getByRole('region', { name: 'Editor', exact: true })).toContainText('not-yet-saved');
  await desktop.repl('(+ 40 2)');
  await expect(desktop.page.getByRole('region', { name: 'REPL', exact: true })).toContainText('42');
});

test('When the package is removed nothing of it is left but what the person has', async () => {
  await desktop!.close();
  desktop = null;
  await debian.run(['apt-get', 'remove', '--yes', '--quiet', 'lisp-workbench']);
  const gone = [PROGRAM, '/usr/bin/lisp-workbench', '/usr/share/applications/lisp-workbench.desktop'];
  expect(gone.filter((file) => existsSync(debian.at(file)))).toEqual([]);
  expect(existsSync(debian.at(`${PERSON.home}/.config/lisp-workbench/workspace.json`))).toBe(true);
});
