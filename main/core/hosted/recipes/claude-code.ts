/** Claude Code, through its protocol adapter. The adapter includes the program. */
import type { Recipe } from './recipe.ts';
import { callByPrefix, recordOf } from './reported-fields.ts';
import { ownState } from './own-state.ts';

const NAME = '@agentclientprotocol/claude-agent-acp';
const VERSION = '0.101.0';

export const claudeCode: Recipe = {
  id: 'claude-code',
  title: 'Claude Code',
  listed: ['claude-acp', 'claude-code-acp'],
  package: { name: NAME, version: VERSION, megabytes: 391 },
  installed: [`node_modules/${NAME}/dist/index.js`],
  program: 'claude-agent-acp',
  node: '22',
  versionArguments: ['--version'],
  launch: ({ standing, home }) => ({
    args: [],
    environment: {
      DISABLE_AUTOUPDATER: '1',
      ...(standing === 'unconfined'
        ? {}
        : {
            ...ownState(home),
            CLAUDE_CONFIG_DIR: `${home}/.claude`,
            ENABLE_TOOL_SEARCH: 'false', // otherwise, the model would see our tools only after searching for them
            CLAUDE_CODE_EXECUTABLE: undefined, // this variable would select a different program than the tested one
            CLAUDE_AGENT_ACP_PROTOCOL: undefined,
          }),
    },
  }),
  // The adapter passes these values to the program. A sandboxed agent reads no settings, because a project's hooks and the servers in its
  // `.mcp.json` would run without asking.
  sessionMeta: ({ standing, server }) => ({
    claudeCode: {
      options: {
        settingSources: standing === 'unconfined' ? ['user'] : [],
        // The program refuses to start as root if its permission bypass can be turned on.
        ...(standing === 'unconfined' && process.getuid?.() !== 0 ? {} : { allowDangerouslySkipPermissions: false }),
        ...(standing === 'unconfined' ? {} : { strictMcpConfig: true, allowedTools: [`mcp__${server.name}`] }),
        ...(standing === 'workbench-only' ? { tools: [] } : {}),
      },
    },
  }),
  ownCall: ({ name, rawInput, meta }, server) => {
    const told = recordOf(meta['claudeCode']);
    const source = recordOf(told?.['mcpServer']);
    if (source !== null && source['name'] !== server.name) return null;
    // In version 2 of the protocol the adapter itself reports the tool's name.
    return callByPrefix(told?.['toolName'] ?? name, `mcp__${server.name}__`, rawInput);
  },
  asks: { mode: ['default', 'plan'] },
  protocol: 1, // in version 2 of the protocol, the adapter continues to work on its own between turns, which is untested
  harmless: [],
  modelAt: (url, launch) => ({
    ...launch,
    environment: {
      ...launch.environment,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'nothing',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  }),
  unasked:
    'It asks before it runs commands and changes files. Hooks and servers from your own settings run without asking.',
};
