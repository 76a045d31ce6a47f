import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientKind, type ClientKind, type ConnectionWay } from '#contract/connection.ts';
import { planConfiguration, writeConfiguration, type Wanted } from './configuration-files.ts';
import { configurationFile, type UserPlaces } from './configuration-places.ts';
import { configurationEntry, configurationsFor } from './configurations.ts';

const facts = {
  name: 'my client',
  token: 'lwb_t',
  url: 'http://127.0.0.1:9081/mcp',
  command: ['npm', '--prefix', '/opt/lisp work', 'run', '-s', 'cli', '--', 'mcp'],
  environment: {},
};
const linux: UserPlaces = { platform: 'linux', environment: {}, home: '/home/ada', project: '/home/ada/shop' };
const mac: UserPlaces = { ...linux, platform: 'darwin', home: '/Users/ada' };
const windows: UserPlaces = { ...linux, platform: 'win32', home: 'C:\\Users\\ada', project: 'C:\\shop' };
const command = 'npm';
const args = [...facts.command.slice(1), '--client', 'my client'];
const env = { LISP_WORKBENCH_TOKEN: 'lwb_t' };
const headers = { Authorization: 'Bearer lwb_t' };

describe('D14 the configuration of each client', () => {
  it.each<[ClientKind, string, object, object | null]>([
    ['claude-code', 'mcpServers', { type: 'stdio', command, args, env }, { type: 'http', url: facts.url, headers }],
    ['claude-desktop', 'mcpServers', { command, args, env }, null],
    ['cursor', 'mcpServers', { command, args, env }, { url: facts.url, headers }],
    ['vscode', 'servers', { type: 'stdio', command, args, env }, { type: 'http', url: facts.url, headers }],
    ['zed', 'context_servers', { command, args, env }, { url: facts.url, headers }],
    ['gemini-cli', 'mcpServers', { command, args, env }, { httpUrl: facts.url, headers, timeout: 600_000 }],
    ['windsurf', 'mcpServers', { command, args, env }, { serverUrl: facts.url, headers }],
    ['cline', 'mcpServers', { command, args, env }, { type: 'streamableHttp', url: facts.url, headers, timeout: 60 }],
  ])('%s reads %s', (kind, group, stdio, http) => {
    const of = { syntax: 'json', path: [group, 'lisp-workbench'], note: null };
    expect(configurationEntry(kind, 'stdio', facts)).toEqual({ ...of, entry: stdio });
    expect(configurationEntry(kind, 'http', facts)).toEqual(http && { ...of, entry: http });
    const texts = configurationsFor(kind, facts, linux).filter(({ writable }) => writable);
    expect(texts.map(({ text }) => JSON.parse(text) as unknown)).toEqual(
      [stdio, http].filter(Boolean).map((entry) => ({ [group]: { 'lisp-workbench': entry } })),
    );
  });

  it('of Codex is TOML, which it alone reads', () => {
    const [stdio, http] = configurationsFor('codex', facts, linux);
    expect(stdio).toMatchObject({ file: '/home/ada/.codex/config.toml', writable: true });
    expect(stdio!.text.split('\n')).toEqual([
      '[mcp_servers.lisp-workbench]',
      'command = "npm"',
      'args = [ "--prefix", "/opt/lisp work", "run", "-s", "cli", "--", "mcp", "--client", "my client" ]',
      'tool_timeout_sec = 120',
      '',
      '[mcp_servers.lisp-workbench.env]',
      'LISP_WORKBENCH_TOKEN = "lwb_t"',
    ]);
    expect(http!.text).toContain('bearer_token_env_var = "LISP_WORKBENCH_TOKEN"');
    expect(http!.text).not.toContain('lwb_t');
    expect(http!.note).toContain('set LISP_WORKBENCH_TOKEN to lwb_t');
  });

  it('of Goose is YAML', () => {
    const [stdio, http] = configurationsFor('goose', facts, linux);
    const head = { name: 'lisp-workbench', enabled: true, timeout: 300 };
    const extension = (entry: object) => ({ extensions: { 'lisp-workbench': { ...head, ...entry } } });
    expect(parse(stdio!.text)).toEqual(extension({ type: 'stdio', cmd: command, args, envs: env }));
    expect(parse(http!.text)).toEqual(extension({ type: 'streamable_http', uri: facts.url, headers }));
    expect(stdio!.text).toMatch(/^extensions:\n {2}lisp-workbench:\n {4}name: lisp-workbench\n/);
    expect(stdio).toMatchObject({ file: '/home/ada/.config/goose/config.yaml', writable: true });
  });

  it.each(clientKind.options)('of %s has no token among the words of a command', (kind) => {
    const all = configurationsFor(kind, facts, linux);
    expect(all.length).toBeGreaterThan(0);
    const commands = all.filter(({ text }) => /^(claude|curl|code) /.test(text));
    expect(commands.filter(({ text }) => text.includes('lwb_t'))).toEqual([]);
    const entry = configurationEntry(kind, 'stdio', facts)?.entry ?? {};
    expect('args' in entry ? entry.args : []).not.toContain('lwb_t');
  });

  it('for a terminal is right for a shell, whatever the names hold', () => {
    const line = configurationsFor('claude-code', facts, linux).at(-1)!;
    expect(line.text).toBe(
      "claude mcp add lisp-workbench -- npm --prefix '/opt/lisp work' run -s cli -- mcp --client 'my client'",
    );
  });

  it('leaves HTTP out while the server is down', () => {
    const down = { ...facts, url: null };
    expect(
      clientKind.options.flatMap((kind) => configurationsFor(kind, down, linux)).filter(({ way }) => way === 'http'),
    ).toEqual([]);
  });
});

