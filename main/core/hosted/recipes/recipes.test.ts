import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';
import type { AgentLaunch, Recipe, ToldCall } from './recipe.ts';
import { RECIPES } from './recipes.ts';

const SERVER = { name: 'lisp-workbench', url: 'http://127.0.0.1:1/mcp', token: 'secret' };
const HOME = '/state/agents/some/home';

function recipeOf(id: string): Recipe {
  return RECIPES.find((each) => each.id === id)!;
}

function launch(id: string, standing: AgentStanding): AgentLaunch {
  return recipeOf(id).launch({ found: { place: '/p', version: null }, standing, server: SERVER, home: HOME });
}

function told(call: Partial<ToldCall>): ToldCall {
  return { id: '1', title: null, name: null, kind: null, rawInput: undefined, meta: {}, ...call };
}

const CODE = { code: '(+ 1 2)' };

describe('recipes', () => {
  it.each(RECIPES.map((each) => [each.title, each.id] as const))(
    'The program %s keeps its state in its own folder where it is closed off, and in the person’s home where it is not [issue 14.2]',
    (_title, id) => {
      for (const standing of ['workbench-only', 'project-read-only'] as const)
        expect(launch(id, standing).environment).toMatchObject({ HOME, XDG_CONFIG_HOME: `${HOME}/.config` });
      expect(launch(id, 'unconfined').environment).not.toHaveProperty('HOME');
    },
  );

  it.each(RECIPES.map((each) => [each.title, each.id] as const))(
    'The token of the workbench is in no argument, variable or file of %s, since other programs can read those [issue 14.2]',
    (_title, id) => {
      for (const standing of ['workbench-only', 'project-read-only', 'unconfined'] as const)
        expect(JSON.stringify(launch(id, standing))).not.toContain(SERVER.token);
    },
  );

  it('Claude Code reads no settings where it is closed off, has no tools of its own where it acts through the workbench, and none of a project’s settings ever [issue 14.2]', () => {
    const options = (standing: AgentStanding): unknown =>
      recipeOf('claude-code').sessionMeta!({ standing, server: SERVER })['claudeCode'];
    const closed = {
      settingSources: [],
      strictMcpConfig: true,
      allowDangerouslySkipPermissions: false,
      allowedTools: ['mcp__lisp-workbench'],
    };
    expect([options('workbench-only'), options('project-read-only'), options('unconfined')]).toMatchObject([
      { options: { ...closed, tools: [] } },
      { options: closed },
      { options: { settingSources: ['user'] } },
    ]);
  });

  it('Variables by which another program than the tried one would run are taken away where the agent is closed off [issue 14.2]', () => {
    for (const [id, name] of [
      ['claude-code', 'CLAUDE_CODE_EXECUTABLE'],
      ['codex', 'CODEX_PATH'],
      ['opencode', 'OPENCODE_CONFIG'],
      ['copilot', 'COPILOT_ALLOW_ALL'],
    ] as const) {
      expect(launch(id, 'workbench-only').environment).toHaveProperty(name, undefined);
      expect(launch(id, 'unconfined').environment).not.toHaveProperty(name);
    }
  });

  it('Codex has no shell where it acts through the workbench, and a mode that asks in both closed standings [issue 14.2]', () => {
    const [closed, open] = (['workbench-only', 'project-read-only'] as const).map((standing) => {
      const { INITIAL_AGENT_MODE: mode, CODEX_CONFIG: config } = launch('codex', standing).environment;
      return { mode, config: JSON.parse(config!) };
    });
    expect([closed, open]).toMatchObject([
      { mode: 'read-only', config: { web_search: 'disabled', features: { shell_tool: false, unified_exec: false } } },
      { mode: 'permission-profile:lisp-workbench', config: {} },
    ]);
  });

  it('The tools of opencode are denied where it acts through the workbench, and asked about where they are its own [issue 14.2]', () => {
    const permissions = (['workbench-only', 'project-read-only'] as const).map((standing) => {
      const content = launch('opencode', standing).environment['OPENCODE_CONFIG_CONTENT']!;
      const { permission }: { permission: unknown } = JSON.parse(content);
      return permission;
    });
    expect(permissions).toEqual([
      { '*': 'deny', 'lisp-workbench_*': 'allow' },
      { '*': 'ask', 'lisp-workbench_*': 'allow' },
    ]);
  });

  it('A policy denies the tools of Gemini CLI by their names and allows those of the workbench, above every other policy [issue 14.2]', () => {
    const { args, files = {} } = launch('gemini', 'workbench-only');
    expect(args).toEqual(['--acp', '--approval-mode', 'default', '--admin-policy', `${HOME}/workbench-only.toml`]);
    expect(files['workbench-only.toml']).toMatch(
      /^\[\[rule\]\]\ntoolName = \[.*"replace".*"run_shell_command".*"write_file".*\]\ndecision = "deny"\npriority = 900\n\n\[\[rule\]\]\nmcpName = "lisp-workbench"\ntoolName = "\*"\ndecision = "allow"\npriority = 950\n$/,
    );
    expect(Object.values(launch('gemini', 'project-read-only').files ?? {}).join('')).not.toContain('deny');
  });

  it('Qwen Code and Copilot start without their tools where they act through the workbench, and with them where they may have them [issue 14.2]', () => {
    const excluded = (id: string, standing: AgentStanding): boolean[] =>
      ['run_shell_command', 'write_file', 'bash', 'create'].map((tool) => {
        const { args } = launch(id, standing);
        return (
          args.includes(`--excluded-tools=${tool}`) ||
          args.some((arg: string, index: number) => arg === tool && args[index - 1] === '--exclude-tools')
        );
      });
    expect(excluded('qwen', 'workbench-only')).toEqual([true, true, false, false]);
    expect(excluded('copilot', 'workbench-only')).toEqual([false, false, true, true]);
    expect(['qwen', 'copilot'].flatMap((id) => excluded(id, 'project-read-only'))).not.toContain(true);
  });

  it('Kimi Code has only our tools where it acts through the workbench, and of its settings only the login and the model stay where it is closed off [issue 33.2]', () => {
    const rewrite = (standing: AgentStanding, before: string): unknown =>
      parse(launch('kimi', standing).rewrites!['.kimi-code/config.toml']!(before));
    const before = [
      'default_model = "k2"',
      'default_permission_mode = "yolo"',
      '[providers.kimi]',
      'type = "kimi"',
      '[permission]',
      'allow = ["Bash"]',
      '[[hooks]]',
      'command = "rm"',
      '[tools]',
      'enabled = ["Bash"]',
    ].join('\n');
    const login = { default_model: 'k2', providers: { kimi: { type: 'kimi' } } };
    const permission = { allow: ['mcp__lisp-workbench__*'] };
    const tools = { enabled: ['mcp__lisp-workbench__*'] };
    expect([
      rewrite('workbench-only', before),
      rewrite('project-read-only', before),
      rewrite('workbench-only', 'text = """'),
      rewrite('workbench-only', ''),
    ]).toEqual([
      { ...login, permission, tools },
      { ...login, permission },
      { permission, tools },
      { permission, tools },
    ]);
    expect(launch('kimi', 'workbench-only').environment).toHaveProperty('KIMI_CODE_HOME', `${HOME}/.kimi-code`);
    expect(launch('kimi', 'unconfined').rewrites).toBeUndefined();
  });

  // Calls in the form in which the tested versions of the programs reported them.
  it.each<[string, string, Partial<ToldCall>, Record<string, unknown> | null]>([
    [
      'claude-code',
      'a call',
      {
        title: 'mcp__lisp-workbench__evaluate-lisp',
        rawInput: CODE,
        meta: { claudeCode: { toolName: 'mcp__lisp-workbench__evaluate-lisp' } },
      },
      CODE,
    ],
    [
      'codex',
      'a call',
      {
        title: 'mcp.lisp-workbench.evaluate-lisp',
        rawInput: { server: 'lisp-workbench', tool: 'evaluate-lisp', arguments: CODE },
        meta: { is_mcp_tool_call: true },
      },
      CODE,
    ],
    [
      'codex',
      'a question without a call',
      {
        rawInput: { serverName: 'lisp-workbench', description: 'Allow the server to run tool "evaluate-lisp"?' },
        meta: { is_mcp_tool_approval: true },
      },
      null,
    ],
    ['gemini', 'a call', { title: 'evaluate-lisp (lisp-workbench MCP Server)', kind: 'other' }, null],
    ['opencode', 'a call', { title: 'lisp-workbench_evaluate-lisp', kind: 'other', rawInput: CODE }, CODE],
    [
      'qwen',
      'a call',
      { title: 'evaluate-lisp', rawInput: CODE, meta: { toolName: 'mcp__lisp-workbench__evaluate-lisp' } },
      CODE,
    ],
    ['copilot', 'a call', { title: 'lisp-workbench-evaluate-lisp', rawInput: CODE }, CODE],
    ['kimi', 'a call', { title: 'mcp__lisp-workbench__evaluate-lisp', kind: 'other', rawInput: CODE }, CODE],
    ['kimi', 'a question', { title: 'mcp__lisp-workbench__evaluate-lisp' }, null],
  ])('What %s tells of %s of our tools is recognised [issue 14.2]', (id, _what, call, args) => {
    expect(recipeOf(id).ownCall(told(call), SERVER)).toEqual({ tool: 'evaluate-lisp', arguments: args });
  });

  it.each<[string, string, Partial<ToldCall>]>([
    [
      'claude-code',
      'a command with the title of our tool',
      { title: 'mcp__lisp-workbench__evaluate-lisp', meta: { claudeCode: { toolName: 'Bash' } } },
    ],
    [
      'claude-code',
      'a tool of a server that only looks like ours',
      { meta: { claudeCode: { toolName: 'mcp__lisp-workbench__x', mcpServer: { name: 'lisp-workbench__x' } } } },
    ],
    [
      'codex',
      'a tool of another server',
      { rawInput: { server: 'other', tool: 'evaluate-lisp' }, meta: { is_mcp_tool_call: true } },
    ],
    [
      'codex',
      'a command whose input speaks of our server',
      { rawInput: { server: 'lisp-workbench', tool: 'evaluate-lisp' } },
    ],
    [
      'gemini',
      'a command with the title of our tool',
      { title: 'evaluate-lisp (lisp-workbench MCP Server)', kind: 'execute' },
    ],
    ['opencode', 'a command with the name of our tool', { title: 'lisp-workbench_evaluate-lisp', kind: 'execute' }],
    [
      'qwen',
      'a command with the title of our tool',
      { title: 'mcp__lisp-workbench__evaluate-lisp', meta: { toolName: 'run_shell_command' } },
    ],
    ['copilot', 'a command with the name of our tool', { title: 'lisp-workbench-evaluate-lisp', kind: 'execute' }],
    ['kimi', 'a command with the name of our tool', { title: 'mcp__lisp-workbench__evaluate-lisp', kind: 'execute' }],
    ['kimi', 'a tool of another server', { title: 'mcp__other__evaluate-lisp', kind: 'other' }],
  ])('What %s tells of %s is none of our calls [issue 14.2]', (id, _what, call) => {
    expect(recipeOf(id).ownCall(told(call), SERVER)).toBeNull();
  });
});
