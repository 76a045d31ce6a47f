/** Codex, by the adapter that speaks the protocol; the adapter brings the program along. */
import type { Recipe } from './recipe.ts';
import { recordOf, textOf } from './told.ts';
import { ownState } from './own-state.ts';

const NAME = '@agentclientprotocol/codex-acp';
const VERSION = '2.6.0';

export const codex: Recipe = {
  id: 'codex',
  title: 'Codex',
  package: { name: NAME, version: VERSION, megabytes: 457 },
  installed: [`node_modules/${NAME}/dist/index.js`],
  program: 'codex-acp',
  node: 20,
  versionArguments: ['--version'],
  closes: (version) => version === VERSION,
  launch: ({ standing, home }) => {
    if (standing === 'unconfined') return { args: [], environment: {} };
    return {
      args: [],
      environment: {
        ...ownState(home),
        CODEX_HOME: `${home}/.codex`,
        CODEX_PATH: undefined, // another program than the one that was tried
        // A mode that asks: in the usual one a model decides about calls, also about those of the workbench.
        INITIAL_AGENT_MODE: 'read-only',
        CODEX_CONFIG: JSON.stringify(
          standing === 'workbench-only' ? { web_search: 'disabled', features: CLOSED_FEATURES } : {},
        ),
      },
      files: { '.codex/.keep': '' }, // it refuses to start where CODEX_HOME names no folder
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
  hiddenChoices: ['workspace-write', 'agent', 'agent-full-access'],
  unasked:
    'It runs commands in a sandbox of its own without asking, in which it can write to your project and to temporary folders.',
};

/** Tools of its own that act outside of the conversation. */
const CLOSED_FEATURES = { shell_tool: false, unified_exec: false, apply_patch_freeform: false, js_repl: false };
