/**
 * The tool sets. They determine which tools a client sees, and how it calls the others. Every tool can be called, even if it is not listed.
 */
import type { ClientProfile } from '#contract/clients/client.ts';
import { findTool, publishedName, tools } from '../registry.ts';
import { OF_FILES, STANDARD, UNLISTED } from './standard.ts';
import type { Tool } from '../tool.ts';
import { calledBy } from './tool-search.ts';

/**
 * Clients that load the parameters of a tool only when a model needs them, so that a long list costs them little. They are recognized by
 * the names that they report.
 */
const LOADS_LATE = [/^claude-code/, /^qwen/];

const SETS: Readonly<Record<ClientProfile, readonly Tool[]>> = {
  standard: tools.filter(({ name }) => STANDARD.has(name)),
  all: tools.filter(({ name }) => !UNLISTED.has(name)),
  repl: tools.filter(({ name }) => STANDARD.has(name) && !OF_FILES.has(name)),
};

/** Returns the tools that a client with this profile sees, in the order of the registry. */
export function toolsOf(profile: ClientProfile): readonly Tool[] {
  return SETS[profile];
}

/**
 * Returns the profile for a client: the person's choice. There is one exception: a client that loads parameters late gets all tools instead
 * of the standard set.
 */
export function profileFor(chosen: ClientProfile, client: string | undefined): ClientProfile {
  const name = client?.toLowerCase() ?? '';
  return chosen === 'standard' && LOADS_LATE.some((pattern) => pattern.test(name)) ? 'all' : chosen;
}

/**
 * Returns how a client with this profile calls a tool, for use in hints: the tool's name, or the call through `call_tool` if the tool is
 * not listed.
 */
export function howToCall(profile: ClientProfile, name: string): string {
  const tool = findTool(name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return toolsOf(profile).includes(tool) ? publishedName(tool) : calledBy(publishedName(tool));
}