describe('D14 the file of each client', () => {
  it.each<[ClientKind, string, string, string]>([
    ['claude-code', '/home/ada/shop/.mcp.json', '/home/ada/shop/.mcp.json', 'C:\\shop\\.mcp.json'],
    [
      'claude-desktop',
      '/home/ada/.config/Claude/claude_desktop_config.json',
      '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
      'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    ],
    ['cursor', '/home/ada/.cursor/mcp.json', '/Users/ada/.cursor/mcp.json', 'C:\\Users\\ada\\.cursor\\mcp.json'],
    [
      'vscode',
      '/home/ada/.config/Code/User/mcp.json',
      '/Users/ada/Library/Application Support/Code/User/mcp.json',
      'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
    ],
    [
      'zed',
      '/home/ada/.config/zed/settings.json',
      '/Users/ada/.config/zed/settings.json',
      'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
    ],
    ['codex', '/home/ada/.codex/config.toml', '/Users/ada/.codex/config.toml', 'C:\\Users\\ada\\.codex\\config.toml'],
    [
      'goose',
      '/home/ada/.config/goose/config.yaml',
      '/Users/ada/.config/goose/config.yaml',
      'C:\\Users\\ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
    ],
  ])('%s', (kind, ...files) => {
    expect([linux, mac, windows].map((places) => configurationFile(kind, places))).toEqual(files);
  });

  it('of Claude Code needs a project', () => {
    expect(configurationFile('claude-code', { ...linux, project: null })).toBeNull();
  });

  it('is where the environment has moved it', () => {
    const environment = { XDG_CONFIG_HOME: '/x', CODEX_HOME: '/c' };
    expect(configurationFile('zed', { ...linux, environment })).toBe('/x/zed/settings.json');
    expect(configurationFile('codex', { ...linux, environment })).toBe('/c/config.toml');
  });
});

describe('D14 writing a configuration', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'clients-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const wanted = (kind: ClientKind, way: ConnectionWay = 'stdio'): Wanted => ({
    kind,
    way,
    facts,
    places: { platform: process.platform, environment: {}, home, project: home },
  });
  const file = (): string => path.join(home, '.mcp.json');

  it('makes the file, and its folders, where there is none', async () => {
    const plan = await planConfiguration(wanted('cursor'));
    expect(plan).toMatchObject({ change: { bytesBefore: null, removed: 0 }, same: false });
    expect(await readdir(home)).toEqual([]);
    expect(await writeConfiguration(wanted('cursor'), plan.digest)).toEqual({ file: plan.file, backup: null });
    expect(JSON.parse(await readFile(plan.file, 'utf8'))).toEqual({
      mcpServers: { 'lisp-workbench': { command, args, env } },
    });
    expect((await planConfiguration(wanted('cursor'))).same).toBe(true);
    expect((await stat(plan.file)).mode & 0o077).toBe(process.platform === 'win32' ? 0o066 : 0);
  });

  it('changes nothing else in a file that is there, and keeps it as it was, with its mode', async () => {
    const before = '{\n  // mine\n  "mcpServers": {\n    "theirs": { "command": "x" }, // keep\n  },\n}\n';
    await writeFile(file(), before);
    await chmod(file(), 0o600);
    const { digest, change } = await planConfiguration(wanted('claude-code', 'http'));
    expect(change.removed).toBe(0);
    const { backup } = await writeConfiguration(wanted('claude-code', 'http'), digest);
    const after = await readFile(file(), 'utf8');
    expect(
      after.startsWith(
        '{\n  // mine\n  "mcpServers": {\n    "theirs": { "command": "x" }, // keep\n    "lisp-workbench": {',
      ),
    ).toBe(true);
    expect(await readFile(backup!, 'utf8')).toBe(before);
    expect([(await stat(file())).mode & 0o777, (await stat(backup!)).mode & 0o777]).toEqual([0o600, 0o600]);
  });

  it('is refused when the file has changed since it was shown', async () => {
    const { digest } = await planConfiguration(wanted('claude-code'));
    await writeFile(file(), '{}');
    await expect(writeConfiguration(wanted('claude-code'), digest)).rejects.toThrow(/has changed meanwhile/);
    expect(await readFile(file(), 'utf8')).toBe('{}');
  });

  it.each(['{', '[]', '{"mcpServers": 1}', '{"a": 1,, }'])('is refused where the file is %j', async (text) => {
    await writeFile(file(), text);
    await expect(planConfiguration(wanted('claude-code'))).rejects.toThrow(/is left alone/);
    expect(await readFile(file(), 'utf8')).toBe(text);
  });

  it.each<[ClientKind, string, string]>([
    ['codex', '.codex/config.toml', '# mine\nmodel = "o"\n\n[mcp_servers.theirs]\ncommand = "x"\n'],
    ['goose', '.config/goose/config.yaml', '# mine\nextensions:\n  theirs:\n    enabled: true\nGOOSE_MODE: auto\n'],
  ])('of %s is put into its file, twice the same, and nothing else changes', async (kind, name, before) => {
    const target = path.join(home, name);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, before);
    for (const way of ['stdio', 'http', 'http'] as const) {
      const { digest } = await planConfiguration(wanted(kind, way));
      await writeConfiguration(wanted(kind, way), digest);
    }
    const after = await readFile(target, 'utf8');
    for (const line of before.split('\n')) expect(after.split('\n')).toContain(line);
    expect(after.match(/lisp-workbench/g)!.length).toBe(kind === 'goose' ? 2 : 1);
    expect(after).toContain(facts.url);
    expect(after).not.toContain('--client');
    expect((await planConfiguration(wanted(kind, 'http'))).same).toBe(true);
  });

  it.each<[ClientKind, string, string]>([
    ['codex', '.codex/config.toml', 'mcp_servers = { lisp-workbench = { url = "x" } }\n'],
    ['codex', '.codex/config.toml', 'model = \n'],
    ['codex', '.codex/config.toml', 'mcp_servers = 1\n'],
    ['goose', '.config/goose/config.yaml', 'extensions: {theirs: {enabled: true}}\n'],
    ['goose', '.config/goose/config.yaml', 'extensions: [1]\n'],
    ['goose', '.config/goose/config.yaml', '- 1\n'],
    ['goose', '.config/goose/config.yaml', 'a: "b\n'],
    ['goose', '.config/goose/config.yaml', 'a: 1\n---\nb: 2\n'],
  ])('of %s leaves a file alone that it cannot change for certain: %s, %j', async (kind, name, before) => {
    const target = path.join(home, name);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, before);
    await expect(planConfiguration(wanted(kind))).rejects.toThrow(/is left alone\. .*Mend it, or copy the text/);
    expect(await readFile(target, 'utf8')).toBe(before);
  });

  it('goes through a link and leaves it one', async () => {
    await writeFile(path.join(home, 'real.json'), '{}');
    await symlink(path.join(home, 'real.json'), file());
    const { digest } = await planConfiguration(wanted('claude-code'));
    await writeConfiguration(wanted('claude-code'), digest);
    expect(await readFile(path.join(home, 'real.json'), 'utf8')).toContain('lisp-workbench');
  });

  it.each<[ClientKind, ConnectionWay]>([
    ['claude-desktop', 'http'],
    ['other', 'stdio'],
  ])('is not offered for %s over %s', async (kind, way) => {
    await expect(planConfiguration(wanted(kind, way))).rejects.toThrow(/Copy the text instead/);
  });
});
