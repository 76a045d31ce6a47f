/** GitHub Copilot CLI, which supports the protocol directly. */
import { callByPrefix } from './reported-fields.ts';
import { ownState } from './own-state.ts';
import { LOOPBACK_MODEL as MODEL, type Recipe } from './recipe.ts';

const NAME = '@github/copilot';
const VERSION = '1.0.102';

const MODES = 'https://agentclientprotocol.com/protocol/session-modes#';

export const copilot: Recipe = {
  id: 'copilot',
  title: 'GitHub Copilot CLI',
  listed: ['github-copilot-cli', 'github-copilot'],
  package: { name: NAME, version: VERSION, megabytes: 189 },
  installed: [`node_modules/${NAME}/npm-loader.js`],
  program: 'copilot',
  node: '20',
  versionArguments: ['--version'],
  launch: ({ standing, home, server }) => {
    if (standing === 'unconfined') return { args: ['--acp'], environment: {} };
    const ours = ['--disable-builtin-mcps', '--no-auto-update', `--allow-tool=${server.name}`];
    const closed = [...OWN_TOOLS.map((tool) => `--excluded-tools=${tool}`), '--deny-tool=shell', '--deny-tool=write'];
    return {
      args: ['--acp', ...ours, ...(standing === 'workbench-only' ? closed : [])],
      environment: { ...ownState(home), COPILOT_HOME: `${home}/.copilot`, COPILOT_ALLOW_ALL: undefined },
    };
  },
  // The model chooses a command's title, so the title counts only if the kind shows that the call is not a command.
  ownCall: ({ name, title, kind, rawInput }, server) =>
    callByPrefix(name, `${server.name}-`, rawInput) ??
    (kind === 'execute' ? null : callByPrefix(title, `${server.name}-`, rawInput)),
  asks: { mode: [`${MODES}agent`, `${MODES}plan`], allow_all: ['off'] },
  harmless: [],
  hides: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md', '.github/instructions'],
  remarks: /^Info: (?:Disabled tools|Unknown tool name)/,
  modelAt: (url, launch) => ({
    ...launch,
    environment: {
      ...launch.environment,
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'nothing',
      COPILOT_MODEL: MODEL,
      COPILOT_OFFLINE: 'true',
    },
  }),
  unasked: 'It asks before it runs commands and changes files.',
};

/**
 * The program's own tools, which are excluded by name. A list of allowed tools would not work, because it cannot contain a pattern for all
 * tools of a server.
 */
const OWN_TOOLS = [
  'bash',
  'create',
  'edit',
  'glob',
  'grep',
  'list_agents',
  'list_bash',
  'read_agent',
  'read_bash',
  'sql',
  'stop_bash',
  'task',
  'view',
  'web_fetch',
  'write_agent',
];
