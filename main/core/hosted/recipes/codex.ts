/** Codex, through its protocol adapter. The adapter includes the program. */
import { recordOf, textOf } from './reported-fields.ts';
import { ownState } from './own-state.ts';
import { LOOPBACK_MODEL as MODEL, type Recipe } from './recipe.ts';

const NAME = '@agentclientprotocol/codex-acp';
const VERSION = '2.6.0';

const READ_ONLY = 'read-only';
/**
 * A mode without the program's own sandbox, which does not work inside ours: no command would run. Our sandbox makes the project read-only
 * anyway.
 */
const WITHOUT_SANDBOX = 'permission-profile:lisp-workbench';
const PROFILE = [
  'default_permissions = "lisp-workbench"',
  '[permissions.lisp-workbench.filesystem]',
  '":root" = "write"',
  '[permissions.lisp-workbench.network]',
  'enabled = true',
  '',
].join('\n');

export const codex: Recipe = {
  id: 'codex',
  title: 'Codex',
  listed: ['codex-acp'],
  package: { name: NAME, version: VERSION, megabytes: 457 },
  installed: [`node_modules/${NAME}/dist/index.js`],
  program: 'codex-acp',
  node: '20.19',
  versionArguments: ['--version'],
  launch: ({ standing, home }) => {
    if (standing === 'unconfined') return { args: [], environment: {} };
    return {
      args: [],
      environment: {
        ...ownState(home),
        CODEX_HOME: `${home}/.codex`,
        CODEX_PATH: undefined, // this variable would select a different program than the tested one
        NO_BROWSER: '1', // a sandboxed agent cannot open a browser; it asks the person to open a page instead
        // A mode in which the program asks. In the default mode, a model decides about calls, including calls of the workbench.
        INITIAL_AGENT_MODE: standing === 'workbench-only' ? READ_ONLY : WITHOUT_SANDBOX,
        CODEX_CONFIG: JSON.stringify({
          project_doc_max_bytes: 0, // the project's instructions are part of the first prompt, from which the person can remove them
          ...(standing === 'workbench-only' ? { web_search: 'disabled', features: CLOSED_FEATURES } : {}),
        }),
      },
      files: { '.codex/config.toml': standing === 'workbench-only' ? '' : PROFILE },
    };
  },
  ownCall: ({ rawInput, meta }, server) => {
    const input = recordOf(rawInput);
    if (meta['is_mcp_tool_call'] === true && input?.['server'] === server.name) {
      const tool = textOf(input['tool']);
      return tool === null ? null : { tool, arguments: recordOf(input['arguments']) };
    }
    if (meta['is_mcp_tool_approval'] !== true || input?.['serverName'] !== server.name) return null;
    // A permission request contains the tool's name only in a sentence: … to run tool "evaluate-lisp"?
    const tool = / tool "([\w-]+)"/.exec(textOf(input['description']) ?? '')?.[1];
    return tool === undefined ? null : { tool, arguments: null };
  },
  asks: { mode: [WITHOUT_SANDBOX, READ_ONLY] },
  // Tools that read the resources of MCP servers (ours is the only server), show an image from the conversation, prompt the person, or
  // manage a to-do list.
  harmless: [
    'create_goal',
    'get_goal',
    'list_mcp_resource_templates',
    'list_mcp_resources',
    'read_mcp_resource',
    'request_user_input',
    'update_goal',
    'update_plan',
  ],
  modelAt: (url, launch) => {
    const provider = { name: MODEL, base_url: `${url}/v1`, wire_api: 'responses', env_key: 'OPENAI_API_KEY' };
    const config = {
      ...JSON.parse(launch.environment['CODEX_CONFIG'] ?? '{}'),
      model: MODEL,
      model_provider: MODEL,
      model_providers: { [MODEL]: provider },
    };
    return {
      ...launch,
      environment: {
        ...launch.environment,
        CODEX_CONFIG: JSON.stringify(config),
        MODEL_PROVIDER: MODEL,
        OPENAI_API_KEY: 'nothing',
        CODEX_API_KEY: 'nothing',
        DEFAULT_AUTH_REQUEST: JSON.stringify({ methodId: 'api-key' }),
      },
    };
  },
  modelLogin: 'api-key',
  protocol: 1, // in version 2 of the protocol, the adapter cancels calls of MCP tools, and never asks for permission
  unasked:
    'It runs commands without asking, in its own sandbox, where it can write to your project and to temporary folders.',
};

/** The program's own tools that act outside the conversation. */
const CLOSED_FEATURES = {
  apply_patch_freeform: false,
  browser_use: false,
  computer_use: false,
  goals: false,
  image_generation: false,
  js_repl: false,
  multi_agent: false,
  multi_agent_v2: false,
  shell_tool: false,
  sleep_tool: false,
  unified_exec: false,
  view_image: false,
};
