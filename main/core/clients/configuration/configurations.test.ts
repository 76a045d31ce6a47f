import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ClientKind, configurationChoice, type ConnectionWay } from '#contract/clients/connection.ts';
import { planConfiguration, writeConfiguration, type Wanted } from './files.ts';
import { configurationFile, type UserPlaces } from './locations.ts';
import { configurationEntry, configurationsFor } from './configurations.ts';

const facts = {
  name: 'my client',
  token: 'lwb_t',
  url: 'http://127.0.0.1:9081/mcp',
  command: ['/usr/bin/node', '/opt/lisp work/out/cli/cli.js', 'mcp'],
  environment: {},
};
const linux: UserPlaces = { platform: 'linux', environment: {}, home: '/home/ada', project: '/home/ada/shop' };
const mac: UserPlaces = { ...linux, platform: 'darwin', home: '/Users/ada' };
const windows: UserPlaces = { ...linux, platform: 'win32', home: 'C:\\Users\\ada', project: 'C:\\shop' };
const command = '/usr/bin/node';
const args = [...facts.command.slice(1), '--client', 'my client'];
const env = { LISP_WORKBENCH_TOKEN: 'lwb_t' };
const headers = { Authorization: 'Bearer lwb_t' };

describe('configuration of each client', () => {
  it.each<[ClientKind, string, object, object | null]>([
    [
      'qwen-code',
      'mcpServers',
      { timeout: 600_000, command, args, env },
      { httpUrl: facts.url, headers, timeout: 600_000 },
    ],
    [
      'opencode',
      'mcp',
      { type: 'local', command: [command, ...args], environment: env, enabled: true },
      { type: 'remote', url: facts.url, headers, oauth: false, enabled: true },
    ],
    [
      'kimi-code',
      'mcpServers',
      { transport: 'stdio', toolTimeoutMs: 600_000, command, args, env },
      { transport: 'http', url: facts.url, headers, toolTimeoutMs: 600_000 },
    ],
    ['claude-desktop', 'mcpServers', { command, args, env }, null],
    ['cursor', 'mcpServers', { command, args, env }, { url: facts.url, headers }],
    ['vscode', 'servers', { type: 'stdio', command, args, env }, { type: 'http', url: facts.url, headers }],
    ['zed', 'context_servers', { command, args, env }, { url: facts.url, headers }],
    [
      'gemini-cli',
      'mcpServers',
      { timeout: 600_000, command, args, env },
      { httpUrl: facts.url, headers, timeout: 600_000 },
    ],
    ['windsurf', 'mcpServers', { command, args, env }, { serverUrl: facts.url, headers }],
    [
      'cline',
      'mcpServers',
      { type: 'stdio', timeout: 60, command, args, env },
      { type: 'streamableHttp', url: facts.url, headers, timeout: 60 },
    ],
    [
      'cline-cli',
      'mcpServers',
      { type: 'stdio', timeout: 60, command, args, env },
      { type: 'streamableHttp', url: facts.url, headers, timeout: 60 },
    ],
    [
      'copilot-cli',
      'mcpServers',
      { type: 'local', tools: ['*'], command, args, env },
      { type: 'http', url: facts.url, headers, tools: ['*'] },
    ],
  ])('The configuration of %s reads %s [D14]', (kind, group, stdio, http) => {
    const of = { syntax: 'json', path: [group, 'lisp-workbench'], note: null };
    expect(configurationEntry(kind, 'stdio', facts)).toEqual({ ...of, entry: stdio });
    expect(configurationEntry(kind, 'http', facts)).toEqual(http && { ...of, entry: http });
    const texts = configurationsFor(kind, facts, linux).filter(({ writable }) => writable);
    expect(texts.map(({ text }) => JSON.parse(text) as unknown)).toEqual(
      [stdio, http].filter(Boolean).map((entry) => ({ [group]: { 'lisp-workbench': entry } })),
    );
  });

  it('The configuration of Codex is TOML, which it alone reads [D14]', () => {
    const [stdio, http] = configurationsFor('codex', facts, linux);
    expect(stdio).toMatchObject({ file: '/home/ada/.codex/config.toml', writable: true });
    expect(stdio!.text.split('\n')).toEqual([
      '[mcp_servers.lisp-workbench]',
      'command = "/usr/bin/node"',
      'args = [ "/opt/lisp work/out/cli/cli.js", "mcp", "--client", "my client" ]',
      'required = true',
      'startup_timeout_sec = 60',
      'tool_timeout_sec = 120',
      '',
      '[mcp_servers.lisp-workbench.env]',
      'LISP_WORKBENCH_TOKEN = "lwb_t"',
    ]);
    expect(http!.text).toContain('bearer_token_env_var = "LISP_WORKBENCH_TOKEN"');
    expect(http!.text).not.toContain('lwb_t');
    expect(http!.note).toContain('Set LISP_WORKBENCH_TOKEN to lwb_t');
  });

  it('The file of Claude Code, which is in the project, has no token in either way [D14]', () => {
    const files = configurationsFor('claude-code', facts, linux).filter(({ writable }) => writable);
    expect(files.map(({ file }) => file)).toEqual(['/home/ada/shop/.mcp.json', '/home/ada/shop/.mcp.json']);
    expect(files.map(({ text }) => (JSON.parse(text) as { mcpServers: object }).mcpServers)).toEqual([
      { 'lisp-workbench': { type: 'stdio', command, args: [...args, '--join'] } },
      {
        'lisp-workbench': {
          type: 'http',
          url: facts.url,
          headers: { Authorization: 'Bearer ${LISP_WORKBENCH_TOKEN}' },
        },
      },
    ]);
    expect(files[1]!.note).toContain('Set LISP_WORKBENCH_TOKEN to lwb_t where you start Claude Code.');
  });

  it.each(configurationChoice.shape.kind.options)('A file of %s in the project has no token [D14]', (kind) => {
    const inProject = configurationsFor(kind, facts, linux).filter(({ file }) => file?.startsWith(linux.project!));
    expect(inProject.filter(({ text }) => text.includes('lwb_t'))).toEqual([]);
    expect(inProject.length).toBe(kind === 'claude-code' ? 2 : 0);
  });

  it('The configuration of Continue is an item of a list of YAML [D14]', () => {
    const [stdio, http] = configurationsFor('continue', facts, linux);
    const item = (entry: object) => ({ mcpServers: [{ name: 'lisp-workbench', ...entry }] });
    expect(parse(stdio!.text)).toEqual(item({ type: 'stdio', command, args, env }));
    expect(parse(http!.text)).toEqual(item({ type: 'streamable-http', url: facts.url, requestOptions: { headers } }));
    expect(stdio).toMatchObject({ file: '/home/ada/.continue/config.yaml', writable: true });
  });

  it('The configuration of Goose is YAML [D14]', () => {
    const [stdio, http] = configurationsFor('goose', facts, linux);
    const head = { name: 'lisp-workbench', enabled: true, timeout: 300 };
    const extension = (entry: object) => ({ extensions: { 'lisp-workbench': { ...head, ...entry } } });
    expect(parse(stdio!.text)).toEqual(extension({ type: 'stdio', cmd: command, args, envs: env }));
    expect(parse(http!.text)).toEqual(extension({ type: 'streamable_http', uri: facts.url, headers }));
    expect(stdio!.text).toMatch(/^extensions:\n {2}lisp-workbench:\n {4}name: lisp-workbench\n/);
    expect(stdio).toMatchObject({ file: '/home/ada/.config/goose/config.yaml', writable: true });
  });

  it.each(configurationChoice.shape.kind.options)(
    'The configuration of %s has no token among the words of a command [D14]',
    (kind) => {
      const all = configurationsFor(kind, facts, linux);
      expect(all.length).toBeGreaterThan(0);
      const commands = all.filter(({ text }) => /^(claude|curl|code) /.test(text));
      expect(commands.filter(({ text }) => text.includes('lwb_t'))).toEqual([]);
      const entry = configurationEntry(kind, 'stdio', facts)?.entry ?? {};
      expect('args' in entry ? entry.args : []).not.toContain('lwb_t');
    },
  );

  it('The command for a terminal is right for a shell, whatever the names hold [D14]', () => {
    const line = configurationsFor('claude-code', facts, linux).at(-1)!;
    expect(line.text).toBe(
      "claude mcp add lisp-workbench -- /usr/bin/node '/opt/lisp work/out/cli/cli.js' mcp --client 'my client' --join",
    );
  });

  it('A configuration leads to the window that was told of another home, by whatever way [D14]', () => {
    const moved = { ...facts, environment: { LISP_WORKBENCH_HOME: '/tmp/my home' } };
    const all = configurationChoice.shape.kind.options.flatMap((kind) => configurationsFor(kind, moved, linux));
    const commands = all.filter(({ way }) => way === 'stdio');
    expect(commands.length).toBeGreaterThan(12);
    expect(commands.filter(({ text }) => !/LISP_WORKBENCH_HOME.{1,5}\/tmp\/my home/.test(text))).toEqual([]);
    expect(configurationsFor('claude-code', moved, linux).at(-1)!.text).toContain(
      "claude mcp add lisp-workbench -e 'LISP_WORKBENCH_HOME=/tmp/my home' -- /usr/bin/node",
    );
  });

  it('The configuration of Claude Code says what its first start in the project is for [D14]', () => {
    const [file] = configurationsFor('claude-code', facts, linux);
    expect(file!.note).toContain('"Pending approval" until you have run claude there once');
  });

  it('The configurations leave HTTP out while the server is down [D14]', () => {
    const down = { ...facts, url: null };
    expect(
      configurationChoice.shape.kind.options
        .flatMap((kind) => configurationsFor(kind, down, linux))
        .filter(({ way }) => way === 'http'),
    ).toEqual([]);
  });
});

