/**
 * The built-in list of agents, in the registry's format and with our own descriptions. Apart from programs with a recipe, it contains only
 * agents that support MCP servers over HTTP, because other agents cannot access the image.
 */
import type { RegistryAgent } from './registry-format.ts';

type BuiltIn = Pick<RegistryAgent, 'id' | 'name' | 'version' | 'description'> & {
  readonly website: string;
  readonly package: string;
  readonly args?: string[];
};

const AGENTS: readonly BuiltIn[] = [
  {
    id: 'claude-acp',
    name: 'Claude Code',
    version: '0.101.0',
    description: 'Anthropic’s coding agent, through its adapter for the Agent Client Protocol.',
    website: 'https://code.claude.com/docs',
    package: '@agentclientprotocol/claude-agent-acp',
  },
  {
    id: 'codex-acp',
    name: 'Codex',
    version: '2.6.0',
    description: 'OpenAI’s coding agent, through its adapter for the Agent Client Protocol.',
    website: 'https://developers.openai.com/codex',
    package: '@agentclientprotocol/codex-acp',
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    version: '0.61.0',
    description: 'Google’s command-line agent, with the Gemini models.',
    website: 'https://geminicli.com/',
    package: '@google/gemini-cli',
    args: ['--acp'],
  },
  {
    id: 'opencode',
    name: 'opencode',
    version: '1.18.33',
    description: 'An open-source agent that works with the models of many vendors.',
    website: 'https://opencode.ai/',
    package: 'opencode-ai',
    args: ['acp'],
  },
  {
    id: 'qwen-code',
    name: 'Qwen Code',
    version: '0.24.4',
    description: 'Alibaba’s agent, for Qwen models and other models that support OpenAI’s protocol.',
    website: 'https://qwenlm.github.io/qwen-code-docs',
    package: '@qwen-code/qwen-code',
    args: ['--acp'],
  },
  {
    id: 'github-copilot-cli',
    name: 'GitHub Copilot CLI',
    version: '1.0.102',
    description: 'GitHub’s command-line agent, for Copilot subscribers.',
    website: 'https://github.com/features/copilot/cli',
    package: '@github/copilot',
    args: ['--acp'],
  },
  {
    id: 'kimi',
    name: 'Kimi Code',
    version: '2.1.0',
    description: 'Moonshot AI’s agent, with the Kimi models.',
    website: 'https://github.com/MoonshotAI/kimi-code',
    package: '@moonshot-ai/kimi-code',
    args: ['acp'],
  },
  {
    id: 'grok-build',
    name: 'Grok Build',
    version: '1.0.41',
    description: 'The xAI coding agent, for Grok models.',
    website: 'https://x.ai/cli',
    package: '@xai-official/grok',
    args: ['agent', 'stdio'],
  },
  {
    id: 'qoder',
    name: 'Qoder CLI',
    version: '1.1.52',
    description: 'Qoder’s command-line agent, which chooses its models itself.',
    website: 'https://qoder.com/cli',
    package: '@qoder-ai/qodercli',
    args: ['--acp'],
  },
];

export const BUILT_IN: readonly RegistryAgent[] = AGENTS.map(({ package: name, args = [], ...agent }) => ({
  ...agent,
  repository: null,
  distribution: { npx: { package: name, args, env: {} } },
}));
