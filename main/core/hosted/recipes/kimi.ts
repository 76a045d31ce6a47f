/** Kimi Code, which supports the protocol directly. */
import { parse, stringify } from 'smol-toml';
import { callByPrefix, recordOf } from './reported-fields.ts';
import { ownState } from './own-state.ts';
import { LOOPBACK_MODEL as MODEL, type Recipe } from './recipe.ts';

const NAME = '@moonshot-ai/kimi-code';
const VERSION = '2.1.0';

export const kimi: Recipe = {
  id: 'kimi',
  title: 'Kimi Code',
  listed: ['kimi'],
  package: { name: NAME, version: VERSION, megabytes: 120 },
  installed: [`node_modules/${NAME}/dist/main.mjs`],
  program: 'kimi',
  node: '22.19',
  versionArguments: ['--version'],
  launch: ({ standing, home, server }) => {
    if (standing === 'unconfined') return { args: ['acp'], environment: { KIMI_CODE_NO_AUTO_UPDATE: '1' } };
    const ours = [`mcp__${server.name}__*`];
    return {
      args: ['acp'],
      environment: {
        ...ownState(home),
        KIMI_CODE_HOME: `${home}/.kimi-code`,
        KIMI_CODE_NO_AUTO_UPDATE: '1',
        KIMI_DISABLE_CRON: '1',
      },
      files: { '.kimi-code/mcp.json': JSON.stringify({ mcpServers: {} }) },
      rewrites: {
        '.kimi-code/config.toml': (before) =>
          stringify({
            ...kept(before),
            permission: { allow: ours },
            // Only these tools are enabled.
            ...(standing === 'workbench-only' ? { tools: { enabled: ours } } : {}),
          }),
      },
    };
  },
  // The model chooses a command's title, so the title counts only if the kind shows that the call is not a command.
  ownCall: ({ name, title, kind, rawInput }, server) =>
    callByPrefix(name, `mcp__${server.name}__`, rawInput) ??
    (kind === 'execute' ? null : callByPrefix(title, `mcp__${server.name}__`, rawInput)),
  asks: { mode: ['default', 'plan'] },
  harmless: [],
  hides: ['AGENTS.md', 'agents.md', '.agents'],
  modelAt: (url, launch) => ({
    ...launch,
    environment: {
      ...launch.environment,
      KIMI_MODEL_NAME: MODEL,
      KIMI_MODEL_API_KEY: 'nothing',
      KIMI_MODEL_BASE_URL: `${url}/v1`,
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_DISABLE_TELEMETRY: '1',
    },
  }),
  unasked: 'It asks before it runs commands and changes files. Hooks from your own settings run without asking.',
};

/**
 * The settings that are preserved: those that a login writes, and the model that the person chose. Any other setting, such as a hook or a
 * permission, could bypass an access level.
 */
const KEPT = ['default_model', 'default_provider', 'models', 'providers', 'thinking'];

function kept(text: string): Record<string, unknown> {
  let settings: Readonly<Record<string, unknown>> | null;
  try {
    settings = recordOf(parse(text));
  } catch {
    return {}; // the file is damaged, so the person must log in again
  }
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([name]) => KEPT.includes(name)));
}
