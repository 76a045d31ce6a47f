/** Qwen Code, which supports the protocol directly. */
import { callByPrefix } from './reported-fields.ts';
import { ownState } from './own-state.ts';
import { LOOPBACK_MODEL as MODEL, type Recipe } from './recipe.ts';

const NAME = '@qwen-code/qwen-code';
const VERSION = '0.24.4';

export const qwen: Recipe = {
  id: 'qwen',
  title: 'Qwen Code',
  listed: ['qwen-code'],
  package: { name: NAME, version: VERSION, megabytes: 152 },
  installed: [`node_modules/${NAME}/cli-entry.js`],
  program: 'qwen',
  node: '22',
  versionArguments: ['--version'],
  launch: ({ standing, home, server }) => {
    if (standing === 'unconfined') return { args: ['--acp'], environment: {} };
    const excluded = standing === 'workbench-only' ? OWN_TOOLS.flatMap((tool) => ['--exclude-tools', tool]) : [];
    return {
      // In the default mode a model decides which calls run; this mode asks.
      args: ['--acp', '--approval-mode', 'default', '--allowed-tools', `mcp__${server.name}`, ...excluded],
      environment: {
        ...ownState(home),
        QWEN_HOME: undefined,
        QWEN_RUNTIME_DIR: undefined,
        QWEN_SANDBOX: undefined,
        QWEN_CODE_LEGACY_MCP_BLOCKING: '1', // otherwise a session opens before its tools are available
        QWEN_CODE_SYSTEM_SETTINGS_PATH: `${home}/system-settings.json`,
        QWEN_CODE_TRUSTED_FOLDERS_PATH: undefined,
      },
      files: { 'system-settings.json': JSON.stringify(SETTINGS, null, 2) },
    };
  },
  ownCall: ({ rawInput, meta }, server) => callByPrefix(meta['toolName'], `mcp__${server.name}__`, rawInput),
  asks: { mode: ['default', 'plan'] },
  harmless: [],
  modelAt: (url, launch) => ({
    ...launch,
    args: [...launch.args, '--auth-type', 'openai'],
    environment: {
      ...launch.environment,
      OPENAI_API_KEY: 'nothing',
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: MODEL,
    },
  }),
  writesThroughHost: true,
  unasked: 'A model decides which of its commands run without asking; it writes files without asking.',
};

/** Settings with the highest priority. */
const SETTINGS = {
  general: { enableAutoUpdate: false },
  // The program must not read the project's instructions, because the person sends them with the first prompt or removes them from it.
  context: { fileName: 'no-instructions.md' },
  // With tool search on, the model sees the workbench's tools only after it searches for them.
  tools: { toolSearch: { enabled: false } },
  // The program's memory is turned off, because a second agent with tools of its own would write the memory.
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
};

const OWN_TOOLS = [
  'agent',
  'artifact',
  'ask_user_question',
  'create_sub_session',
  'cron_create',
  'cron_delete',
  'cron_list',
  'edit',
  'enter_plan_mode',
  'enter_worktree',
  'exec',
  'exit_plan_mode',
  'exit_worktree',
  'get_goal',
  'glob',
  'grep_search',
  'image_gen',
  'list_agents',
  'list_directory',
  'loop_wakeup',
  'lsp',
  'monitor',
  'notebook_edit',
  'propose_goal',
  'read_file',
  'read_mcp_resource',
  'record_artifact',
  'record_source',
  'report_findings',
  'run_shell_command',
  'save_memory',
  'send_message',
  'skill',
  'task_create',
  'task_list',
  'task_stop',
  'task_update',
  'team_create',
  'team_delete',
  'todo_write',
  'update_goal',
  'web_fetch',
  'web_search',
  'workflow',
  'write_file',
  'zoom_image',
];