describe('file of each client', () => {
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
    [
      'cline-cli',
      '/home/ada/.cline/data/settings/cline_mcp_settings.json',
      '/Users/ada/.cline/data/settings/cline_mcp_settings.json',
      'C:\\Users\\ada\\.cline\\data\\settings\\cline_mcp_settings.json',
    ],
    [
      'copilot-cli',
      '/home/ada/.copilot/mcp-config.json',
      '/Users/ada/.copilot/mcp-config.json',
      'C:\\Users\\ada\\.copilot\\mcp-config.json',
    ],
    [
      'qwen-code',
      '/home/ada/.qwen/settings.json',
      '/Users/ada/.qwen/settings.json',
      'C:\\Users\\ada\\.qwen\\settings.json',
    ],
    [
      'opencode',
      '/home/ada/.config/opencode/opencode.json',
      '/Users/ada/.config/opencode/opencode.json',
      'C:\\Users\\ada\\.config\\opencode\\opencode.json',
    ],
    [
      'continue',
      '/home/ada/.continue/config.yaml',
      '/Users/ada/.continue/config.yaml',
      'C:\\Users\\ada\\.continue\\config.yaml',
    ],
    [
      'kimi-code',
      '/home/ada/.kimi-code/mcp.json',
      '/Users/ada/.kimi-code/mcp.json',
      'C:\\Users\\ada\\.kimi-code\\mcp.json',
    ],
    ['codex', '/home/ada/.codex/config.toml', '/Users/ada/.codex/config.toml', 'C:\\Users\\ada\\.codex\\config.toml'],
    [
      'goose',
      '/home/ada/.config/goose/config.yaml',
      '/Users/ada/.config/goose/config.yaml',
      'C:\\Users\\ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
    ],
  ])('The configuration file of %s is the right one on each system [D14]', (kind, ...files) => {
    expect([linux, mac, windows].map((places) => configurationFile(kind, places))).toEqual(files);
  });

  it('The configuration file of Claude Code needs a project [D14]', () => {
    expect(configurationFile('claude-code', { ...linux, project: null })).toBeNull();
  });

  it('A configuration file is where the environment has moved it [D14]', () => {
    const environment = {
      XDG_CONFIG_HOME: '/x',
      CODEX_HOME: '/c',
      QWEN_HOME: '/q',
      CONTINUE_GLOBAL_DIR: '/n',
      KIMI_CODE_HOME: '/k',
    };
    expect(configurationFile('zed', { ...linux, environment })).toBe('/x/zed/settings.json');
    expect(configurationFile('codex', { ...linux, environment })).toBe('/c/config.toml');
    expect(configurationFile('opencode', { ...linux, environment })).toBe('/x/opencode/opencode.json');
    expect(configurationFile('qwen-code', { ...linux, environment })).toBe('/q/settings.json');
    expect(configurationFile('continue', { ...linux, environment })).toBe('/n/config.yaml');
    expect(configurationFile('kimi-code', { ...linux, environment })).toBe('/k/mcp.json');
  });
});

