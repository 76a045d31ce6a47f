/** Leads each agent to the scripted model, by the means that it has for other providers than its vendor's. All else is as the recipe says. */
import type { AgentLaunch, Recipe } from '#core/hosted/recipes/recipe.ts';
import { MODEL } from './model-server.ts';

/** The ways of one agent. */
export interface AgentTrial {
  /** The method by which it is logged in at the scripted model; null where it needs none. */
  readonly login: string | null;
  /** The names of its own shell, and of its tool that writes files, as the model is told them. */
  readonly shell: string;
  readonly writer: string;
  readonly lead: (launch: AgentLaunch, url: string) => Pick<AgentLaunch, 'args' | 'environment'>;
}

export const TRIALS: Readonly<Record<string, AgentTrial>> = {
  'claude-code': {
    login: null,
    shell: 'Bash',
    writer: 'Write',
    lead: ({ args }, url) => ({
      args,
      environment: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: 'nothing',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        NO_PROXY: '127.0.0.1',
      },
    }),
  },
  codex: {
    login: 'api-key',
    shell: 'exec_command',
    writer: 'apply_patch',
    lead: ({ args, environment }, url) => {
      const provider = { name: 'Scripted', base_url: `${url}/v1`, wire_api: 'responses', env_key: 'OPENAI_API_KEY' };
      const config = {
        ...JSON.parse(environment['CODEX_CONFIG'] ?? '{}'),
        model: MODEL,
        model_provider: 'scripted',
        model_providers: { scripted: provider },
      };
      return {
        args,
        environment: {
          CODEX_CONFIG: JSON.stringify(config),
          MODEL_PROVIDER: 'scripted',
          OPENAI_API_KEY: 'nothing',
          CODEX_API_KEY: 'nothing',
          DEFAULT_AUTH_REQUEST: JSON.stringify({ methodId: 'api-key' }),
        },
      };
    },
  },
  gemini: {
    login: 'gemini-api-key',
    shell: 'run_shell_command',
    writer: 'write_file',
    lead: ({ args }, url) => ({ args, environment: { GEMINI_API_KEY: 'nothing', GOOGLE_GEMINI_BASE_URL: url } }),
  },
  opencode: {
    login: null,
    shell: 'bash',
    writer: 'write',
    lead: ({ args, environment }, url) => {
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted',
        options: { baseURL: `${url}/v1`, apiKey: 'nothing' },
        models: { [MODEL]: { name: 'Scripted', tool_call: true } },
      };
      const config = {
        ...JSON.parse(environment['OPENCODE_CONFIG_CONTENT'] ?? '{}'),
        provider: { scripted: provider },
        model: `scripted/${MODEL}`,
        small_model: `scripted/${MODEL}`,
      };
      return {
        args,
        environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config), OPENCODE_DISABLE_MODELS_FETCH: '1' },
      };
    },
  },
  qwen: {
    login: null,
    shell: 'run_shell_command',
    writer: 'write_file',
    lead: ({ args }, url) => ({
      args: [...args, '--auth-type', 'openai'],
      environment: { OPENAI_API_KEY: 'nothing', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: MODEL },
    }),
  },
  copilot: {
    login: null,
    shell: 'bash',
    writer: 'create',
    lead: ({ args }, url) => ({
      args,
      environment: {
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_API_KEY: 'nothing',
        COPILOT_MODEL: MODEL,
        COPILOT_OFFLINE: 'true',
      },
    }),
  },
};

/** The recipe with the scripted model in the place of its vendor's. */
export function withScriptedModel(recipe: Recipe, url: string): Recipe {
  return {
    ...recipe,
    launch: (request) => {
      const launch = recipe.launch(request);
      const { args, environment } = TRIALS[recipe.id]!.lead(launch, url);
      return { ...launch, args, environment: { ...launch.environment, ...environment } };
    },
  };
}
