/** The variables of the environment that an agent's process gets. Pure. */
import type { AgentStanding } from '#contract/clients/hosted-agent.ts';

/** Language, folders and terminal. */
const PLAIN = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR)$/;
/** The way into the network, and keys and choices of model providers. */
const PROVIDERS =
  /^(?:KIMI_API_KEY|(?:HTTPS?|ALL|NO)_PROXY|(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|(?:ANTHROPIC|CLAUDE_CODE|OPENAI|CODEX|AZURE_OPENAI|GEMINI|GOOGLE|DASHSCOPE|QWEN|OPENROUTER|MISTRAL|GROQ|XAI|DEEPSEEK|COPILOT|GITHUB_COPILOT|OPENCODE|KIMI_MODEL|MOONSHOT)_[A-Z0-9_]+)$/;

/** A closed-off agent gets, beside the variables of its recipe, only those that it needs to work: whatever else is set may be a key to something else. */
export function environmentOf(environment: NodeJS.ProcessEnv, standing: AgentStanding): NodeJS.ProcessEnv {
  if (standing === 'unconfined') return environment;
  return chosen(environment, (name) => PLAIN.test(name) || PROVIDERS.test(name));
}

/** Returns the variables of a program that reaches no provider: none leads it past the model on loopback, and none is a key. */
export function withoutProviders(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return chosen(environment, (name) => PLAIN.test(name));
}

function chosen(environment: NodeJS.ProcessEnv, takes: (name: string) => boolean): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => takes(name)));
}