const withoutComma = (line: string): string => line.replace(/,$/, '');

describe('writing a configuration', () => {
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

  it('Writing a configuration makes the file, and its folders, where there is none [D14]', async () => {
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

  it('Writing a configuration changes nothing else in a file that is there, and keeps it as it was, with its mode [D14]', async () => {
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

  it('Writing a configuration is refused when the file has changed since it was shown [D14]', async () => {
    const { digest } = await planConfiguration(wanted('claude-code'));
    await writeFile(file(), '{}');
    await expect(writeConfiguration(wanted('claude-code'), digest)).rejects.toThrow(/has changed in the meantime/);
    expect(await readFile(file(), 'utf8')).toBe('{}');
  });

  it.each(['{', '[]', '{"mcpServers": 1}', '{"a": 1,, }'])(
    'A configuration is not written where the file is %j [D14]',
    async (text) => {
      await writeFile(file(), text);
      await expect(planConfiguration(wanted('claude-code'))).rejects.toThrow(/was not changed/);
      expect(await readFile(file(), 'utf8')).toBe(text);
    },
  );

  it.each<[ClientKind, string, string]>([
    ['codex', '.codex/config.toml', '# mine\nmodel = "o"\n\n[mcp_servers.theirs]\ncommand = "x"\n'],
    ['goose', '.config/goose/config.yaml', '# mine\nextensions:\n  theirs:\n    enabled: true\nGOOSE_MODE: auto\n'],
    [
      'continue',
      '.continue/config.yaml',
      '# mine\nname: Local Agent\nmcpServers:\n  - name: theirs\n    command: x # keep\nmodels: []\n',
    ],
    [
      'opencode',
      '.config/opencode/opencode.json',
      '{\n  // mine\n  "mcp": {\n    "theirs": { "enabled": false }\n  }\n}\n',
    ],
    ['kimi-code', '.kimi-code/mcp.json', '{\n  "mcpServers": {\n  }\n}\n'],
    ['qwen-code', '.qwen/settings.json', '{\n  "theme": "x"\n}\n'],
  ])('The configuration of %s is put into its file once, changing nothing else [D14]', async (kind, name, before) => {
    const target = path.join(home, name);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, before);
    for (const way of ['stdio', 'http', 'http'] as const) {
      const { digest } = await planConfiguration(wanted(kind, way));
      await writeConfiguration(wanted(kind, way), digest);
    }
    const after = await readFile(target, 'utf8');
    for (const line of before.split('\n')) expect(after.split('\n').map(withoutComma)).toContain(withoutComma(line));
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
    ['continue', '.continue/config.yaml', 'mcpServers: [{ name: theirs }]\n'],
    ['continue', '.continue/config.yaml', 'mcpServers: { a: 1 }\n'],
    ['continue', '.continue/config.yaml', 'name: "b\n'],
    ['opencode', '.config/opencode/opencode.json', '{ "mcp": ['],
    ['opencode', '.config/opencode/opencode.json', '{ "mcp": [] }'],
    ['kimi-code', '.kimi-code/mcp.json', '{"mcpServers": {"a": }'],
    ['qwen-code', '.qwen/settings.json', 'theme = "x"'],
  ])('The configuration of %s leaves alone what it cannot surely change: %s, %j [D14]', async (kind, name, before) => {
    const target = path.join(home, name);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, before);
    await expect(planConfiguration(wanted(kind))).rejects.toThrow(/was not changed\. .*Fix it, or copy the text/);
    expect(await readFile(target, 'utf8')).toBe(before);
  });

  it('The configuration of Continue is not put into a new file, which would replace its default settings [D14]', async () => {
    await expect(planConfiguration(wanted('continue'))).rejects.toThrow(/does not exist yet, .* copy the text instead/);
    expect(await readdir(home)).toEqual([]);
  });

  it('A configuration file in a folder that cannot be written stays as it is, and the reason is a sentence [D14]', async () => {
    await writeFile(path.join(home, '.kimi-code'), 'a file in the place of the folder');
    await expect(planConfiguration(wanted('kimi-code'))).rejects.toThrow(/\.kimi-code/);
    expect(await readFile(path.join(home, '.kimi-code'), 'utf8')).toBe('a file in the place of the folder');
  });

  it('A file that others can read is readable by the person only once it gets the token, as is its backup, and that is said before [issue 34.1]', async () => {
    const cursor = path.join(home, '.cursor', 'mcp.json');
    await mkdir(path.dirname(cursor));
    await writeFile(cursor, '{}');
    await chmod(cursor, 0o644);
    const plan = await planConfiguration(wanted('cursor'));
    expect(plan.closes).toBe(true);
    const { backup } = await writeConfiguration(wanted('cursor'), plan.digest);
    const modes = await Promise.all([cursor, backup!].map(async (name) => (await stat(name)).mode & 0o777));
    expect(modes).toEqual([0o600, 0o600]);
    expect(await planConfiguration(wanted('cursor'))).toMatchObject({ same: true, closes: false });
    // If other users can read the file, the workbench restricts its permissions again, even if the file's text is unchanged.
    await chmod(cursor, 0o640);
    const again = await planConfiguration(wanted('cursor'));
    expect(again).toMatchObject({ same: false, closes: true });
    await writeConfiguration(wanted('cursor'), again.digest);
    expect((await stat(cursor)).mode & 0o777).toBe(0o600);
    // A project's configuration file contains no token, so its permissions are not changed.
    await writeFile(file(), '{}');
    await chmod(file(), 0o644);
    expect((await planConfiguration(wanted('claude-code'))).closes).toBe(false);
  });

  it('A file that is exchanged for a link since it was shown is left alone, and so is one that leads out of the project [issue 34.1]', async () => {
    const project = path.join(home, 'project');
    await mkdir(project);
    await writeFile(path.join(home, 'mine.json'), '{}');
    const ofProject: Wanted = { ...wanted('claude-code'), places: { ...wanted('claude-code').places, project } };
    const { digest } = await planConfiguration(ofProject);
    await symlink(path.join(home, 'mine.json'), path.join(project, '.mcp.json'));
    await expect(writeConfiguration(ofProject, digest)).rejects.toThrow('outside the project');
    const cursor = await planConfiguration(wanted('cursor'));
    await mkdir(path.join(home, '.cursor'));
    await symlink(path.join(home, 'mine.json'), path.join(home, '.cursor', 'mcp.json'));
    await expect(writeConfiguration(wanted('cursor'), cursor.digest)).rejects.toThrow('has changed in the meantime');
    expect(await readFile(path.join(home, 'mine.json'), 'utf8')).toBe('{}');
  });

  it('Writing a configuration goes through a link and leaves it one [D14]', async () => {
    await writeFile(path.join(home, 'real.json'), '{}');
    await symlink(path.join(home, 'real.json'), file());
    const { digest } = await planConfiguration(wanted('claude-code'));
    await writeConfiguration(wanted('claude-code'), digest);
    expect(await readFile(path.join(home, 'real.json'), 'utf8')).toContain('lisp-workbench');
  });

  it.each<[ClientKind, ConnectionWay]>([
    ['claude-desktop', 'http'],
    ['other', 'stdio'],
  ])('Writing a configuration is not offered for %s over %s [D14]', async (kind, way) => {
    await expect(planConfiguration(wanted(kind, way))).rejects.toThrow(/Copy the text instead/);
  });
});
