/** Gemini CLI, which supports the protocol directly. */
import type { Recipe } from './recipe.ts';
import { ownState } from './own-state.ts';

const NAME = '@google/gemini-cli';
const VERSION = '0.61.0';

export const gemini: Recipe = {
  id: 'gemini',
  title: 'Gemini CLI',
  listed: ['gemini'],
  package: { name: NAME, version: VERSION, megabytes: 100 },
  installed: [`node_modules/${NAME}/bundle/gemini.js`],
  program: 'gemini',
  node: '20',
  versionArguments: ['--version'],
  launch: ({ standing, home, server }) => {
    // The person has trusted the folder in the workbench. If the program itself did not trust it, its servers would disappear after a
    // while.
    if (standing === 'unconfined') return { args: ['--acp'], environment: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } };
    const policy = standing === 'workbench-only' ? 'workbench-only.toml' : 'ours-unasked.toml';
    return {
      args: ['--acp', '--approval-mode', 'default', '--admin-policy', `${home}/${policy}`],
      environment: {
        ...ownState(home),
        GEMINI_CLI_HOME: home,
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: `${home}/system-settings.json`,
        GEMINI_CLI_TRUST_WORKSPACE: undefined,
        GEMINI_CLI_TRUSTED_FOLDERS_PATH: undefined,
        GEMINI_SANDBOX: undefined,
      },
      files: {
        'system-settings.json': JSON.stringify(SETTINGS, null, 2),
        [policy]:
          standing === 'workbench-only' ? `${denying(OWN_TOOLS)}\n${allowing(server.name)}` : allowing(server.name),
      },
    };
  },
  // Gemini CLI reports neither the name nor the arguments of a call. The title of a call to a server's tool is fixed, and its kind
  // distinguishes the call from a command with the same text.
  ownCall: ({ title, kind }, server) => {
    const tool = kind === 'other' ? /^([\w-]+) \((.+) MCP Server\)$/.exec(title ?? '') : null;
    return tool?.[2] === server.name ? { tool: tool[1]!, arguments: null } : null;
  },
  asks: { mode: ['default', 'plan'] },
  harmless: [],
  hides: ['GEMINI.md'],
  modelAt: (url, launch) => ({
    ...launch,
    environment: { ...launch.environment, GEMINI_API_KEY: 'nothing', GOOGLE_GEMINI_BASE_URL: url },
  }),
  modelLogin: 'gemini-api-key',
  unasked:
    'It asks before it runs commands and changes files. If you stop it during a call, it leaves the call running; the workbench then interrupts the call.',
};

/**
 * Settings with the highest priority. The program ignores servers in an untrusted folder, so folder trust is turned off; the agent's
 * working folder is empty.
 */
const SETTINGS = {
  security: { folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  tools: { sandbox: false },
};

/**
 * The names of the program's own tools. They are listed, because a rule for `*` would also match the tools of servers, regardless of other
 * rules.
 */
const OWN_TOOLS = [
  'activate_skill',
  'ask_user',
  'complete_task',
  'enter_plan_mode',
  'exit_plan_mode',
  'get_internal_docs',
  'glob',
  'google_web_search',
  'grep_search',
  'invoke_agent',
  'list_background_processes',
  'list_directory',
  'list_mcp_resources',
  'read_background_output',
  'read_file',
  'read_many_files',
  'read_mcp_resource',
  'replace',
  'run_shell_command',
  'save_memory',
  'take_snapshot',
  'tracker_add_dependency',
  'tracker_create_task',
  'tracker_get_task',
  'tracker_list_tasks',
  'tracker_update_task',
  'tracker_visualize',
  'update_topic',
  'web_fetch',
  'write_file',
  'write_todos',
];

function denying(tools: readonly string[]): string {
  return ['[[rule]]', `toolName = ${JSON.stringify(tools)}`, 'decision = "deny"', 'priority = 900', ''].join('\n');
}

function allowing(server: string): string {
  const name = JSON.stringify(server);
  return ['[[rule]]', `mcpName = ${name}`, 'toolName = "*"', 'decision = "allow"', 'priority = 950', ''].join('\n');
}
