/** Codex, by the adapter that speaks the protocol; the adapter brings the program along. */
import { recordOf, textOf } from './reported-fields.ts';
import { ownState } from './own-state.ts';
import { LOOPBACK_MODEL as MODEL, type Recipe } from './recipe.ts';

const NAME = '@agentclientprotocol/codex-acp';
const VERSION = '2.6.0';

const READ_ONLY = 'read-only';
/**
 * The mode without the sandbox of the program, which cannot be built within ours: no command would run. Ours is around it, with the project read-only.
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
        CODEX_PATH: undefined, // another program than the one that was tried
        NO_BROWSER: '1', // from the sandbox it cannot open one; it asks the person to open a page instead
        // A mode that asks: in the usual one a model decides about calls, also about those of the workbench.
        INITIAL_AGENT_MODE: standing === 'workbench-only' ? READ_ONLY : WITHOUT_SANDBOX,
        CODEX_CONFIG: JSON.stringify({
          project_doc_max_bytes: 0, // the person sends these with the first prompt, or leaves them out
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
    // A request for permission has the tool's name in a sentence alone: … to run tool "evaluate-lisp"?
    const tool = / tool "([\w-]+)"/.exec(textOf(input['description']) ?? '')?.[1];
    return tool === undefined ? null : { tool, arguments: null };
  },
  asks: { mode: [WITHOUT_SANDBOX, READ_ONLY] },
  // They read what MCP servers offer, of which there is ours alone, show an image of the conversation, ask the person, and keep a list of what is to be done.
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
  protocol: 1, // by version 2 its adapter cancels calls of MCP tools, and never asks for permission
  unasked:
    'It runs commands in a sandbox of its own without asking, in which it can write to your project and to temporary folders.',
};

/** Tools of its own that act outside of the conversation. */
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
