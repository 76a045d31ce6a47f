/** The program opencode, which supports the protocol directly. */
import { callByPrefix } from './reported-fields.ts';
import { ownState } from './own-state.ts';
import { LOOPBACK_MODEL as MODEL, type Recipe } from './recipe.ts';

const VERSION = '1.18.33';
/**
 * The program is in the package for its platform. An install script of the main package would normally copy it, but such scripts never run
 * here.
 */
const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const PROGRAM = process.platform === 'win32' ? 'opencode.exe' : 'opencode';
const VARIANTS = ['', '-baseline', '-musl', '-baseline-musl'];

export const opencode: Recipe = {
  id: 'opencode',
  title: 'opencode',
  listed: ['opencode'],
  package: { name: 'opencode-ai', version: VERSION, megabytes: 354 },
  installed: VARIANTS.map((variant) => `node_modules/opencode-${PLATFORM}${variant}/bin/${PROGRAM}`),
  program: 'opencode',
  node: null,
  versionArguments: ['--version'],
  launch: ({ standing, home, server }) => ({
    args: ['acp'],
    environment:
      standing === 'unconfined'
        ? {}
        : {
            ...ownState(home),
            OPENCODE_DISABLE_AUTOUPDATE: '1',
            OPENCODE_DISABLE_PROJECT_CONFIG: '1',
            OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
            OPENCODE_CONFIG: undefined,
            OPENCODE_CONFIG_DIR: undefined,
            OPENCODE_PERMISSION: undefined,
            OPENCODE_CONFIG_CONTENT: JSON.stringify({
              autoupdate: false,
              share: 'disabled',
              permission:
                standing === 'workbench-only'
                  ? { '*': 'deny', [`${server.name}_*`]: 'allow' }
                  : { '*': 'ask', [`${server.name}_*`]: 'allow' },
            }),
          },
  }),
  ownCall: ({ title, name, rawInput, kind }, server) =>
    callByPrefix(name, `${server.name}_`, rawInput) ??
    (kind === 'other' ? callByPrefix(title, `${server.name}_`, rawInput) : null),
  asks: { mode: ['build', 'plan'] },
  harmless: [],
  modelAt: (url, launch) => {
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: MODEL,
      options: { baseURL: `${url}/v1`, apiKey: 'nothing' },
      models: { [MODEL]: { name: MODEL, tool_call: true } },
    };
    const config = {
      ...JSON.parse(launch.environment['OPENCODE_CONFIG_CONTENT'] ?? '{}'),
      provider: { [MODEL]: provider },
      model: `${MODEL}/${MODEL}`,
      small_model: `${MODEL}/${MODEL}`,
    };
    return {
      ...launch,
      environment: {
        ...launch.environment,
        OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
        OPENCODE_DISABLE_MODELS_FETCH: '1',
      },
    };
  },
  unasked:
    'It runs commands and writes files without asking. If you have not logged in, it starts with models that its vendor chooses.',
};
