/** The tool sets: the tools that a client is told of, and how it calls the others. All of them answer when they are called. */
import type { ClientProfile } from '#contract/clients/client.ts';
import { findTool, publishedName, tools } from '../registry.ts';
import { OF_FILES, STANDARD, UNLISTED } from './standard.ts';
import type { Tool } from '../tool.ts';
import { calledBy } from './tool-search.ts';

/** Clients that load the parameters of a tool when a model wants it, so that many tools cost them little; by what they say they are. */
const LOADS_LATE = [/^claude-code/, /^qwen/];

const SETS: Readonly<Record<ClientProfile, readonly Tool[]>> = {
  standard: tools.filter(({ name }) => STANDARD.has(name)),
  all: tools.filter(({ name }) => !UNLISTED.has(name)),
  repl: tools.filter(({ name }) => STANDARD.has(name) && !OF_FILES.has(name)),
};

/** The tools that a client of this profile sees, in the order of the registry. */
export function toolsOf(profile: ClientProfile): readonly Tool[] {
  return SETS[profile];
}

/** The profile by which tools are told: what the person chose; all rather than the standard to a client that loads them late. */
export function profileFor(chosen: ClientProfile, client: string | undefined): ClientProfile {
  const name = client?.toLowerCase() ?? '';
  return chosen === 'standard' && LOADS_LATE.some((pattern) => pattern.test(name)) ? 'all' : chosen;
}

/** How a client of this profile calls a tool, for hints: its name, or the tool that calls it where it is not listed. */
export function howToCall(profile: ClientProfile, name: string): string {
  const tool = findTool(name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return toolsOf(profile).includes(tool) ? publishedName(tool) : calledBy(publishedName(tool));
}
