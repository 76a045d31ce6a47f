/** The environment variables of an agent's process. Pure. */
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';

/** Variables for language, folders and terminal. */
const PLAIN = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR)$/;
/** Variables for network access, and for the keys of model providers and the choice of a model. */
const PROVIDERS =
  /^(?:KIMI_API_KEY|(?:HTTPS?|ALL|NO)_PROXY|(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|(?:ANTHROPIC|CLAUDE_CODE|OPENAI|CODEX|AZURE_OPENAI|GEMINI|GOOGLE|DASHSCOPE|QWEN|OPENROUTER|MISTRAL|GROQ|XAI|DEEPSEEK|COPILOT|GITHUB_COPILOT|OPENCODE|KIMI_MODEL|MOONSHOT)_[A-Z0-9_]+)$/;

/**
 * Returns the environment of an agent. A sandboxed agent gets only those of the person's variables that it needs, because any other
 * variable may contain a key to something else. The variables of its recipe are added later.
 */
export function environmentOf(environment: NodeJS.ProcessEnv, standing: AgentStanding): NodeJS.ProcessEnv {
  if (standing === 'unconfined') return environment;
  return chosen(environment, (name) => PLAIN.test(name) || PROVIDERS.test(name));
}

/**
 * Returns the environment of a program that must not reach a provider. It contains no keys, and no proxy settings that would bypass the
 * loopback model.
 */
export function withoutProviders(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return chosen(environment, (name) => PLAIN.test(name));
}

function chosen(environment: NodeJS.ProcessEnv, takes: (name: string) => boolean): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => takes(name)));
}
