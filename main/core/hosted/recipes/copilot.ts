/** GitHub Copilot CLI, which speaks the protocol itself. */
import type { Recipe } from './recipe.ts';
import { callByPrefix } from './told.ts';
import { ownState } from './own-state.ts';

const NAME = '@github/copilot';
const VERSION = '1.0.102';

export const copilot: Recipe = {
  id: 'copilot',
  title: 'GitHub Copilot CLI',
  package: { name: NAME, version: VERSION, megabytes: 189 },
  installed: [`node_modules/${NAME}/npm-loader.js`],
  program: 'copilot',
  node: 20,
  versionArguments: ['--version'],
  closes: (version) => version === VERSION,
  launch: ({ standing, home, server }) => {
    if (standing === 'unconfined') return { args: ['--acp'], environment: {} };
    const ours = ['--disable-builtin-mcps', '--no-auto-update', `--allow-tool=${server.name}`];
    const closed = [...OWN_TOOLS.map((tool) => `--excluded-tools=${tool}`), '--deny-tool=shell', '--deny-tool=write'];
    return {
      args: ['--acp', ...ours, ...(standing === 'workbench-only' ? closed : [])],
      environment: { ...ownState(home), COPILOT_HOME: `${home}/.copilot`, COPILOT_ALLOW_ALL: undefined },
    };
  },
  // The title of a command is what the model says of it, so its kind has to tell that it is none.
  ownCall: ({ name, title, kind, rawInput }, server) =>
    callByPrefix(name, `${server.name}-`, rawInput) ??
    (kind === 'execute' ? null : callByPrefix(title, `${server.name}-`, rawInput)),
  unasked: 'It asks before it runs commands and changes files.',
};

/** Tools of the program are named, since a list of those that are offered takes no pattern for the tools of a server. */
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
  'write_bash',
];
