/** Claude Code, by the adapter that speaks the protocol; the adapter brings the program along. */
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
            ENABLE_TOOL_SEARCH: 'false', // else the model sees our tools only once it has searched for them
            CLAUDE_CODE_EXECUTABLE: undefined, // another program than the one that was tried
            CLAUDE_AGENT_ACP_PROTOCOL: undefined,
          }),
    },
  }),
  // The adapter hands these on to the program. Settings are read from no source where the agent is closed off: hooks of a project's settings and
  // servers of its `.mcp.json` would run before anybody is asked.
  sessionMeta: ({ standing, server }) => ({
    claudeCode: {
      options: {
        settingSources: standing === 'unconfined' ? ['user'] : [],
        // As root the program refuses to start where its bypass of permissions could be switched on.
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
    // By version 2 of the protocol the adapter tells the name itself.
    return callByPrefix(told?.['toolName'] ?? name, `mcp__${server.name}__`, rawInput);
  },
  asks: { mode: ['default', 'plan'] },
  protocol: 1, // by version 2 its adapter continues by itself between turns, which has not been tried with it
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
    'It asks before it runs commands and changes files. Hooks and servers that your own settings name run without a question.',
};
