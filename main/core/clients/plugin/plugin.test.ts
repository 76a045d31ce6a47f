import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RULES } from '#core/guide/rules.ts';
import { installLines } from './install-lines.ts';
import { pluginFiles, type PluginFacts } from './plugin-files.ts';
import { writePlugin } from './write-plugin.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const SHIPPED = path.join(ROOT, 'resources', 'plugin');

const facts: PluginFacts = {
  version: '1.2.3',
  command: ['/usr/bin/node', '/opt/lisp work/out/cli/cli.js', 'mcp'],
  environment: { LISP_WORKBENCH_HOME: '/home/ada/l w' },
};

const jsonOf = (name: string): unknown => JSON.parse(pluginFiles(facts).get(name)!);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plugin-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('files of the plugin', () => {
  it('The reference of the shipped plugin is made for the command lisp-workbench, and the folder has no other file', async () => {
    const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const files = pluginFiles({ version, command: ['lisp-workbench', 'mcp'], environment: {} });
    for (const [name, text] of files) await expect(text).toMatchFileSnapshot(path.join(SHIPPED, name));
    const there = await readdir(SHIPPED, { recursive: true, withFileTypes: true });
    const names = there.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
    expect(names.toSorted()).toEqual([...files.keys()].map((name) => path.join(SHIPPED, name)).toSorted());
  });

  it('The plugin starts the command without a token, for programs of both kinds', () => {
    const server = {
      command: '/usr/bin/node',
      args: ['/opt/lisp work/out/cli/cli.js', 'mcp', '--join'],
      env: { LISP_WORKBENCH_HOME: '/home/ada/l w' },
    };
    expect(jsonOf('.mcp.json')).toEqual({ mcpServers: { 'lisp-workbench': server } });
    expect(jsonOf('gemini-extension.json')).toMatchObject({
      name: 'lisp-workbench',
      version: '1.2.3',
      mcpServers: { 'lisp-workbench': { ...server, timeout: 600_000 } },
    });
    expect([...pluginFiles(facts).values()].join('\n')).not.toMatch(/token/i);
  });

  it('The marketplace has the plugin that the folder is, and its skill has the rules', () => {
    expect(jsonOf('.claude-plugin/marketplace.json')).toMatchObject({
      name: 'lisp-workbench',
      plugins: [{ name: 'lisp-workbench', source: './' }],
    });
    expect(jsonOf('.claude-plugin/plugin.json')).toMatchObject({ name: 'lisp-workbench', version: '1.2.3' });
    const skill = pluginFiles(facts).get('skills/lisp-workbench/SKILL.md')!;
    for (const rule of RULES) expect(skill).toContain(`- ${rule}`);
  });
});

describe('the plugin in the state of the window', () => {
  it('The plugin is written for its owner only, and again only where a file is different', async () => {
    const target = path.join(folder, 'state', 'plugin');
    await writePlugin(target, facts);
    for (const [name, text] of pluginFiles(facts)) expect(await readFile(path.join(target, name), 'utf8')).toBe(text);
    const modes = await Promise.all(['.', '.mcp.json'].map(async (name) => (await stat(path.join(target, name))).mode));
    const others = process.platform === 'win32' ? [0o066, 0o066] : [0, 0];
    expect(modes.map((mode) => mode & 0o066)).toEqual(others);
    const skill = path.join(target, 'skills', 'lisp-workbench', 'SKILL.md');
    const { ino } = await stat(skill);
    await writeFile(path.join(target, '.mcp.json'), 'cut of');
    await writePlugin(target, facts);
    expect(await readFile(path.join(target, '.mcp.json'), 'utf8')).toBe(pluginFiles(facts).get('.mcp.json'));
    expect((await stat(skill)).ino).toBe(ino);
  });

  it('A folder that cannot be written is a sentence with what to do instead', async () => {
    const taken = path.join(folder, 'taken');
    await writeFile(taken, 'mine');
    await expect(writePlugin(path.join(taken, 'plugin'), facts)).rejects.toThrow(
      /^The plugin cannot be written to .*taken\/plugin \(ENOTDIR\)\. Use the configuration file instead\.$/,
    );
    expect(await readFile(taken, 'utf8')).toBe('mine');
  });
});

describe('lines that install the plugin', () => {
  it.each([
    [
      'claude-code',
      ["claude plugin marketplace add '/a b/plugin'", 'claude plugin install lisp-workbench@lisp-workbench'],
    ],
    ['codex', ["codex plugin marketplace add '/a b/plugin'", 'codex plugin add lisp-workbench@lisp-workbench']],
    [
      'copilot-cli',
      ["copilot plugin marketplace add '/a b/plugin'", 'copilot plugin install lisp-workbench@lisp-workbench'],
    ],
    ['gemini-cli', ["gemini extensions install '/a b/plugin'"]],
    ['qwen-code', ["qwen extensions install '/a b/plugin:lisp-workbench'"]],
    ['cursor', null],
  ] as const)('The lines of %s are right for a shell', (kind, lines) => {
    expect(installLines(kind, '/a b/plugin')).toEqual(lines);
  });
});
