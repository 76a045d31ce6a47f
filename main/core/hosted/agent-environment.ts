/** The variables of the environment that an agent's process gets. Pure. */
import type { AgentStanding } from '#contract/hosted-agent.ts';

/**
 * Variables that a closed-off agent gets beside those of its recipe: language, folders and terminal, the way into the network, and keys of model
 * providers, which it needs to work. Whatever else is set may be a key to something else.
 */
const KNOWN =
  /^(?:PATH|KIMI_API_KEY|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|(?:HTTPS?|ALL|NO)_PROXY|(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|(?:ANTHROPIC|CLAUDE_CODE|OPENAI|CODEX|AZURE_OPENAI|GEMINI|GOOGLE|DASHSCOPE|QWEN|OPENROUTER|MISTRAL|GROQ|XAI|DEEPSEEK|COPILOT|GITHUB_COPILOT|OPENCODE|KIMI_MODEL|MOONSHOT)_[A-Z0-9_]+)$/;

export function environmentOf(environment: NodeJS.ProcessEnv, standing: AgentStanding): NodeJS.ProcessEnv {
  if (standing === 'unconfined') return environment;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => KNOWN.test(name)));
}
